using MqttCheck.ClusterProtocols.Discovery;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.Overlays;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>Makes the nodes of overlays: discovery, and the routing that it feeds.</summary>
internal static class OverlayCores
{
    /// <summary>The timers of discovery that a topology's file asks for.</summary>
    /// <param name="topology">The topology.</param>
    public static DiscoveryOptions DiscoveryOf(Topology topology)
    {
        var overlay = topology.Overlay;
        return new DiscoveryOptions
        {
            AnnounceNanoseconds = Nanoseconds(overlay.AnnounceSeconds),
            CollectNanoseconds = Nanoseconds(overlay.CollectSeconds),
            KeepAliveNanoseconds = Nanoseconds(topology.KeepAliveSeconds),
            SilenceNanoseconds = Nanoseconds(overlay.SilenceSeconds ?? 3 * topology.KeepAliveSeconds),
            AnnouncesOnLinks = overlay.AnnouncesOnLinks,
            Pings = topology.System == ClusterSystem.TopicOverlay,
        };
    }

    /// <summary>The nodes of an overlay's topology.</summary>
    /// <param name="topology">The topology, whose system is an overlay.</param>
    /// <param name="mutant">The rule that is broken.</param>
    /// <exception cref="InputException">Its nodes cannot be what it says.</exception>
    public static Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> Of(
        Topology topology,
        OverlayMutant mutant = OverlayMutant.None
    )
    {
        var discovery = DiscoveryOf(topology);
        return (node, neighbours, output) =>
            new DiscoveringCore(
                topology.Nodes.Count,
                neighbours,
                discovery,
                output,
                gate => Routing(topology, mutant, node, neighbours, gate)
            );
    }

    private static IClusterCore Routing(
        Topology topology,
        OverlayMutant mutant,
        int node,
        IReadOnlyList<int> neighbours,
        IClusterOutput output
    )
    {
        var (nodes, capability) = (topology.Nodes.Count, topology.Nodes[node].Capability);
        var tree = TreeOf(topology);
        if (topology.System == ClusterSystem.SingleOverlay)
            return new InterestCore(
                node,
                nodes,
                neighbours,
                capability,
                tree,
                new InterestOptions
                {
                    Advertisement = topology.Overlay.Advertisement,
                    ChangeNanoseconds =
                        mutant == OverlayMutant.ChangesNotFlooded
                            ? 0
                            : OverlaySettings.ChangeNanoseconds(topology.KeepAliveSeconds),
                    Mutant = mutant,
                },
                output
            );
        if (neighbours.Count != nodes - 1)
            throw new InputException(
                $"{topology.Name}: {topology.Nodes[node].Name} has no link to some nodes, and the overlay of a topic "
                    + "needs links between all pairs; allowed: a full mesh, such as the family mesh:5."
            );
        return new TopicOverlayCore(
            node,
            nodes,
            neighbours,
            capability,
            new TopicOverlayOptions
            {
                Root = topology.Overlay.Root,
                Balance = topology.Overlay.Balance,
                Tree = tree,
                Mutant = mutant,
            },
            output
        );
    }

    // Discovery decides who is silent, and a tree outlives the time that it takes for it.
    private static SpanningTreeOptions TreeOf(Topology topology)
    {
        var discovery = DiscoveryOf(topology);
        return ClusterCores.OptionsOf(topology) with
        {
            SilenceNanoseconds = long.MaxValue / 4,
            MaximumAgeNanoseconds =
                discovery.SilenceNanoseconds + discovery.CollectNanoseconds + 3 * discovery.KeepAliveNanoseconds,
        };
    }

    private static long Nanoseconds(double seconds) => (long)Math.Round(seconds * 1e9);
}
