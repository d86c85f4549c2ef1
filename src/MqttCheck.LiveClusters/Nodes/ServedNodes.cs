using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Nodes.Pipeline;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>Serves nodes of MqttCheck's own, whatever their system.</summary>
internal static class ServedNodes
{
    /// <summary>Serves a node.</summary>
    /// <param name="options">Which, and where.</param>
    /// <exception cref="BrokerException">The address cannot be served, or a file cannot be used.</exception>
    /// <exception cref="InputException">There is no protocol for the cluster's system.</exception>
    public static ServedNode Start(NodeOptions options) =>
        options.Topology.System == ClusterSystem.Pipeline
            ? PipelineServers.Start(options)
            : ClusterNodeServer.Start(options);
}
