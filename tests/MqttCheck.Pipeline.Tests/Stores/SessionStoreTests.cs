using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using MqttCheck.Pipeline.Stores;

namespace MqttCheck.Pipeline.Tests.Stores;

/// <summary>The scripts on a Redis server do what the model does, which known answers judge.</summary>
[TestFixture]
internal sealed class SessionStoreTests
{
    private const long Lifetime = 3_600_000_000_000;

    private RedisProcess _server = null!;
    private int _lastClient;

    [OneTimeSetUp]
    public async Task Start() => _server = await Servers.RedisAsync(isDurable: false);

    [OneTimeTearDown]
    public void End() => _server?.Dispose();

    [TestCase("own")]
    [TestCase("redis")]
    public async Task Identifiers_start_again_and_the_oldest_go_first(string kind)
    {
        var options = new StoreOptions { Limit = 3 };
        await using var redis = await RedisStore.ConnectAsync(_server.Address, options);
        await using ISessionStore store = kind == "redis" ? redis : new MemoryStore(options);
        var client = ++_lastClient;
        var first = await store.AddAsync(client, Messages(0, 2));
        Assert.That(
            first.Select(stored => (stored.PacketId, stored.Score)),
            Is.EqualTo(new[] { ((ushort)1, 1L), ((ushort)2, 2L) })
        );
        await store.AddAsync(client, Messages(2, 2));
        Assert.That(
            (await store.GetAsync(client)).Messages.Select(stored => stored.Message.Id),
            Is.EqualTo(new[] { 1L, 2, 3 })
        );
        Assert.That(await store.RemoveAsync(client, 3), Is.True);
        Assert.That(await store.RemoveAsync(client, 3), Is.False);
        Assert.That(
            (await store.GetAsync(client)).Messages.Select(stored => stored.Message.Id),
            Is.EqualTo(new[] { 1L, 3 })
        );
    }

    [TestCase(500)]
    [TestCase(10_000, Category = "Whole")]
    public async Task Scripts_and_model_agree_on_random_operations(int sequences)
    {
        var options = new StoreOptions { Limit = 5, LifetimeNanoseconds = Lifetime };
        await using var redis = await RedisStore.ConnectAsync(_server.Address, options);
        var law = Prop.ForAll(
            Sequences().ToArbitrary(),
            sequence =>
            {
                var difference = Difference(redis, options, sequence).GetAwaiter().GetResult();
                return (difference is null).Label(difference ?? "");
            }
        );
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(sequences).WithReplay(31, 37), law);
    }

    // All calls of a sequence are sent together; the server keeps their order.
    private async Task<string?> Difference(RedisStore redis, StoreOptions options, Sequence sequence)
    {
        var client = ++_lastClient;
        var model = new SessionStoreModel(options);
        var (now, messages) = (0L, 0L);
        model.SetLast(client, sequence.Last);
        var unanswered = new List<Task> { redis.SetLastAsync(client, sequence.Last) };
        var answers = new List<(string Expected, Task<string> Actual)>();
        foreach (var operation in sequence.Operations)
        {
            switch (operation.Kind)
            {
                case OperationKind.Add:
                    var added = Messages(messages, operation.Number);
                    messages += operation.Number;
                    answers.Add((Text(model.Add(client, added, now)), Text(redis.AddAsync(client, added))));
                    break;
                case OperationKind.Read:
                    // Two partitions whose messages come in order, and sometimes again.
                    var read = FromLog(operation.Number);
                    answers.Add((Text(model.Add(client, read, now)), Text(redis.AddAsync(client, read))));
                    break;
                case OperationKind.Remove:
                    var packetId = (ushort)((sequence.Last + operation.Number) % 65_536);
                    answers.Add(($"{model.Remove(client, packetId)}", Text(redis.RemoveAsync(client, packetId))));
                    break;
                case OperationKind.Get:
                    answers.Add((Text(model.Read(client, now)), Text(redis.GetAsync(client))));
                    break;
                case OperationKind.Expire:
                    now += Lifetime;
                    unanswered.Add(redis.ExpireAsync(client));
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
        Get,
        Expire,
    }

    private sealed record Operation(OperationKind Kind, int Number);

    private sealed record Sequence(ushort Last, Operation[] Operations)
    {
        public override string ToString() => $"last {Last}: {string.Join(", ", (object[])Operations)}";
    }
}
