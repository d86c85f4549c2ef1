using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Recipes;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>
/// A NATS cluster with JetStream. Each server has a route to every server that a link joins it with. It does not
/// advertise its own address, so that all routes pass relays.
/// </summary>
/// <param name="single">The server without a cluster.</param>
internal sealed class NatsClusterRecipe(NatsRecipe single) : IClusterRecipe
{
    /// <inheritdoc/>
    public bool HasPeerPorts => true;

    /// <inheritdoc/>
    public bool StartsInOrder => false;

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation) =>
        single.DescribeAsync(cancellation);

    /// <inheritdoc/>
    public BrokerCommand Prepare(ClusterNodePlan plan)
    {
        var routes = string.Join(", ", plan.Peers.Values.Select(peer => $"nats-route://{peer}"));
        var replicas = plan.Topology.StreamReplicas is { } copies
            ? string.Create(CultureInfo.InvariantCulture, $", stream_replicas: {copies}")
            : "";
        var configuration = string.Create(
            CultureInfo.InvariantCulture,
            $$"""
            server_name: {{plan.Node.Name}}
            host: 127.0.0.1
            port: -1
            {{NatsRecipe.JetStream(plan.Directory, single.Settings)}}
            mqtt { host: 127.0.0.1, port: {{plan.Port}}{{replicas}} }
            cluster {
              name: {{plan.Topology.Name}}
              host: 127.0.0.1
              port: {{plan.PeerPort}}
              no_advertise: true
              routes: [ {{routes}} ]
            }

            """
        );
        return NatsRecipe.CommandFor(plan.Write("nats.conf", configuration));
    }
}
