using MqttCheck.ClusterProtocols.Pipeline.Simulating;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.LiveClusters.Nodes;
using MqttCheck.LiveClusters.Nodes.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using MqttCheck.Pipeline.Logs;
using MqttCheck.Pipeline.Stores;

namespace MqttCheck.Pipeline.Hosting;

/// <summary>Clients of Kafka and of Redis for the brokers of one cluster.</summary>
/// <param name="run">The cluster's name among others on the same servers.</param>
internal sealed class RemoteServers(string run) : IPipelineServers
{
    private readonly string _prefix = $"mqttcheck-{run}";

    /// <inheritdoc/>
    public IMessageLog Log(NodeOptions options)
    {
        var (topology, settings) = (options.Topology, options.Topology.Pipeline);
        var servers = AddressOf(settings.Log!);
        KafkaTopics.CreateAsync(servers, _prefix, settings.Partitions, topology.Brokers.Count).GetAwaiter().GetResult();
        return new KafkaLog(servers, _prefix, settings.LingerMilliseconds);
    }

    /// <inheritdoc/>
    public IPipelineStore Store(NodeOptions options)
    {
        var (topology, settings) = (options.Topology, options.Topology.Pipeline);
        var addresses = settings.HasRedisCluster
            ? string.Join(',', PipelineNodes.StoresOf(topology).Select(store => options.Peers[store]))
            : AddressOf(settings.Store!);
        var redis = new RedisSettings
        {
            Prefix = _prefix,
            Replicas = settings.HasRedisCluster && settings.WaitsForReplicas ? settings.StoreReplicas : 0,
            Patience = PipelineBrokerServer.StorePatience,
            NeedsSession = true,
        };
        var store = RedisStore.ConnectAsync(addresses, PipelinePlans.StoreOf(topology), redis).GetAwaiter().GetResult();
        return new RedisPipelineStore(store, _prefix);
    }

    private static string AddressOf(string uri)
    {
        var address = new Uri(uri);
        return FormattableString.Invariant($"{address.Host}:{address.Port}");
    }
}
