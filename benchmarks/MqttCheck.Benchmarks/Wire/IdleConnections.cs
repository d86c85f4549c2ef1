using System.Diagnostics;
using System.Globalization;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>
/// Memory of the embedded broker with many connected clients that have one subscription each and are idle; 10 000 have
/// to fit into 300 MiB.
/// Usage: <c>dotnet run -c Release --project benchmarks/MqttCheck.Benchmarks -- idle [--tls] [CONNECTIONS]</c>.
/// </summary>
internal static class IdleConnections
{
    private const long MaximumBytes = 300L << 20;

    public static async Task<int> RunAsync(string[] args)
    {
        var tls = args.Contains("--tls");
        var count = args.Where(word => word != "--tls")
            .Select(word => int.Parse(word, CultureInfo.InvariantCulture))
            .FirstOrDefault(10_000);
        await using var broker = await ServedBroker.StartEmbeddedAsync(tls);
        var before = ProcessUsage.Read(broker.ProcessId)!.Value.ResidentBytes;
        using var wire = WireFactory.Create(new WireOptions());
        var (next, ready, all) = (0, 0, new TaskCompletionSource());
        var start = Stopwatch.GetTimestamp();
        for (var i = 0; i < 100; i++)
            ConnectNext();
        var running = Task.Factory.StartNew(
            wire.Run,
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        await Task.WhenAny(all.Task, running);
        if (running.IsFaulted)
            await running;
        var elapsed = Stopwatch.GetElapsedTime(start);
        // The broker's collector has had no reason to run; what counts is what the system sees.
        await Task.Delay(TimeSpan.FromSeconds(1));
        var after = ProcessUsage.Read(broker.ProcessId)!.Value.ResidentBytes;
        wire.Stop();
        await running;
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{count} idle connections{(tls ? " over TLS" : "")}: {after / 1048576.0:0} MiB resident, "
                    + $"{before / 1048576.0:0} MiB without any, {(after - before) / (double)count:0} "
                    + $"bytes each, connected in {elapsed.TotalSeconds:0.0} s"
            )
        );
        return after < MaximumBytes ? 0 : 1;

        void Next()
        {
            if (++ready == count)
                all.TrySetResult();
            ConnectNext();
        }

        void ConnectNext()
        {
            if (next < count)
                wire.Connect(broker.Endpoint, new IdleClient(next++, Next));
        }
    }
}
