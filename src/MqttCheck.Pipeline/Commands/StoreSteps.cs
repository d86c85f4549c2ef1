using System.Diagnostics;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using MqttCheck.Pipeline.Stores;
using MqttCheck.Pipeline.Stores.Postgres;
using MqttCheck.Statistics;

namespace MqttCheck.Pipeline.Commands;

/// <summary>
/// How many messages a second three stores take and give up: PostgreSQL, Redis whose clients wait for each answer, and
/// Redis whose clients do not. They are measured in turn, so that all meet the same machine.
/// </summary>
/// <param name="settings">What is measured.</param>
internal sealed class StoreSteps(StoreStepsSettings settings)
{
    /// <summary>How often each store has its turn.</summary>
    public const int Turns = 8;

    /// <summary>The names of the stores, in the order of the article.</summary>
    public static readonly string[] Names = ["PostgreSQL", "Redis, synchronous client", "Redis, asynchronous client"];

    private const int Writers = 4;

    // One for each partition of the log in the article's smallest set-up.
    private const int SynchronousCallers = 12;

    // A publisher's message has 62 bytes in the article.
    private static readonly string s_topic = new('t', 62);

    private long _messages;

    /// <summary>Measures all turns.</summary>
    /// <param name="postgres">The connection to PostgreSQL.</param>
    /// <param name="redis">The address of Redis.</param>
    /// <returns>Messages a second, by store and turn.</returns>
    public async Task<double[][]> MeasureAsync(string postgres, string redis)
    {
        await using var tables = await PostgresStore.ConnectAsync(
            postgres,
            new StoreOptions(),
            settings.Batch,
            Writers
        );
        await using var scripts = await RedisStore.ConnectAsync(redis, new StoreOptions());
        (ISessionStore Store, int Callers)[] stores =
        [
            (tables, Writers * settings.Batch),
            (scripts, SynchronousCallers),
            (scripts, settings.Batch),
        ];
        var rates = stores.Select(_ => new double[Turns]).ToArray();
        var slice = TimeSpan.FromSeconds(settings.Seconds / ((Turns + 1.0) * stores.Length));
        // The first turn warms up and does not count.
        for (var turn = -1; turn < Turns; turn++)
        for (var place = 0; place < stores.Length; place++)
        {
            // Each store is first as often as it is last.
            var i = (place + Math.Max(0, turn)) % stores.Length;
            var rate = await PerSecondAsync(stores[i].Store, stores[i].Callers, slice);
            if (turn >= 0)
                rates[i][turn] = rate;
        }
        return rates;
    }

    /// <summary>
    /// The median of some turns, and the least and the greatest value. They hold the true median with a probability of
    /// 1 - 2 / 2^n for n independent turns, whatever the law: .992 for eight.
    /// </summary>
    public static (double Median, Interval Interval) MedianOf(IReadOnlyList<double> values)
    {
        double[] sorted = [.. values.Order()];
        var half = sorted.Length / 2;
        var median = sorted.Length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        return (median, new Interval(sorted[0], sorted[^1]));
    }

    private async Task<double> PerSecondAsync(ISessionStore store, int callers, TimeSpan slice)
    {
        var watch = Stopwatch.StartNew();
        var counts = await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => CallAsync(store, caller, slice)));
        return counts.Sum() / watch.Elapsed.TotalSeconds;
    }

    // A caller has a session of its own, and waits for each of its answers.
    private async Task<long> CallAsync(ISessionStore store, int caller, TimeSpan slice)
    {
        var watch = Stopwatch.StartNew();
        long count = 0;
        for (; watch.Elapsed < slice; count++)
        {
            var message = new PipelineMessage(Interlocked.Increment(ref _messages), s_topic, 1);
            var stored = await store.AddAsync(caller, [message]);
            await store.RemoveAsync(caller, stored[0].PacketId);
        }
        return count;
    }
}
