using MqttCheck.Clusters.Events;
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

    /// <inheritdoc/>
    public void Add(in ClusterEvent clusterEvent)
    {
        foreach (var monitor in monitors)
            monitor.Add(clusterEvent);
    }

    /// <summary>Takes what probes see of retained messages, which only reports look at.</summary>
    /// <param name="clusterEvent">The event.</param>
    public void AddRetained(in ClusterEvent clusterEvent)
    {
        foreach (var monitor in monitors.Where(monitor => !monitor.Decides))
            monitor.Add(clusterEvent);
    }

    /// <summary>Takes what clients do that share subscriptions or take over; only their monitors look at it.</summary>
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
