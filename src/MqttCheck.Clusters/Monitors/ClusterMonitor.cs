using System.Runtime.CompilerServices;
using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>The base of the monitors, which keeps the first violations and counts all of them.</summary>
internal abstract class ClusterMonitor : IClusterMonitor
{
    private const int MostKept = 20;

    private readonly List<ClusterViolation> _violations = [];

    /// <summary>The invariant in a word, for example <c>loop-free</c>.</summary>
    public abstract string Name { get; }

    /// <inheritdoc/>
    public virtual bool Decides => true;

    /// <inheritdoc/>
    public IReadOnlyList<ClusterViolation> Violations => _violations;

    /// <summary>How many violations there are.</summary>
    public long ViolationCount { get; private set; }

    /// <inheritdoc/>
    public abstract void Add(in ClusterEvent clusterEvent);

    /// <inheritdoc/>
    public virtual void End(long nanoseconds) { }

    /// <summary>Notes a violation.</summary>
    /// <param name="nanoseconds">When it was seen.</param>
    /// <param name="what">The event; it is put into words only as long as violations are kept.</param>
    private protected void Report(long nanoseconds, ref DefaultInterpolatedStringHandler what)
    {
        ViolationCount++;
        var text = what.ToStringAndClear();
        if (_violations.Count < MostKept)
            _violations.Add(new ClusterViolation(Name, nanoseconds, text));
    }
}
