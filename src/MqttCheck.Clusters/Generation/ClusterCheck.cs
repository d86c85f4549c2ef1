using MqttCheck.Clusters.Interest;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Pipeline;
using MqttCheck.Clusters.SpanningTree;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Transport;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Generation;

/// <summary>
/// Puts random cases to a simulated cluster, and shrinks the first one in which an invariant does not hold.
/// </summary>
public sealed class ClusterCheck
{
    // A smaller case draws its delays otherwise; one of so many seeds shows again what a larger one has shown.
    private const int SeedsOfVariant = 24;

    private readonly Topology _topology;
    private readonly ulong _seed;
    private readonly Func<ClusterCase, ulong, IReadOnlyList<ClusterViolation>> _judge;
    private readonly ClusterCaseGenerator _generator;
    private readonly HashSet<string> _known = [];
    private readonly PipelineCheck? _pipeline;
    private readonly TransportCheck? _transport;

    /// <summary>A check.</summary>
    /// <param name="topology">The cluster, whose system can be simulated.</param>
    /// <param name="seed">The seed of the cases and of what they draw.</param>
    public ClusterCheck(Topology topology, ulong seed)
        : this(topology, seed, TreeMutant.None) { }

    internal ClusterCheck(Topology topology, ulong seed, TreeMutant mutant, OverlayMutant overlay = OverlayMutant.None)
        : this(topology, seed, (tested, drawn) => CaseRun.Judge(topology, tested, drawn, mutant, overlay)) { }

    /// <summary>A check at another level than that of frames.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="seed">The seed of the cases and of what they draw.</param>
    /// <param name="judge">Runs a case with a seed, and says what did not hold.</param>
    public ClusterCheck(Topology topology, ulong seed, Func<ClusterCase, ulong, IReadOnlyList<ClusterViolation>> judge)
    {
        ArgumentNullException.ThrowIfNull(topology);
        ArgumentNullException.ThrowIfNull(judge);
        (_topology, _seed, _judge) = (topology, seed, judge);
        _generator = new ClusterCaseGenerator(topology);
        if (topology.System == ClusterSystem.Pipeline)
            _pipeline = new PipelineCheck(topology, seed, PipelineMutant.None);
        if (topology.System == ClusterSystem.Transport)
            _transport = new TransportCheck(topology, seed, TransportMutant.None);
    }

    /// <summary>
    /// The topology with delays of normal:10ms,2.5ms on its links, if it has none: without delays much cannot happen.
    /// </summary>
    /// <param name="topology">The topology.</param>
    public static Topology WithUsualDelays(Topology topology)
    {
        ArgumentNullException.ThrowIfNull(topology);
        return topology.Links.All(link => link.DelayMilliseconds is ConstantLaw { Value: 0 })
            ? topology with
            {
                Links = [.. topology.Links.Select(link => link with { DelayMilliseconds = new NormalLaw(10, 2.5) })],
            }
            : topology;
    }

    /// <summary>How many cases have been run, those of shrinking left out.</summary>
    public long Cases { get; private set; }

    /// <summary>How many operations and faults they had.</summary>
    public long Operations { get; private set; }

    /// <summary>Runs the next case.</summary>
    /// <returns>
    /// The shrunk finding; null if all held, or if only such invariants were violated as were found before.
    /// </returns>
    public ClusterFinding? Next()
    {
        var number = Cases++;
        if (_pipeline is not null || _transport is not null)
        {
            var found = _pipeline?.Next() ?? _transport?.Next();
            Operations = _pipeline?.Operations ?? _transport!.Operations;
            return found;
        }
        var tested = _generator.Generate(_seed, (ulong)number);
        Operations += tested.OperationCount;
        var seed = RandomStream.For(_seed, (ulong)number, 1).NextUInt64() >> 32;
        foreach (var violation in _judge(tested, seed))
            if (_known.Add(violation.Invariant))
                return Shrink(tested, seed, violation, number);
        return null;
    }

    private ClusterFinding Shrink(ClusterCase found, ulong seed, ClusterViolation first, long number)
    {
        var (best, bestSeed, violation) = (found, seed, first);
        var isSimpler = true;
        while (isSimpler)
        {
            isSimpler = false;
            foreach (var variant in ClusterCaseShrinker.Shrink(_topology, best))
            {
                var (shownBy, shown) = Shows(variant, bestSeed, first.Invariant);
                if (shown is null)
                    continue;
                (best, bestSeed, violation, isSimpler) = (variant, shownBy, shown, true);
                break;
            }
        }
        return new ClusterFinding(violation, found, best, bestSeed, number);
    }

    private (ulong Seed, ClusterViolation? Violation) Shows(ClusterCase variant, ulong seed, string invariant)
    {
        for (var i = 0; i < SeedsOfVariant; i++)
        {
            var tried = seed + (ulong)i;
            foreach (var violation in _judge(variant, tried))
                if (violation.Invariant == invariant)
                    return (tried, violation);
        }
        return (seed, null);
    }
}
