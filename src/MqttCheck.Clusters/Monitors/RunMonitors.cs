using MqttCheck.Clusters.Topologies;
using MqttCheck.Protocol;

namespace MqttCheck.Clusters.Monitors;

/// <summary>The monitors that judge each run of a cluster, simulated or live.</summary>
internal static class RunMonitors
{
    /// <summary>The monitor of loops.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="drain">How long after the last publication messages may still enter links.</param>
    /// <param name="boundNanoseconds">How long after a fault trees and routes may be wrong.</param>
    public static LoopMonitor Loops(Topology topology, TimeSpan drain, long boundNanoseconds)
    {
        ArgumentNullException.ThrowIfNull(topology);
        return new(
            (long)drain.TotalNanoseconds,
            NamesOf(topology),
            topology.System is ClusterSystem.SpanningTree or ClusterSystem.SingleOverlay or ClusterSystem.TopicOverlay
                ? boundNanoseconds
                : 0,
            topology.HasTransport
        );
    }

    /// <summary>All monitors of a run: what its system promises, and what its load asks for.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="loops">The monitor of loops, see <see cref="Loops"/>.</param>
    /// <param name="boundNanoseconds">How long after a fault trees and routes may be wrong.</param>
    /// <param name="startNanoseconds">When the run begins.</param>
    /// <param name="absent">The nodes that do not run from the start; null for none.</param>
    public static IReadOnlyList<IClusterMonitor> Of(
        Topology topology,
        LoopMonitor loops,
        long boundNanoseconds,
        long startNanoseconds,
        IReadOnlySet<int>? absent = null
    )
    {
        ArgumentNullException.ThrowIfNull(topology);
        var settle = (long)topology.Scenario.Settle.TotalNanoseconds;
        List<IClusterMonitor> monitors = [loops, new DeliveryMonitor(settle), new RetainedMonitor(NamesOf(topology))];
        // The monitors I4, I5 and I7 judge a tree after its nodes have settled.
        if (topology.System is ClusterSystem.SpanningTree or ClusterSystem.SingleOverlay)
            monitors.Add(new TreeMonitor(topology, boundNanoseconds, absent, startNanoseconds, judgesCosts: false));
        // The monitors I6 and I7 judge overlays.
        if (topology.System is ClusterSystem.SingleOverlay or ClusterSystem.TopicOverlay)
            monitors.AddRange([
                new InterestMonitor(topology, boundNanoseconds),
                new TopicRootMonitor(NamesOf(topology)),
            ]);
        // Only a session that outlives its connection must receive the messages that came while its node was down.
        if (topology.Load is { PersistentSubscribers: true, Qos: not QualityOfService.AtMostOnce })
            monitors.Add(new DurabilityMonitor(settle));
        return monitors;
    }

    private static string[] NamesOf(Topology topology) => [.. topology.Nodes.Select(node => node.Name)];
}
