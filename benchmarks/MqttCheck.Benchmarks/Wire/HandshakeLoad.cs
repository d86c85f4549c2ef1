using System.Diagnostics;
using System.Globalization;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>
/// How long many TLS clients take to connect, and what that does to the exchanges of a client that is connected
/// already: on the broker's side (a probe on a wire of its own) and on the clients' side too (a probe on the wire that
/// connects).
/// Usage: <c>dotnet run -c Release --project benchmarks/MqttCheck.Benchmarks -- handshakes [CLIENTS]</c>.
/// </summary>
internal static class HandshakeLoad
{
    private const int AtOnce = 100;
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);

    public static async Task<int> RunAsync(string[] args)
    {
        var count = args.Select(word => int.Parse(word, CultureInfo.InvariantCulture)).FirstOrDefault(500);
        await using var broker = await ServedBroker.StartEmbeddedAsync(tls: true);
        using var quietWire = WireFactory.Create(new WireOptions());
        using var busyWire = WireFactory.Create(new WireOptions());
        var alone = new PingProbe(quietWire, "alone");
        var shared = new PingProbe(busyWire, "shared");
        quietWire.Connect(broker.Endpoint, alone);
        busyWire.Connect(broker.Endpoint, shared);
        var running = new[] { Run(quietWire), Run(busyWire) };
        await Task.WhenAny(Task.WhenAll(alone.Ready, shared.Ready), Task.WhenAny(running).Unwrap());
        await Task.Delay(Quiet);
        Report("before  ", alone, shared);

        var (next, ready, all) = (0, 0, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        var start = Stopwatch.GetTimestamp();
        busyWire.Post(() =>
        {
            for (var i = 0; i < AtOnce; i++)
                ConnectNext();
        });
        await Task.WhenAny(all.Task, Task.WhenAny(running).Unwrap());
        var elapsed = Stopwatch.GetElapsedTime(start);
        Report("meanwhile", alone, shared);
        foreach (var wire in new[] { quietWire, busyWire })
            wire.Stop();
        await Task.WhenAll(running);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{count} TLS clients connected in {elapsed.TotalSeconds:0.00} s, {AtOnce} at once"
            )
        );
        return 0;

        void ConnectNext()
        {
            if (next < count)
                busyWire.Connect(broker.Endpoint, new IdleClient(next++, Next));
        }

        void Next()
        {
            if (++ready == count)
                all.TrySetResult();
            ConnectNext();
        }
    }

    private static Task Run(IWire wire) =>
        Task.Factory.StartNew(wire.Run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static void Report(string when, params PingProbe[] probes)
    {
        foreach (var probe in probes)
        {
            var (latency, lateness) = (probe.Take(), probe.TakeLateness());
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{when} {probe.Name, -6}: {latency.Length} exchanges, latency ms p50 "
                        + $"{Quantile(latency, .5):0.00}, p99 {Quantile(latency, .99):0.00}, max "
                        + $"{Quantile(latency, 1):0.00}; sent late by ms p50 {Quantile(lateness, .5):0.00}, "
                        + $"p99 {Quantile(lateness, .99):0.00}, max {Quantile(lateness, 1):0.00}"
                )
            );
        }
    }

    private static double Quantile(double[] values, double share) =>
        values.Length == 0
            ? double.NaN
            : values.Order().ElementAt(Math.Min(values.Length - 1, (int)(share * values.Length)));
}
