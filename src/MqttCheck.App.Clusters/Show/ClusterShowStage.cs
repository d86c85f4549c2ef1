using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Mosquitto.Linting;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.App.Clusters.Show;

/// <summary>The stage from the files of a cluster to what they say.</summary>
internal static class ClusterShowStage
{
    /// <summary>Answers for a topology.</summary>
    public static ClusterShowAnswer Of(Topology topology)
    {
        if (!topology.HasBridges)
            return new ClusterShowAnswer
            {
                Topology = topology,
                Routes = [],
                Repeats = [],
            };
        var forwarding = new BridgeForwarding(topology);
        var routes = BridgeRoutes.Of(topology, forwarding);
        return new ClusterShowAnswer
        {
            Topology = topology,
            Routes = routes,
            Repeats = [.. routes.SelectMany(route => BridgeRepeat.Of(forwarding, route))],
        };
    }

    /// <summary>Answers for configurations of Mosquitto.</summary>
    public static ClusterShowAnswer Of(ConfTopology cluster)
    {
        var answer = Of(cluster.Topology);
        return answer with { Configurations = cluster, Findings = ConfLint.Of(cluster, answer.Routes) };
    }
}
