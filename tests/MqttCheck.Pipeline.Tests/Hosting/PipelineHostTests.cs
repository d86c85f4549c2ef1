using System.Collections.Concurrent;
using System.Net;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using MqttCheck.Pipeline.Hosting;
using MqttCheck.Pipeline.Logs;
using MqttCheck.Pipeline.Stores;

namespace MqttCheck.Pipeline.Tests.Hosting;

/// <summary>Messages through real servers, one of which is killed while they are under way.</summary>
[TestFixture]
internal sealed class PipelineHostTests
{
    private const int Brokers = 3;
    private const int Pairs = 6;

    private static readonly PipelineOptions s_options = new()
    {
        Partitions = KafkaMock.Partitions,
        RetryNanoseconds = 500_000_000,
    };

    private readonly ConcurrentDictionary<(int Client, long Message), int> _delivered = [];
    private readonly ConcurrentDictionary<long, bool> _acknowledged = [];

    [SetUp]
    public void Clear()
    {
        _delivered.Clear();
        _acknowledged.Clear();
    }

    [Test, CancelAfter(60_000)]
    public async Task Every_message_passes_kafkas_protocol_and_redis_once(CancellationToken cancellation)
    {
        using var redis = await Servers.RedisAsync(isDurable: false);
        using var kafka = new KafkaMock();
        await using var log = new KafkaLog(kafka.BootstrapServers, "p2p");
        await using var store = await RedisStore.ConnectAsync(redis.Address, new StoreOptions());
        await using var host = Host(log, store);
        await PublishAsync(host, 300, () => true, () => { }, () => Task.CompletedTask, cancellation);
        Assert.That(_acknowledged, Has.Count.EqualTo(300));
        Assert.That(_delivered.Values, Has.All.EqualTo(1));
        for (var client = 0; client < Pairs; client++)
            Assert.That((await store.GetAsync(Pairs + client)).Messages, Is.Empty);
    }

    [Test, CancelAfter(60_000)]
    public async Task Redis_may_be_killed_and_started_again(CancellationToken cancellation)
    {
        using var redis = await Servers.RedisAsync(isDurable: true);
        await using var node = new LogProcessAndClient();
        await using var store = await RedisStore.ConnectAsync(redis.Address, new StoreOptions());
        await using var host = Host(node.Client, store);
        // The last client is not there, so its messages are in the store only.
        host.Disconnect((2 * Pairs) - 1);
        await PublishAsync(
            host,
            300,
            // The messages for the absent client were stored with what the others have got.
            () => HaveArrived(150, Pairs - 1),
            redis.Kill,
            redis.RestartAsync,
            cancellation,
            absent: Pairs - 1
        );
        host.Subscribe((2 * Pairs) - 1, 0, $"t/{Pairs - 1}", isPersistent: true, qos: 1);
        await ArriveAsync(cancellation);
    }

    [Test, CancelAfter(60_000)]
    public async Task The_log_may_be_killed_and_started_again(CancellationToken cancellation)
    {
        await using var node = new LogProcessAndClient();
        await using var store = new MemoryStore(new StoreOptions());
        await using var host = Host(node.Client, store);
        await PublishAsync(
            host,
            300,
            // Most of it is in the log only.
            () => _acknowledged.Count > 100,
            node.Process.Kill,
            () => Task.Run(node.Process.Restart),
            cancellation
        );
        Assert.That(_acknowledged, Has.Count.EqualTo(300));
    }

    private PipelineHost Host(IMessageLog log, ISessionStore store)
    {
        var host = new PipelineHost(
            Brokers,
            s_options,
            log,
            store,
            (client, stored) => _delivered.AddOrUpdate((client, stored.Message.Id), 1, (_, count) => count + 1),
            (_, message) => _acknowledged.TryAdd(message, true)
        );
        for (var pair = 0; pair < Pairs; pair++)
            host.Subscribe(Pairs + pair, (pair + 1) % Brokers, $"t/{pair}", isPersistent: true, qos: 1);
        return host;
    }

    // The server is killed at a time after the first half, and is away while others are published.
    private async Task PublishAsync(
        PipelineHost host,
        int count,
        Func<bool> isTime,
        Action kill,
        Func<Task> restart,
        CancellationToken cancellation,
        int absent = -1
    )
    {
        for (var message = 0; message < count; message++)
        {
            var pair = message % Pairs;
            host.Publish(pair, pair % Brokers, new PipelineMessage(message, $"t/{pair}", 1));
            if (message == count / 2)
            {
                await UntilAsync(isTime, cancellation);
                kill();
            }
            if (message == count * 3 / 4)
                await restart();
        }
        await UntilAsync(() => _acknowledged.Count == count, cancellation);
        await UntilAsync(() => HaveArrived(count, absent), cancellation);
    }

    private bool HaveArrived(int count, int absent) =>
        Enumerable.Range(0, count).All(message => message % Pairs == absent || HasArrived(message));

    private Task ArriveAsync(CancellationToken cancellation) =>
        UntilAsync(() => _acknowledged.Keys.All(message => HasArrived(message)), cancellation);

    private bool HasArrived(long message) => _delivered.ContainsKey(((int)(Pairs + (message % Pairs)), message));

    private async Task UntilAsync(Func<bool> condition, CancellationToken cancellation)
    {
        while (!condition())
        {
            if (cancellation.IsCancellationRequested)
            {
                var lost = _acknowledged.Keys.Where(message => !HasArrived(message)).Order();
                Assert.Fail(
                    $"{_acknowledged.Count} messages were acknowledged, of which these did not arrive: "
                        + string.Join(", ", lost)
                );
            }
            await Task.Delay(10, CancellationToken.None);
        }
    }

    private sealed class LogProcessAndClient : IAsyncDisposable
    {
        public LogProcessAndClient() =>
            Client = new LogNodeClient(new IPEndPoint(IPAddress.Loopback, Process.Port), producer: 1);

        public LogProcess Process { get; } = new();

        public LogNodeClient Client { get; }

        public async ValueTask DisposeAsync()
        {
            await Client.DisposeAsync();
            Process.Dispose();
        }
    }
}
