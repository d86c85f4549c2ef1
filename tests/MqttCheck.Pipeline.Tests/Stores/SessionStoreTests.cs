using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

namespace MqttCheck.Pipeline.Tests.Stores;

/// <summary>Every store does what the model does, which known answers judge.</summary>
[TestFixture("own")]
[TestFixture("redis")]
[TestFixture("redis-cluster")]
[TestFixture("postgres")]
internal sealed class SessionStoreTests(string kind)
{
    private const long Lifetime = 3_600_000_000_000;

    private static readonly StoreOptions s_options = new() { Limit = 5, LifetimeNanoseconds = Lifetime };

    private IDisposable? _server;
    private ServedStore? _served;
    private ISessionStore _store = null!;
    private int _lastClient;

    [OneTimeSetUp]
    public async Task Start()
    {
        switch (kind)
        {
            case "redis":
                var redis = await Servers.RedisAsync(isDurable: false);
                _server = redis;
                _served = await ServedStore.RedisAsync(redis.Address, s_options, replicas: 0);
                break;
            case "redis-cluster":
                var cluster = await Servers.RedisClusterAsync();
                _server = cluster;
                _served = await ServedStore.RedisAsync(cluster.Addresses, s_options, replicas: 1);
                break;
            case "postgres":
                var postgres = await Servers.PostgresAsync();
                _server = postgres;
                _served = await ServedStore.PostgresAsync(postgres.ConnectionString, s_options);
                break;
        }
        _store = _served?.Store ?? new MemoryStore(s_options);
    }

    [OneTimeTearDown]
    public async Task End()
    {
        if (_store is not null)
            await _store.DisposeAsync();
        _server?.Dispose();
    }

    [Test]
    public async Task Identifiers_start_again_and_the_oldest_go_first()
    {
        var client = ++_lastClient;
        var first = await _store.AddAsync(client, Messages(0, 2));
        Assert.That(
            first.Select(stored => (stored.PacketId, stored.Score)),
            Is.EqualTo(new[] { ((ushort)1, 1L), ((ushort)2, 2L) })
        );
        await _store.AddAsync(client, Messages(2, 4));
        Assert.That(
            (await _store.GetAsync(client)).Messages.Select(stored => stored.Message.Id),
            Is.EqualTo(new[] { 1L, 2, 3, 4, 5 })
        );
        Assert.That(await _store.RemoveAsync(client, 3), Is.True);
        Assert.That(await _store.RemoveAsync(client, 3), Is.False);
        Assert.That(
            (await _store.GetAsync(client)).Messages.Select(stored => stored.Message.Id),
            Is.EqualTo(new[] { 1L, 3, 4, 5 })
        );
    }

    [TestCase(200)]
    [TestCase(10_000, Category = "Whole")]
    public void Server_and_model_agree_on_random_operations(int sequences) =>
        Check.One(Settings(sequences), Law(PipelineMutant.None));

    // The model is broken in one rule, so that a sequence that tells it from the servers would find that rule broken
    // in their scripts.
    [TestCase(PipelineMutant.ScoreIsPacketId)]
    [TestCase(PipelineMutant.IdFromScore)]
    [TestCase(PipelineMutant.StoreAgain)]
    public void A_broken_rule_is_told_from_what_the_server_does(PipelineMutant mutant) =>
        Assert.That(
            () => Check.One(Settings(200), Law(mutant)),
            _served is null ? Throws.Nothing : Throws.Exception.With.Message.Contains("the server says")
        );

    private Config Settings(int sequences) =>
        Config.QuickThrowOnFailure.WithMaxTest(sequences).WithReplay(31, 37).WithEndSize(40);

    private Property Law(PipelineMutant mutant) =>
        Prop.ForAll(
            Sequences().ToArbitrary(),
            sequence =>
            {
                var difference = _served is null
                    ? null
                    : Difference(_served, mutant, sequence).GetAwaiter().GetResult();
                return (difference is null).Label(difference ?? "");
            }
        );

