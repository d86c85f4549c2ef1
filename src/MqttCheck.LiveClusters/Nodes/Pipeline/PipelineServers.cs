using System.Diagnostics;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.ClusterProtocols.Pipeline.Simulating;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

namespace MqttCheck.LiveClusters.Nodes.Pipeline;

/// <summary>Serves the nodes of a pipeline, each by its role.</summary>
internal static class PipelineServers
{
    private const string FileName = "entries";

    /// <summary>Serves a node.</summary>
    /// <param name="options">Which, and where.</param>
    /// <param name="servers">
    /// Clients of logs and stores that are no nodes of MqttCheck's own; null where there are none.
    /// </param>
    /// <exception cref="BrokerException">Its address cannot be served, or its file cannot be used.</exception>
    public static ServedNode Start(NodeOptions options, IPipelineServers? servers = null)
    {
        var (node, topology) = (options.Topology.Nodes[options.Node], options.Topology);
        var file = Path.Combine(options.Directory, FileName);
        try
        {
            return node.Kind switch
            {
                NodeKind.Log => new LogNode(file, options.Address),
                NodeKind.Store => new StoreNode(file, PipelinePlans.StoreOf(topology), options.Address),
                NodeKind.Broker => new PipelineBrokerServer(options, servers),
                _ => throw new UnreachableException(),
            };
        }
        catch (Exception failure)
            when (failure is WireException or SocketException or IOException or UnauthorizedAccessException)
        {
            throw new BrokerException($"Node {node.Name} does not start. {failure.Message}", failure);
        }
    }
}
