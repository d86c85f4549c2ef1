using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Captures;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Profiles;

namespace MqttCheck.Benchmarks.Fleets;

/// <summary>
/// <c>wire-error [BROKER] [SECONDS]</c>: how far the times in a log are from those of a packet capture of the same
/// exchanges, QoS 1 PUBLISH to PUBACK, 100 clients with the waits of up1: with kernel arrival stamps, in audit mode,
/// and on the portable engine. The last column is the share of the wanted processor time that the host of a virtual
/// machine gave to others. The first two have limits; the exit code is 1 when one is not kept, or nothing could be
/// captured.
/// </summary>
internal static class WireError
{
    private const int Clients = 100;
    private const double MostLateness = 300;

    public static async Task<int> RunAsync(string[] arguments)
    {
        var name = arguments.Length > 0 ? arguments[0] : "mosquitto";
        var seconds = arguments.Length > 1 ? double.Parse(arguments[1], CultureInfo.InvariantCulture) : 8;
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse(name),
            CancellationToken.None
        );
        Console.WriteLine(
            $"{broker.Description.Name} {broker.Description.Version}, {Clients} clients of up1, "
                + $"{seconds} s each; errors in us, tool minus wire, p50 / p99 of the absolute value"
        );
        Console.WriteLine(
            "engine           messages   latency          sent             "
                + "acknowledged     late (p50 / p99)  wire latency      send lag p99  stolen"
        );
        var figures = new LimitedFigures();
        AddLimits(
            figures,
            "kernel arrival",
            await MeasureAsync(broker, seconds, "kernel arrival", WireEngine.Auto, audit: false),
            6,
            45
        );
        AddLimits(figures, "audit", await MeasureAsync(broker, seconds, "audit", WireEngine.Auto, audit: true), 3, 10);
        await MeasureAsync(broker, seconds, "portable", WireEngine.Portable, audit: false);
        return figures.Conclude();
    }

    private static void AddLimits(LimitedFigures figures, string name, WireErrors? errors, double median, double p99)
    {
        figures.AtMost(
            $"{name}: latency, tool minus wire, p50",
            errors is null ? double.NaN : WireErrors.AbsoluteQuantile(errors.Latency, 0.5),
            median,
            "us"
        );
        figures.AtMost(
            $"{name}: latency, tool minus wire, p99",
            errors is null ? double.NaN : WireErrors.AbsoluteQuantile(errors.Latency, 0.99),
            p99,
            "us"
        );
        figures.AtMost(
            $"{name}: sending, wire minus plan, p99",
            errors is null ? double.NaN : WireErrors.Quantile(errors.Lateness, 0.99),
            MostLateness,
            "us"
        );
    }

    private static async Task<WireErrors?> MeasureAsync(
        IBrokerUnderTest broker,
        double seconds,
        string name,
        WireEngine engine,
        bool audit
    )
    {
        var (capture, reason) = await PacketCapture.TryStartAsync(broker.Address, CancellationToken.None);
        if (capture is null)
        {
            Console.WriteLine($"{name}: {reason}");
            return null;
        }
        await using (capture)
        {
            var setup = new FleetSetup
            {
                Population = ProfileFile.Read("up1"),
                Clients = Clients,
                Duration = TimeSpan.FromSeconds(seconds),
                Seed = 1,
                Endpoint = broker.Endpoint,
                Credentials = broker.Credentials,
                Prefix = FleetSetup.NewPrefix(),
                KernelSendStamps = audit,
            };
            var log = new ExchangeCollector();
            var result = new FleetRun(
                setup,
                log,
                createWire: engine == WireEngine.Auto
                    ? null
                    : options => WireFactory.Create(options with { Engine = engine })
            ).Run();
            var start = result.StartNanoseconds + WallClock.OffsetNanoseconds(TimeProvider.System);
            var errors = WireErrors.Compare(
                log.Exchanges,
                CapturedExchanges.Find(await capture.StopAsync(), broker.Address.Port, setup),
                start
            );
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{name, -16} {errors.Latency.Count, -10} {Pair(errors.Latency), -16} "
                        + $"{Pair(errors.Sent), -16} {Pair(errors.Acknowledged), -16} "
                        + $"{Quantiles(errors.Lateness), -17} {Quantiles(errors.WireLatency), -17} "
                        + $"{result.Health.LagP99Microseconds, -13:0} {result.Health.StolenShare:P1}"
                )
            );
            return errors;
        }
    }

    private static string Pair(IReadOnlyList<double> errors) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{WireErrors.AbsoluteQuantile(errors, 0.5):0.0} / {WireErrors.AbsoluteQuantile(errors, 0.99):0.0}"
        );

    private static string Quantiles(IReadOnlyList<double> sorted) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{WireErrors.Quantile(sorted, 0.5):0} / {WireErrors.Quantile(sorted, 0.99):0}"
        );

    private sealed class ExchangeCollector : IExchangeSink
    {
        public List<Exchange> Exchanges { get; } = new(20_000);

        public void Append(in Exchange exchange) => Exchanges.Add(exchange);
    }
}
