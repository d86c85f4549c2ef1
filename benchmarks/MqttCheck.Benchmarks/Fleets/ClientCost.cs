using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Wire;
using MqttCheck.MqttNet.Client;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MQTTnet;

namespace MqttCheck.Benchmarks.Fleets;

/// <summary>
/// <c>client-cost [BROKER] [SECONDS] [CLIENTS,CLIENTS,...]</c>: what a message and a client cost with the own client
/// and with MQTTnet: pairs, QoS 1, 100 bytes, an open loop of 1000 messages/s from all of them, ordinary timers of .5
/// ms. Each run is a process of its own, and both clients use one broker in turns. Before that, what the translation
/// between packets and calls costs by itself.
/// </summary>
internal static class ClientCost
{
    private const double Rate = 1000;
    private const int PayloadBytes = 100;

    public static async Task<int> RunAsync(string[] arguments)
    {
        var name = arguments.ElementAtOrDefault(0) ?? "mosquitto:tuned";
        var seconds = arguments.ElementAtOrDefault(1) ?? "8";
        var counts = (arguments.ElementAtOrDefault(2) ?? "100,2000").Split(',');
        PrintTranslation();
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse(name),
            CancellationToken.None
        );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{broker.Description.Name} {broker.Description.Version}, {Rate} messages/s from all pairs "
                    + $"together, QoS 1, {PayloadBytes} bytes, {seconds} s, {Environment.ProcessorCount} processors"
            )
        );
        Console.WriteLine(
            "| client | clients | delivery, ms: median / p99 | acknowledgement, ms: "
                + "median / p99 | processor time per message, us | and per client, us a second "
                + "| memory per client, KiB | allocated per message, bytes | not delivered |"
        );
        Console.WriteLine("|---|---|---|---|---|---|---|---|---|");
        foreach (var count in counts)
        {
            foreach (var client in (string[])["own", MqttNetClient.Name])
            {
                var figures = await MeasureApartAsync([client, count, broker.Address.ToString(), seconds]);
                Console.WriteLine(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"| {client} | {count} | {figures.Median:0.000} / {figures.P99:0.000} "
                            + $"| {figures.AcknowledgementMedian:0.000} / "
                            + $"{figures.AcknowledgementP99:0.000} | {figures.Processor:0} | "
                            + $"{figures.Processor * Rate / int.Parse(count, CultureInfo.InvariantCulture):0} "
                            + $"| {figures.Memory:0.0} | {figures.Allocated:0} | {figures.Missing} |"
                    )
                );
            }
        }
        return 0;
    }

    /// <summary><c>client-cost-one CLIENT CLIENTS ADDRESS SECONDS</c>: one run in this process.</summary>
    public static int RunOne(string[] arguments)
    {
        var kind = arguments[0] == "own" ? ClientKind.Own : MqttNetClient.Kind;
        var clients = int.Parse(arguments[1], CultureInfo.InvariantCulture);
        // What the process needs with one pair is no client's.
        Load(kind, 2, arguments[2], 1, null);
        GC.Collect();
        var before = ProcessUsage.Read(Environment.ProcessId)!.Value.ResidentBytes;
        var peak = before;
        var result = Load(
            kind,
            clients,
            arguments[2],
            double.Parse(arguments[3], CultureInfo.InvariantCulture),
            new Progress(() => peak = Math.Max(peak, ProcessUsage.Read(Environment.ProcessId)!.Value.ResidentBytes))
        );
        var (service, acknowledgement) = (result.Times.Service, result.Times.Acknowledgement);
        var messages = Math.Max(1, result.Counters.DeliveriesInWindow);
        Console.WriteLine(
            JsonSerializer.Serialize(
                new Figures(
                    service.QuantileNanoseconds(.5) / 1e6,
                    service.QuantileNanoseconds(.99) / 1e6,
                    acknowledgement.QuantileNanoseconds(.5) / 1e6,
                    acknowledgement.QuantileNanoseconds(.99) / 1e6,
                    result.GeneratorProcessor.TotalMicroseconds / messages,
                    (peak - before) / 1024.0 / clients,
                    result.AllocatedBytes / (double)messages,
                    result.Counters.Messages - result.Counters[LoadOutcome.Delivered]
                )
            )
        );
        return 0;
    }

    private static LoadResult Load(
        ClientKind kind,
        int clients,
        string address,
        double seconds,
        IProgress<LoadProgress>? progress
    )
    {
        var setup = new LoadSetup
        {
            Workload = new Workload
            {
                Name = "pairs",
                Publishers = clients / 2,
                Subscribers = clients / 2,
                InFlight = 100,
                Qos = QualityOfService.AtLeastOnce,
                Payload = LoadPayload.OfSize(PayloadBytes),
                Arrivals = ArrivalKind.Poisson,
                MessagesPerSecond = Rate,
                WarmUp = LoadWarmUp.Lasting(TimeSpan.FromSeconds(2)),
                Duration = TimeSpan.FromSeconds(seconds),
            },
            Endpoint = new WireEndpoint(IPEndPoint.Parse(address)),
            Prefix = FleetSetup.NewPrefix(),
            Client = kind,
        };
        // Polling for punctual timers takes the same quarter of a processor with either client: it would hide what they
        // take.
        var options = new WireOptions { TimerCoalescing = TimeSpan.FromMilliseconds(.5) };
        return new LoadRun(setup, null, TimeProvider.System, progress, _ => kind.CreateWire(options)).Run();
    }

    private static async Task<Figures> MeasureApartAsync(IReadOnlyList<string> arguments)
    {
        var program = Environment.ProcessPath!;
        string[] host =
            Path.GetFileNameWithoutExtension(program) == "dotnet" ? ["exec", typeof(ClientCost).Assembly.Location] : [];
        using var child = Process.Start(
            new ProcessStartInfo(program, [.. host, "client-cost-one", .. arguments]) { RedirectStandardOutput = true }
        )!;
        var text = await child.StandardOutput.ReadToEndAsync();
        await child.WaitForExitAsync();
        return JsonSerializer.Deserialize<Figures>(text)!;
    }

    // PUBLISH to the library's message, and a received message to PUBLISH: what the wire adds to a publication, and to
    // a delivery.
    private static void PrintTranslation()
    {
        var topic = "mqttcheck/0badcafe/pairs/17"u8.ToArray();
        var packet = new byte[
            PacketWriter.PublishLength(ProtocolVersion.V5, topic.Length, PayloadBytes, QualityOfService.AtLeastOnce)
        ];
        PacketWriter.WritePublish(
            packet,
            ProtocolVersion.V5,
            topic,
            new byte[PayloadBytes],
            QualityOfService.AtLeastOnce,
            false,
            false,
            1
        );
        var answers = new MqttNetAnswers();
        PublishView.TryParse(ProtocolVersion.V5, packet, out var publish);
        var message = MqttNetRequests.Message(publish);
        var result = new MqttClientPublishResult(1, MqttClientPublishReasonCode.Success, null, []);
        var (sent, received, acknowledged) = (
            Nanoseconds(() =>
                PublishView.TryParse(ProtocolVersion.V5, packet, out var view)
                    ? MqttNetRequests.Message(view).Topic.Length
                    : 0
            ),
            Nanoseconds(() => answers.Publish(message, 1, ProtocolVersion.V5).Length),
            Nanoseconds(() =>
                answers.Acknowledgement(result, 1, QualityOfService.AtLeastOnce, ProtocolVersion.V5).Length
            )
        );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"translation: {sent:0} ns for a publication before its time of sending, {received:0} ns "
                    + $"for a message and {acknowledged:0} ns for an acknowledgement after their times of arrival"
            )
        );
    }

    private static double Nanoseconds(Func<int> work)
    {
        const int Times = 1_000_000;
        var sum = 0L;
        for (var time = 0; time < Times; time++)
            sum += work();
        var start = Stopwatch.GetTimestamp();
        for (var time = 0; time < Times; time++)
            sum += work();
        var elapsed = Stopwatch.GetElapsedTime(start);
        if (sum <= 0)
            throw new InvalidOperationException("The translation yielded nothing.");
        return elapsed.TotalNanoseconds / Times;
    }

    private sealed record Figures(
        double Median,
        double P99,
        double AcknowledgementMedian,
        double AcknowledgementP99,
        double Processor,
        double Memory,
        double Allocated,
        long Missing
    );

    private sealed class Progress(Action report) : IProgress<LoadProgress>
    {
        public void Report(LoadProgress value) => report();
    }
}
