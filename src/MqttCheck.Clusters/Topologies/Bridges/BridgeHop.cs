using MqttCheck.Protocol;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>One message over one bridge.</summary>
/// <param name="Link">The index of the link.</param>
/// <param name="Node">The index of the node that receives it.</param>
/// <param name="Topic">Its topic there.</param>
/// <param name="Qos">The highest quality of service that the bridge gives it.</param>
/// <param name="Kept">How many characters at the end of the topic are those that it had before, untouched.</param>
internal readonly record struct BridgeHop(int Link, int Node, string Topic, QualityOfService Qos, int Kept);
