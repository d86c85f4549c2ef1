using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.App.Clusters.Show;

/// <summary>Says which brokers answers about bridges are about.</summary>
internal static class AssumedBrokers
{
    /// <summary>One sentence without a full stop for each kind of broker at the end of a bridge.</summary>
    public static IEnumerable<string> Of(Topology topology)
    {
        if (topology.Nodes.All(node => node.Broker == BridgePeer.Mosquitto))
        {
            yield return "answers about loops and copies hold with Mosquitto at both ends of each bridge, tried with "
                + "Mosquitto 2.0.11";
            yield break;
        }
        foreach (var same in topology.Nodes.GroupBy(node => node.Broker).OrderBy(group => group.Key))
        {
            var traits = BridgePeers.Of(same.Key);
            yield return $"{string.Join(", ", same.Select(node => node.Name))}: {traits.Title} is assumed, "
                + (traits.IsTried ? traits.Evidence : $"{traits.Ground}: {traits.Evidence}");
        }
    }
}
