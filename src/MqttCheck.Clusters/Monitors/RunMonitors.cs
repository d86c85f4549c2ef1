using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Monitors.Retained;
using MqttCheck.Clusters.Monitors.Sessions;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.Clusters.Monitors;

/// <summary>The monitors that judge each run of a cluster, simulated or live.</summary>
internal static class RunMonitors
{
    /// <summary>All monitors of a run: what its system promises, and what its load asks for.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="drain">How long after the last publication messages may still enter links.</param>
    /// <param name="boundNanoseconds">How long after a fault trees and routes may be wrong.</param>
    /// <param name="startNanoseconds">When the run begins.</param>
    /// <param name="absent">The nodes that do not run from the start; null for none.</param>
    /// <param name="book">The book of messages to fill, for words; null for one that nobody else reads.</param>
    public static IReadOnlyList<ClusterMonitor> Of(
        Topology topology,
        TimeSpan drain,
        long boundNanoseconds,
        long startNanoseconds,
        IReadOnlySet<int>? absent = null,
        MessageBook? book = null
    )
    {
        var settle = (long)topology.Scenario.Settle.TotalNanoseconds;
        var hasBridges = topology.HasBridges;
        Func<int, int, string, bool>? reaches = hasBridges ? new BridgeReach(topology).Reaches : null;
        book ??= BookOf(topology, ClientNames.Of(topology), startNanoseconds);
        List<ClusterMonitor> monitors =
        [
            new LoopMonitor(
                (long)drain.TotalNanoseconds,
                NamesOf(topology),
                topology.System.HasOverlay() ? boundNanoseconds : 0,
                topology.HasTransport,
                hasBridges ? new BridgeCopies(topology) : null,
                book
            ),
            new FidelityMonitor(book, new QosWays(topology)),
            new DeliveryMonitor(settle, book),
            new OrderMonitor(book, new OrderPromise(topology)),
            new OrderMonitor(book, new OrderPromise(topology), decides: false),
            new SessionTruthMonitor(book, SystemPromises.Of(topology.System).TakeOver == SessionReach.Cluster),
            new RegisterMonitor(topology, reaches, book.Time, decides: true),
            new RegisterMonitor(topology, reaches, book.Time, decides: false),
        ];
        // The monitors I4, I5 and I7 judge a tree after its nodes have settled.
        if (topology.System.Has(SystemTraits.Elects))
            monitors.Add(
                new TreeMonitor(
                    topology,
                    boundNanoseconds,
                    absent,
                    startNanoseconds,
                    judgesCosts: false,
                    judgesFitness: !topology.IsFitnessMeasured
                )
            );
        monitors.AddRange(OfOverlay(topology, boundNanoseconds));
        // Only a session that outlives its connection must receive the messages that came while its node was down.
        if (topology.Load is { PersistentSubscribers: true, Qos: not QualityOfService.AtMostOnce })
            monitors.Add(new DurabilityMonitor(settle, book));
        monitors.AddRange(SessionMonitor.Of(topology));
        return monitors;
    }

    /// <summary>An empty book of messages of a run.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="names">The names of its clients.</param>
    /// <param name="startNanoseconds">When the run begins.</param>
    internal static MessageBook BookOf(Topology topology, ClientNames names, long startNanoseconds) =>
        new(NamesOf(topology), names, startNanoseconds);

    /// <summary>The monitors of a generated case in the simulator, where each delivery and each link is seen.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="boundNanoseconds">How long after a fault trees and routes may be wrong.</param>
    /// <param name="absent">The nodes that do not run from the start.</param>
    internal static IReadOnlyList<ClusterMonitor> OfCase(
        Topology topology,
        long boundNanoseconds,
        IReadOnlySet<int> absent
    )
    {
        var tree = new TreeMonitor(
            topology,
            boundNanoseconds,
            absent,
            decides: topology.System.Has(SystemTraits.Elects)
        );
        return [new CaseMonitor(topology, tree, boundNanoseconds), tree, .. OfOverlay(topology, boundNanoseconds)];
    }

    // The monitors I6 and I7 judge overlays.
    private static IEnumerable<ClusterMonitor> OfOverlay(Topology topology, long boundNanoseconds) =>
        topology.System.IsOverlay()
            ? [new InterestMonitor(topology, boundNanoseconds), new TopicRootMonitor(NamesOf(topology))]
            : [];

    private static string[] NamesOf(Topology topology) => [.. topology.Nodes.Select(node => node.Name)];
}
