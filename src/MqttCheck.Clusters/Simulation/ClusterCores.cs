using MqttCheck.Clusters.Hops;
using MqttCheck.Clusters.SpanningTree;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Clusters.Simulation;

/// <summary>Makes the protocols of a topology's nodes.</summary>
public static class ClusterCores
{
    /// <summary>Nodes that build a spanning tree, or flood where the options say that no tree is built.</summary>
    /// <param name="topology">The nodes with their capabilities.</param>
    /// <param name="options">The rules.</param>
    public static Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> SpanningTree(
        Topology topology,
        SpanningTreeOptions options
    )
    {
        ArgumentNullException.ThrowIfNull(topology);
        return (node, neighbours, output) =>
            new SpanningTreeCore(
                node,
                topology.Nodes.Count,
                neighbours,
                topology.Nodes[node].Capability,
                options,
                output
            );
    }
}
