using MqttCheck.Protocol;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>One message over one bridge.</summary>
/// <param name="Way">The directed link: twice the index of the link, one more towards the end that opened it.</param>
/// <param name="Node">The index of the node that receives it.</param>
/// <param name="Topic">Its topic there.</param>
/// <param name="Qos">The highest quality of service that the bridge gives it.</param>
/// <param name="Kept">How many characters at the end of the topic are those that it had before, untouched.</param>
/// <param name="Line">The index of the line that takes it, in <see cref="TopologyLink.Topics"/>.</param>
internal readonly record struct BridgeHop(int Way, int Node, string Topic, QualityOfService Qos, int Kept, int Line)
{
    /// <summary>The index of the link.</summary>
    public int Link => Way / 2;
}
