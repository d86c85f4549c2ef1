using System.Globalization;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>
/// What one client with very many wildcard filters over very many retained messages does to the exchanges of another
/// client of the embedded broker.
/// Usage: <c>dotnet run -c Release --project benchmarks/MqttCheck.Benchmarks -- retained [FILTERS [MESSAGES]]</c>.
/// </summary>
internal static class RetainedLoad
{
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(2),
        Busy = TimeSpan.FromSeconds(10);

    public static async Task<int> RunAsync(string[] args)
    {
        var numbers = args.Select(word => int.Parse(word, CultureInfo.InvariantCulture)).ToArray();
        var (filters, messages) = (
            numbers.ElementAtOrDefault(0) is > 0 and var f ? f : 10_000,
            numbers.ElementAtOrDefault(1) is > 0 and var m ? m : 100_000
        );
        await using var broker = await ServedBroker.StartEmbeddedAsync(tls: false);
        using var quietWire = WireFactory.Create(new WireOptions());
        using var busyWire = WireFactory.Create(new WireOptions());
        var probe = new PingProbe(quietWire, "other");
        quietWire.Connect(broker.Endpoint, probe);
        var retained = Enumerable
            .Range(0, messages)
            .Select(i =>
                (Packet)
                    new PublishPacket
                    {
                        Topic = $"device/{i}/state",
                        Payload = Bytes.FromText("on"),
                        Retain = true,
                    }
            );
        var publisher = new PacketBurst("publisher", retained);
        busyWire.Connect(broker.Endpoint, publisher);
        var running = new[] { Run(quietWire), Run(busyWire) };
        await Task.WhenAll(publisher.Done, probe.Ready);
        probe.Take();
        await Task.Delay(Quiet);
        Report("before            ", probe);

        // Each filter has to look at every message, and matches none.
        var greedy = new PacketBurst(
            "greedy",
            Enumerable
                .Range(0, filters / 100)
                .Select(i =>
                    (Packet)
                        new SubscribePacket(
                            1,
                            ValueList.Create<SubscriptionRequest>([
                                .. Enumerable
                                    .Range(100 * i, 100)
                                    .Select(j => new SubscriptionRequest($"+/+/none{j}", 0)),
                            ])
                        )
                )
        );
        busyWire.Post(() => busyWire.Connect(broker.Endpoint, greedy));
        await greedy.Done;
        Report("while subscribing ", probe);
        await Task.Delay(Busy);
        Report("while looking up  ", probe);
        foreach (var wire in new[] { quietWire, busyWire })
            wire.Stop();
        await Task.WhenAll(running);
        Console.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"{filters} filters over {messages} retained messages")
        );
        return 0;
    }

    private static Task Run(IWire wire) =>
        Task.Factory.StartNew(wire.Run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static void Report(string when, PingProbe probe)
    {
        var latency = probe.Take();
        Array.Sort(latency);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{when}: {latency.Length} exchanges of another client, latency ms "
                    + $"p50 {latency[latency.Length / 2]:0.00}, p99 "
                    + $"{latency[latency.Length * 99 / 100]:0.00}, max {latency[^1]:0.00}"
            )
        );
    }
}
