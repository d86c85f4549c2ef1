using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Cli.Cluster;

/// <summary>Sentences about clusters that several commands print.</summary>
internal static class ClusterText
{
    /// <summary>A loop in a sentence without a full stop.</summary>
    public static string Loop(Topology topology, BridgeRoute route) =>
        $"a publication on '{route.Filter}' at {topology.Nodes[route.Node].Name} goes round {Circle(topology, route)} "
        + (route.IsGrowing ? "without end, and its topic grows" : "without end");

    /// <summary>The word for an answer.</summary>
    /// <param name="holds">What was decided; null where nothing was.</param>
    /// <param name="isDecision">Whether there was something to decide.</param>
    public static string Word(bool? holds, bool isDecision) =>
        holds switch
        {
            true => "holds",
            false => "violated",
            _ => isDecision ? "withheld" : "estimate",
        };

    /// <summary>The nodes of a loop: <c>a -> b -> c -> a</c>.</summary>
    public static string Circle(Topology topology, BridgeRoute route) =>
        string.Join(" -> ", route.Loop.Select(node => topology.Nodes[node].Name));
}