    // All calls of a sequence are sent together; the server keeps their order.
    private async Task<string?> Difference(ServedStore served, PipelineMutant mutant, Sequence sequence)
    {
        var (store, client) = (served.Store, ++_lastClient);
        var model = new SessionStoreModel(s_options, mutant);
        var (now, messages) = (0L, 0L);
        model.SetLast(client, sequence.Last);
        var unanswered = new List<Task> { served.SetLast(client, sequence.Last) };
        var answers = new List<(string Expected, Task<string> Actual)>();
        foreach (var operation in sequence.Operations)
        {
            var packetId = (ushort)((sequence.Last + operation.Number) % 65_536);
            switch (operation.Kind)
            {
                case OperationKind.Add:
                    var added = Messages(messages, operation.Number);
                    messages += operation.Number;
                    answers.Add((Text(model.Add(client, added, now)), Text(store.AddAsync(client, added))));
                    break;
                case OperationKind.Read:
                    // Two partitions whose messages come in order, and sometimes again.
                    var read = FromLog(operation.Number);
                    answers.Add((Text(model.Add(client, read, now)), Text(store.AddAsync(client, read))));
                    break;
                case OperationKind.Receive:
                    model.Receive(client, packetId);
                    unanswered.Add(served.Receive(client, packetId));
                    break;
                case OperationKind.Remove:
                    answers.Add(($"{model.Remove(client, packetId)}", Text(store.RemoveAsync(client, packetId))));
                    break;
                case OperationKind.Get:
                    answers.Add((Text(model.Read(client, now)), Text(store.GetAsync(client))));
                    break;
                case OperationKind.Expire:
                    now += Lifetime;
                    unanswered.Add(served.Expire(client));
                    break;
            }
        }
        await Task.WhenAll(unanswered);
        foreach (var (expected, actual) in answers)
        {
            if (await actual != expected)
                return $"expected {expected}, the server says {await actual}";
        }
        return null;
    }

    private static async Task<string> Text(Task<IReadOnlyList<StoredMessage>> stored) => Text(await stored);

    private static async Task<string> Text(Task<StoredSession> session) => Text(await session);

    private static async Task<string> Text(Task<bool> removed) => $"{await removed}";

    private static string Text(IReadOnlyList<StoredMessage> stored) => string.Join("; ", stored);

    private static string Text(StoredSession session) =>
        $"{Text(session.Messages)}, offsets {string.Join("; ", session.Last.OrderBy(part => part.Key))}";

    private static Gen<Sequence> Sequences()
    {
        var operation = Gen.Frequency(
            (4, Gen.Choose(1, 4).Select(count => new Operation(OperationKind.Add, count))),
            (4, Gen.Choose(1, 12).Select(place => new Operation(OperationKind.Remove, place))),
            (2, Gen.Choose(1, 12).Select(place => new Operation(OperationKind.Receive, place))),
            (3, Gen.Constant(new Operation(OperationKind.Get, 0))),
            (3, Gen.Choose(0, 11).Select(place => new Operation(OperationKind.Read, place))),
            (1, Gen.Constant(new Operation(OperationKind.Expire, 0)))
        );
        return from last in Gen.Frequency((1, Gen.Choose(0, 4)), (2, Gen.Choose(65_525, 65_535)))
            from operations in operation.NonEmptyListOf()
            select new Sequence((ushort)last, [.. operations]);
    }

    private static PipelineMessage[] Messages(long first, int count) =>
        [.. Enumerable.Range(0, count).Select(i => new PipelineMessage(first + i, "t/1", 1))];

    // Two messages behind each other in one of two partitions. Offsets of a new log begin above the numbers that
    // doubles tell apart.
    private static PipelineMessage[] FromLog(int place) =>
        [
            .. Enumerable
                .Range(place / 2, 2)
                .Select(offset => new PipelineMessage(1000 + offset, "t/2", 2)
                {
                    Place = new LogPlace(place % 2, (1L << 60) + offset),
                }),
        ];

    private enum OperationKind
    {
        Add,
        Read,
        Remove,
        Receive,
        Get,
        Expire,
    }

    private sealed record Operation(OperationKind Kind, int Number);

    private sealed record Sequence(ushort Last, Operation[] Operations)
    {
        public override string ToString() => $"last {Last}: {string.Join(", ", (object[])Operations)}";
    }
}
