using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors.Retained;
using MqttCheck.Clusters.Monitors.Sessions;

namespace MqttCheck.Clusters.Monitors;

/// <summary>The monitors of one run, which take its events together.</summary>
/// <param name="monitors">The monitors, in the order in which they take an event.</param>
internal sealed class MonitorGroup(IReadOnlyList<ClusterMonitor> monitors) : IClusterEventSink
{
    /// <summary>The violations of what decides, monitor by monitor.</summary>
    public IReadOnlyList<ClusterViolation> Violations =>
        [.. monitors.Where(monitor => monitor.Decides).SelectMany(monitor => monitor.Violations)];

    /// <summary>The violations of what does not decide, and remarks, which are worth knowing beside.</summary>
    public IReadOnlyList<ClusterViolation> Reports =>
        [
            .. monitors.Where(monitor => !monitor.Decides).SelectMany(monitor => monitor.Violations),
            .. monitors.SelectMany(monitor => monitor.Remarks),
        ];

    /// <summary>How many violations there are of each invariant, those that are not kept included.</summary>
    public IReadOnlyList<ViolationCount> Counts =>
        [
            .. monitors
                .SelectMany(monitor => monitor.Counts.Select(count => (count.Key, count.Value, monitor.Decides)))
                .GroupBy(count => (count.Key, count.Decides))
                .Select(group => new ViolationCount(group.Key.Key, group.Sum(count => count.Value), group.Key.Decides)),
        ];

    /// <inheritdoc/>
    public void Add(in ClusterEvent clusterEvent)
    {
        foreach (var monitor in monitors)
            monitor.Add(clusterEvent);
    }

    /// <summary>Takes what probes see of retained messages, which the others do not look at.</summary>
    /// <param name="clusterEvent">The event.</param>
    public void AddRetained(in ClusterEvent clusterEvent)
    {
        foreach (var monitor in monitors.OfType<RegisterMonitor>())
            monitor.Add(clusterEvent);
    }

    /// <summary>Takes what clients of sessions do, which only their monitors look at.</summary>
    /// <param name="clusterEvent">The event.</param>
    public void AddOfSessions(in ClusterEvent clusterEvent)
    {
        foreach (var monitor in monitors.OfType<SessionMonitor>())
            monitor.Add(clusterEvent);
    }

    /// <summary>Says that nothing more comes.</summary>
    /// <param name="nanoseconds">The time of the end.</param>
    public void End(long nanoseconds)
    {
        foreach (var monitor in monitors)
            monitor.End(nanoseconds);
    }
}
