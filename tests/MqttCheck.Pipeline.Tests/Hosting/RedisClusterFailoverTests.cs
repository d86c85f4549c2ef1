using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.Pipeline.Hosting;
using MqttCheck.Pipeline.Stores;

namespace MqttCheck.Pipeline.Tests.Hosting;

/// <summary>A primary of a Redis Cluster is killed while pairs exchange messages.</summary>
[TestFixture]
[Platform("Linux")]
internal sealed class RedisClusterFailoverTests : DirectoryFixture
{
    private const int Brokers = 3;
    private const int Pairs = 1000;
    private const int MessagesOfPair = 4;

    private readonly ConcurrentDictionary<long, bool> _delivered = [];
    private readonly ConcurrentDictionary<long, bool> _acknowledged = [];

    [SetUp]
    public void Clear()
    {
        _delivered.Clear();
        _acknowledged.Clear();
    }

    // Every other subscriber is away, so that its messages are in the store only.
    [Test, CancelAfter(90_000)]
    public async Task Every_acknowledged_message_of_a_thousand_pairs_arrives(CancellationToken cancellation)
    {
        using var redis = await Servers.RedisClusterAsync();
        await using var pipeline = await StartAsync(redis, replicas: 1);
        for (var pair = 0; pair < Pairs; pair++)
            pipeline.Subscribe(pair);
        for (var pair = 1; pair < Pairs; pair += 2)
            pipeline.Host.Disconnect(Pairs + pair);
        for (var message = 0; message < Pairs * MessagesOfPair; message++)
        {
            if (message == Pairs * MessagesOfPair / 2)
            {
                await UntilAsync(() => _delivered.Count > Pairs / 2, cancellation);
                redis.Servers[0].Kill();
            }
            pipeline.Publish(message);
        }
        await UntilAsync(() => _acknowledged.Count == Pairs * MessagesOfPair, cancellation);
        await ReturnAsync(redis, cancellation);
        for (var pair = 1; pair < Pairs; pair += 2)
            pipeline.Subscribe(pair);
        await UntilAsync(() => _acknowledged.Keys.All(_delivered.ContainsKey), cancellation);
    }

    // A primary answers before its replica has a change. If it dies then, the change is lost, unless somebody waited.
    // The messages are so large that they do not fit between the two, where the system keeps them for the replica.
    [TestCase(1)]
    [TestCase(0, Explicit = true)]
    [CancelAfter(90_000)]
    public async Task A_replica_that_lags_behind_loses_messages_only_where_nobody_waits_for_it(
        int replicas,
        CancellationToken cancellation
    )
    {
        using var redis = await Servers.RedisClusterAsync();
        await using var pipeline = await StartAsync(redis, replicas);
        for (var pair = 0; pair < Pairs; pair++)
        {
            pipeline.Subscribe(pair);
            pipeline.Host.Disconnect(Pairs + pair);
        }
        var replica = redis.Servers[3].Id;
        await SignalAsync(replica, "STOP");
        for (var message = 0; message < Pairs; message++)
            pipeline.Publish(message, new byte[64 * 1024]);
        await UntilAsync(() => _acknowledged.Count == Pairs, cancellation);
        // Shorter than the time after which the replica would be taken for dead.
        await Task.Delay(TimeSpan.FromSeconds(1), cancellation);
        // The primaries have all of them by then. Where somebody waits for the replica, an answer would take as long.
        for (var pair = 0; replicas == 0 && pair < Pairs; pair++)
            while ((await pipeline.Store.GetAsync(Pairs + pair)).Messages.Count == 0)
                await Task.Delay(20, cancellation);
        redis.Servers[0].Kill();
        await SignalAsync(replica, "CONT");
        await ReturnAsync(redis, cancellation);
        for (var pair = 0; pair < Pairs; pair++)
            pipeline.Subscribe(pair);
        if (replicas > 0)
            await UntilAsync(() => _delivered.Count == Pairs, cancellation);
        else
        {
            await UntilAsync(() => _delivered.Count >= Pairs / 2, cancellation);
            await Task.Delay(TimeSpan.FromSeconds(3), cancellation);
            Assert.That(_delivered, Has.Count.LessThan(Pairs));
        }
    }

    // The replica has taken over by then, and the old primary comes back as its replica.
    private static async Task ReturnAsync(RedisCluster redis, CancellationToken cancellation)
    {
        await Task.Delay(TimeSpan.FromSeconds(6), cancellation);
        await redis.Servers[0].RestartAsync();
    }

    private static async Task SignalAsync(int process, string name)
    {
        using var kill = Process.Start("kill", [$"-{name}", process.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
    }

    private async Task<RunningPipeline> StartAsync(RedisCluster redis, int replicas)
    {
        var node = new LogNode(In("log"), new IPEndPoint(IPAddress.Loopback, 0));
        var log = new LogNodeClient(node.Address, producer: 1);
        var settings = new RedisSettings { Replicas = replicas, Patience = TimeSpan.FromSeconds(20) };
        var store = await RedisStore.ConnectAsync(redis.Addresses, new StoreOptions(), settings);
        var host = new PipelineHost(
            Brokers,
            new PipelineOptions(),
            log,
            store,
            (_, stored) => _delivered.TryAdd(stored.Message.Id, true),
            (_, message) => _acknowledged.TryAdd(message, true)
        );
        return new RunningPipeline(host, store, log, node);
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

    private sealed record RunningPipeline(PipelineHost Host, RedisStore Store, LogNodeClient Log, LogNode Node)
        : IAsyncDisposable
    {
        public void Subscribe(int pair) =>
            Host.Subscribe(Pairs + pair, (pair + 1) % Brokers, $"t/{pair}", isPersistent: true, qos: 1);

        public void Publish(int message, byte[]? payload = null)
        {
            var pair = message % Pairs;
            var published = new PipelineMessage(message, $"t/{pair}", 1) { Payload = payload };
            Host.Publish(pair, pair % Brokers, published);
        }

        public async ValueTask DisposeAsync()
        {
            await Host.DisposeAsync();
            await Store.DisposeAsync();
            await Log.DisposeAsync();
            await Node.DisposeAsync();
        }
    }
}
