using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

namespace MqttCheck.LiveClusters.Nodes.Pipeline;

/// <summary>Clients of logs and stores that are no nodes of MqttCheck's own.</summary>
internal interface IPipelineServers
{
    /// <summary>A client of the topology's log.</summary>
    IMessageLog Log(NodeOptions options);

    /// <summary>A client of the topology's store.</summary>
    IPipelineStore Store(NodeOptions options);
}
