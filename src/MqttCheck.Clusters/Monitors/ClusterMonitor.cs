using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// Judges the events of one run, one by one in order of time, and knows neither where they come from nor a clock. Keeps
/// the first violations and counts all of them.
/// </summary>
/// <param name="mostKept">How many violations are kept.</param>
internal abstract class ClusterMonitor(int mostKept = 20) : IClusterEventSink
{
    private readonly List<ClusterViolation> _violations = [];
    private readonly List<ClusterViolation> _remarks = [];
    private readonly SortedDictionary<string, long> _counts = new(StringComparer.Ordinal);

    /// <summary>The invariant in a word, for example <c>loop-free</c>.</summary>
    public abstract string Name { get; }

    /// <summary>Whether a violation is one of the standard or of a promise; otherwise it is reported only.</summary>
    public virtual bool Decides => true;

    /// <summary>The violations so far; the first ones where there are many.</summary>
    public IReadOnlyList<ClusterViolation> Violations => _violations;

    /// <summary>How many violations there are.</summary>
    public long ViolationCount { get; private set; }

    /// <summary>How many violations there are of each invariant, by its name.</summary>
    public IReadOnlyDictionary<string, long> Counts => _counts;

    /// <summary>Remarks that violate nothing, in the form of violations.</summary>
    public IReadOnlyList<ClusterViolation> Remarks => _remarks;

    /// <inheritdoc/>
    public abstract void Add(in ClusterEvent clusterEvent);

    /// <summary>Says that nothing more comes. Only then is known what never arrived.</summary>
    /// <param name="nanoseconds">The time of the end.</param>
    public virtual void End(long nanoseconds) { }

    /// <summary>Notes what violates nothing and is worth knowing.</summary>
    /// <param name="nanoseconds">When it was seen.</param>
    /// <param name="what">The remark, in a sentence without a full stop.</param>
    /// <param name="invariant">The invariant, if the monitor judges several.</param>
    private protected void Remark(long nanoseconds, string what, string? invariant = null) =>
        _remarks.Add(new(invariant ?? Name, nanoseconds, what));

    /// <summary>Notes a violation.</summary>
    /// <param name="nanoseconds">When it was seen.</param>
    /// <param name="claim">What is wrong, in words.</param>
    /// <param name="invariant">The invariant, if the monitor judges several.</param>
    /// <param name="history">The history that shows it; null where the claim says all.</param>
    /// <returns>False, for the caller to return.</returns>
    private protected bool Report(
        long nanoseconds,
        string claim,
        string? invariant = null,
        Func<IReadOnlyList<HistoryStep>>? history = null
    )
    {
        ViolationCount++;
        _counts[invariant ?? Name] = _counts.GetValueOrDefault(invariant ?? Name) + 1;
        if (_violations.Count < mostKept)
            _violations.Add(
                new ClusterViolation(invariant ?? Name, nanoseconds, claim) { History = history?.Invoke() ?? [] }
            );
        return false;
    }
}
