using System.Collections.Concurrent;
using System.Net;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.Pipeline.Hosting;
using MqttCheck.Pipeline.Stores;

namespace MqttCheck.Pipeline.Tests.Hosting;

/// <summary>A primary of a Redis Cluster is killed while pairs exchange messages.</summary>
[TestFixture]
internal sealed class RedisClusterFailoverTests : DirectoryFixture
{
    private const int Brokers = 3;
    private const int Pairs = 1000;
    private const int MessagesOfPair = 4;

    private readonly ConcurrentDictionary<long, int> _delivered = [];
    private readonly ConcurrentDictionary<long, bool> _acknowledged = [];

    [Test, CancelAfter(90_000)]
    public async Task Every_acknowledged_message_of_a_thousand_pairs_arrives(CancellationToken cancellation)
    {
        using var redis = await Servers.RedisClusterAsync();
        await using var node = new LogNode(In("log"), new IPEndPoint(IPAddress.Loopback, 0));
        await using var log = new LogNodeClient(node.Address, producer: 1);
        var settings = new RedisSettings { Replicas = 1, Patience = TimeSpan.FromSeconds(20) };
        await using var store = await RedisStore.ConnectAsync(redis.Addresses, new StoreOptions(), settings);
        await using var host = new PipelineHost(
            Brokers,
            new PipelineOptions(),
            log,
            store,
            (_, stored) => _delivered.AddOrUpdate(stored.Message.Id, 1, (_, count) => count + 1),
            (_, message) => _acknowledged.TryAdd(message, true)
        );
        for (var pair = 0; pair < Pairs; pair++)
            host.Subscribe(Pairs + pair, (pair + 1) % Brokers, $"t/{pair}", isPersistent: true, qos: 1);
        for (var message = 0; message < Pairs * MessagesOfPair; message++)
        {
            if (message == Pairs * MessagesOfPair / 2)
            {
                await UntilAsync(() => _delivered.Count > Pairs, cancellation);
                redis.Servers[0].Kill();
            }
            var pair = message % Pairs;
            host.Publish(pair, pair % Brokers, new PipelineMessage(message, $"t/{pair}", 1));
        }
        await UntilAsync(() => _acknowledged.Count == Pairs * MessagesOfPair, cancellation);
        // Its replica has taken over by now, and waits for a replica in turn.
        await Task.Delay(TimeSpan.FromSeconds(4), cancellation);
        await redis.Servers[0].RestartAsync();
        await UntilAsync(() => _acknowledged.Keys.All(_delivered.ContainsKey), cancellation);
    }

    private async Task UntilAsync(Func<bool> condition, CancellationToken cancellation)
    {
        while (!condition())
        {
            if (cancellation.IsCancellationRequested)
                Assert.Fail(
                    $"{_acknowledged.Count} messages were acknowledged, "
                        + $"{_acknowledged.Keys.Count(message => !_delivered.ContainsKey(message))} did not arrive"
                );
            await Task.Delay(20, CancellationToken.None);
        }
    }
}
