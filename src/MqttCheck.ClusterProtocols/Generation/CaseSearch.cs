using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>
/// Puts random cases to a simulation, one after the other. The first case that violates an invariant is shrunk.
/// </summary>
/// <param name="topology">The cluster.</param>
internal abstract class CaseSearch(Topology topology)
{
    private readonly HashSet<string> _known = [];
    private readonly Dictionary<string, long> _kinds = new(StringComparer.Ordinal);

    /// <summary>How many cases have been run, those of shrinking left out.</summary>
    public long Cases { get; private set; }

    /// <summary>How many operations and faults they had.</summary>
    public long Operations { get; private set; }

    /// <summary>How long these runs were together, in virtual time.</summary>
    public TimeSpan Simulated { get; private set; }

    /// <summary>How many cases had steps of each kind, the most frequent kind first.</summary>
    public IReadOnlyList<(string Kind, long Cases)> Kinds =>
        [
            .. _kinds
                .OrderByDescending(entry => entry.Value)
                .ThenBy(entry => entry.Key, StringComparer.Ordinal)
                .Select(entry => (entry.Key, entry.Value)),
        ];

    private protected Topology Topology { get; } = topology;

    /// <summary>Runs the next case.</summary>
    /// <returns>
    /// The shrunk finding; null if all held, or if only such invariants were violated as were found before.
    /// </returns>
    public ClusterFinding? Next()
    {
        var number = Cases++;
        var (tested, seed) = Draw(number);
        Operations += tested.OperationCount;
        Simulated += TimeSpan.FromMicroseconds(DurationOf(tested) / 1000);
        foreach (var kind in CaseKinds.Of(tested))
            _kinds[kind] = _kinds.GetValueOrDefault(kind) + 1;
        foreach (var violation in Judge(tested, seed))
            if (_known.Add(violation.Invariant))
                return Shrink(new ClusterFinding(violation, tested, tested, seed, number));
        return null;
    }

    /// <summary>The case of a number, and the seed of what its run draws.</summary>
    private protected abstract (ClusterCase Case, ulong Seed) Draw(long number);

    /// <summary>How long a run of a case is, in nanoseconds.</summary>
    private protected abstract long DurationOf(ClusterCase tested);

    /// <summary>Simulates one run of a case and returns the violations that it shows.</summary>
    private protected abstract IReadOnlyList<ClusterViolation> Judge(ClusterCase tested, ulong seed);

    /// <summary>The finding with a smaller case that shows the same; null if this variant does not.</summary>
    private protected abstract ClusterFinding? Simpler(ClusterFinding best, ClusterCase variant);

    /// <summary>The finding with another case and seed, if the same invariant does not hold in their run.</summary>
    private protected ClusterFinding? Shown(ClusterFinding best, ClusterCase tried, ulong seed)
    {
        var shown = Judge(tried, seed).FirstOrDefault(other => other.Invariant == best.Violation.Invariant);
        return shown is null ? null : best with { Violation = shown, Shrunk = tried, Seed = seed };
    }

    private ClusterFinding Shrink(ClusterFinding best)
    {
        while (FirstSimpler(best) is { } simpler)
            best = simpler;
        return best;
    }

    private ClusterFinding? FirstSimpler(ClusterFinding best) =>
        ClusterCaseShrinker
            .Shrink(Topology, best.Shrunk)
            .Select(variant => Simpler(best, variant))
            .FirstOrDefault(simpler => simpler is not null);
}
