using System.Diagnostics;
using System.Globalization;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.Comparison;
using MqttCheck.Pipeline.Stores;

namespace MqttCheck.Pipeline.Commands;

/// <summary>
/// Runs <c>mqttcheck-pipeline store-clients</c>. It measures how many messages a second a Redis server stores and
/// removes. One client waits for each answer, and one does not. The measurements alternate, so that both meet the same
/// machine.
/// </summary>
internal static class StoreClientsCommand
{
    private const int Pairs = 15;
    private const int Sessions = 100;
    private const int Pipelined = 256;

    // A publisher's message has 62 bytes in the article.
    private static readonly string s_topic = new('t', 62);

    /// <summary>Measures and prints.</summary>
    /// <param name="seconds">How long to measure in all, positive.</param>
    public static async Task<int> RunAsync(double seconds)
    {
        using var server = await RedisProcess.StartAsync(isDurable: false);
        if (server is null)
        {
            await Console.Error.WriteLineAsync("error: " + RedisProcess.HowToInstall);
            return 3;
        }
        await using var store = await RedisStore.ConnectAsync(server.Address, new StoreOptions());
        var slice = TimeSpan.FromSeconds(seconds / (Pairs * 3 + 3));
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Pairs} rounds of three slices of {slice.TotalSeconds:0.00} s each, about {seconds:0} s"
            )
        );
        int[] callers = [1, 12, Pipelined];
        var rates = callers.Select(_ => new List<double>()).ToArray();
        // The first round warms up and does not count.
        for (var round = -1; round < Pairs; round++)
        for (var i = 0; i < callers.Length; i++)
        {
            var perSecond = await PerSecondAsync(store, callers[i], slice);
            if (round >= 0)
                rates[i].Add(perSecond);
        }
        Print("one synchronous caller", rates[0], rates[2]);
        Print("12 synchronous callers, one for each partition", rates[1], rates[2]);
        Console.WriteLine("published: 40 000 synchronous, 60 000 asynchronous, ratio 1.50");
        return 0;
    }

    // Runs concurrent callers, each of which waits for its own answer. The client library sends waiting requests
    // together.
    private static async Task<double> PerSecondAsync(RedisStore store, int callers, TimeSpan slice)
    {
        var watch = Stopwatch.StartNew();
        var counts = await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => CallAsync(store, caller, slice)));
        return counts.Sum() / watch.Elapsed.TotalSeconds;
    }

    private static async Task<long> CallAsync(RedisStore store, int caller, TimeSpan slice)
    {
        var watch = Stopwatch.StartNew();
        long count = 0;
        while (watch.Elapsed < slice)
        {
            var client = (int)((caller + (count * Pipelined)) % Sessions);
            var stored = await store.AddAsync(client, [new PipelineMessage(count++, s_topic, 1)]);
            await store.RemoveAsync(client, stored[0].PacketId);
        }
        return count;
    }

    private static void Print(string name, List<double> synchronous, List<double> asynchronous)
    {
        var ratio = PairedMean.OfRatios([.. asynchronous.Zip(synchronous)], error: .05);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{name}: {synchronous.Average():0} messages a second, "
                    + $"{Pipelined} at a time: {asynchronous.Average():0}, "
                    + $"ratio {ratio.Value:0.00} "
                    + $"({ratio.Interval!.Lower:0.00} .. {ratio.Interval.Upper:0.00}, 95 %, approximate)"
            )
        );
    }
}
