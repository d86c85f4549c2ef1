using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.ClusterProtocols.Transport;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>Makes the protocols of a topology's nodes.</summary>
internal static class ClusterCores
{
    // A node falls silent for 4 T_k before that is noticed: a ping may be due in T_k, and its answer is awaited for 3
    // T_k. A connection is made again 2 s after the last attempt at the latest. From then on new costs are known after
    // 3 T_k, two of them because one round trip that is far from the others counts as an exception. Half a period is
    // left for the messages. The rules promise 15 s for a T_k of 2 s, which is the same.
    private const double NoticePeriods = 4;
    private const double CostPeriods = 3.5;

    private static readonly Dictionary<
        ClusterSystem,
        Func<Topology, Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore>>
    > s_cores = new()
    {
        [ClusterSystem.Flood] = Tree,
        [ClusterSystem.SpanningTree] = Tree,
        [ClusterSystem.SingleOverlay] = topology => OverlayCores.Of(topology),
        [ClusterSystem.TopicOverlay] = topology => OverlayCores.Of(topology),
        [ClusterSystem.Transport] = Direct,
    };

    /// <summary>Whether the nodes of a system have a protocol here.</summary>
    /// <param name="system">The system.</param>
    public static bool HasCore(ClusterSystem system) => s_cores.ContainsKey(system);

    /// <summary>Refuses a topology whose nodes have no protocol here.</summary>
    /// <param name="topology">The topology.</param>
    /// <exception cref="InputException">There is none.</exception>
    public static void ThrowIfNone(Topology topology)
    {
        if (!HasCore(topology.System))
            throw new InputException(
                $"{topology.Name}: the system '{topology.System.Name()}' cannot be simulated; allowed: "
                    + "spanning-tree, flood, single-overlay, topic-overlay, transport, pipeline. "
                    + "Run it live with 'mqttcheck cluster run'."
            );
    }

    /// <summary>How long after a fault a tree may be wrong, in nanoseconds.</summary>
    /// <param name="topology">The cluster.</param>
    public static long BoundOf(Topology topology)
    {
        var notice = Math.Max(
            NoticePeriods * topology.KeepAliveSeconds,
            new HopOptions().LongestPauseNanoseconds / 1e9
        );
        var periods = notice + (CostPeriods * topology.KeepAliveSeconds);
        if (topology.System.IsOverlay())
        {
            // Discovery comes before the tree, and a silence may be as long as the file says.
            var discovery = OverlayCores.DiscoveryOf(topology);
            return (long)(periods * 1e9) + discovery.CollectNanoseconds + discovery.SilenceNanoseconds;
        }
        return (long)(periods * 1e9);
    }

    /// <summary>The rules that a topology's file asks for.</summary>
    /// <param name="topology">The topology.</param>
    public static SpanningTreeOptions OptionsOf(Topology topology) =>
        new SpanningTreeOptions
        {
            Elects = topology.System != ClusterSystem.Flood,
            Rules = topology.Rules,
            Identities = topology.HasIds,
            KeepAliveNanoseconds = (long)Math.Round(topology.KeepAliveSeconds * 1e9),
            IsInBand = topology.IsInBand,
        };

    /// <summary>The hops that a topology's file asks for.</summary>
    /// <param name="topology">The topology.</param>
    public static HopOptions HopOf(Topology topology)
    {
        // A transport numbers and repeats messages itself: the connections below it need not.
        return new HopOptions
        {
            InsidePings = topology.IsInBand ? StatementBytes.Instance : null,
            Qos =
                topology.HasTransport ? QualityOfService.AtMostOnce
                : topology.Hop == PeerHopMode.Qos0 ? QualityOfService.AtMostOnce
                : topology.Hop == PeerHopMode.Qos1 ? QualityOfService.AtLeastOnce
                : QualityOfService.ExactlyOnce,
        };
    }

    /// <summary>The protocol of a topology's nodes, as its file asks for it.</summary>
    /// <param name="topology">The topology.</param>
    /// <returns>Makes the protocol of a node: its index, its neighbours, and where its outputs go.</returns>
    /// <exception cref="InputException">There is no protocol for its system.</exception>
    public static Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> Of(Topology topology)
    {
        ThrowIfNone(topology);
        return s_cores[topology.System](topology);
    }

    private static Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> Tree(Topology topology) =>
        Carried(topology, SpanningTree(topology, OptionsOf(topology)));

    private static Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> Direct(Topology topology)
    {
        TransportPlans.ThrowIfNotMeshed(topology);
        return Carried(topology, (node, _, output) => new DirectCore(node, topology.Nodes.Count, output));
    }

    /// <summary>A protocol whose messages go over the transport that a topology asks for, if it asks for one.</summary>
    /// <param name="topology">The topology.</param>
    /// <param name="core">Makes the protocol of a node.</param>
    internal static Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> Carried(
        Topology topology,
        Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> core
    )
    {
        if (!topology.HasTransport)
            return core;
        var design = TransportPlans.DesignOf(topology);
        return (node, neighbours, output) =>
            new TransportCore(node, topology.Nodes.Count, design, carried => core(node, neighbours, carried), output);
    }

    /// <summary>The neighbours of a node, each once, in the order of the topology's links.</summary>
    /// <param name="topology">The topology.</param>
    /// <param name="node">The index of the node.</param>
    public static IReadOnlyList<int> NeighboursOf(Topology topology, int node) =>
        [
            .. topology
                .Links.Where(link => link.From == node || link.To == node)
                .Select(link => link.From == node ? link.To : link.From)
                .Distinct(),
        ];

    /// <summary>
    /// The nodes whose addresses a live node is given: its neighbours, and for a broker of a pipeline log and store.
    /// </summary>
    /// <param name="topology">The topology.</param>
    /// <param name="node">The index of the node.</param>
    public static IReadOnlyList<int> PeersOf(Topology topology, int node)
    {
        if (topology.System != ClusterSystem.Pipeline)
            return NeighboursOf(topology, node);
        // A log and a store connect to nobody.
        return topology.Nodes[node].Kind != NodeKind.Broker
            ? []
            :
            [
                .. Enumerable
                    .Range(0, topology.Nodes.Count)
                    .Where(peer => topology.Nodes[peer].Kind != NodeKind.Broker),
            ];
    }

    /// <summary>Nodes that build a spanning tree, or flood where the options say that no tree is built.</summary>
    /// <param name="topology">The nodes with their capabilities.</param>
    /// <param name="options">The rules.</param>
    public static Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> SpanningTree(
        Topology topology,
        SpanningTreeOptions options
    ) =>
        (node, neighbours, output) =>
            new SpanningTreeCore(
                node,
                topology.Nodes.Count,
                neighbours,
                topology.Nodes[node].Capability,
                options,
                output
            );
}
