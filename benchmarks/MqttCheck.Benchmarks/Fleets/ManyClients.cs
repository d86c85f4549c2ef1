using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Benchmarks.Fleets;

/// <summary>
/// <c>many-clients [N] [BROKER] [SECONDS]</c>: N connected clients (default 10 000) that send a message a second each:
/// memory and processor time of the generator, in a process of its own. The exit code is 1 when one of the limits is
/// not kept.
/// </summary>
internal static class ManyClients
{
    private const double MostMebibytes = 150;

    // Clients connect, and wait before their first message, until then.
    private const double RampSeconds = 5;

    public static async Task<int> RunAsync(string[] arguments)
    {
        var clients = arguments.Length > 0 ? int.Parse(arguments[0], CultureInfo.InvariantCulture) : 10_000;
        var name = arguments.Length > 1 ? arguments[1] : "mosquitto:tuned";
        var seconds = arguments.Length > 2 ? double.Parse(arguments[2], CultureInfo.InvariantCulture) : 20;
        if (seconds <= RampSeconds)
            throw new ArgumentException(
                $"SECONDS: {arguments[2]} given; allowed: more than {RampSeconds}, in which the clients connect."
            );
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse(name),
            CancellationToken.None
        );
        var before = ProcessUsage.Read(Environment.ProcessId)!.Value.ResidentBytes;
        var profile = new UsageProfile
        {
            Name = "report",
            // 50 ms below a second on average: the time until the acknowledgement comes on top.
            WaitMilliseconds = new UniformLaw(450, 1450),
            Weights = new(Connect: 1, Disconnect: 0, Publish: 1, Subscribe: 0, Unsubscribe: 0),
            SequenceLength = 1000,
        };
        var setup = new FleetSetup
        {
            Population = Population.Of(profile),
            Clients = clients,
            Duration = TimeSpan.FromSeconds(seconds),
            Seed = 1,
            Endpoint = broker.Endpoint,
            Credentials = broker.Credentials,
            BrokerProcessId = broker.ProcessId,
            Prefix = FleetSetup.NewPrefix(),
            TimerCoalescing = TimeSpan.FromMilliseconds(0.5),
        };
        var counter = new Counter(RampSeconds, seconds);
        var peak = 0L;
        var progress = new Progress(() =>
            peak = Math.Max(peak, ProcessUsage.Read(Environment.ProcessId)!.Value.ResidentBytes)
        );
        var result = new FleetRun(setup, counter, progress).Run();
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{clients} clients on {name}, {seconds} s: {counter.PerSecond:0} messages/s "
                    + $"after {RampSeconds} s; generator {peak / 1048576.0:0} MiB resident at most "
                    + $"({before / 1048576.0:0} MiB before), {result.Health.GeneratorCpuShare:0.00} "
                    + $"of a core; send lag p99 {result.Health.LagP99Microseconds:0} us; broker "
                    + $"{result.Health.BrokerCpuShare:0.00} of a core"
            )
        );
        var failed = result.Exchanges - result.Count(ExchangeOutcome.Success);
        Console.WriteLine($"failed: {failed} of {result.Exchanges} {string.Join("; ", result.FirstFailures)}");
        var figures = new LimitedFigures();
        figures.AtMost("memory of the generator", peak / 1048576.0, MostMebibytes, "MiB");
        figures.AtLeast("messages per second and client", counter.PerSecond / clients, 1, "");
        figures.AtMost("failed exchanges", failed, 0, "");
        return figures.Conclude();
    }

    // Publications sent when the load is up.
    private sealed class Counter(double fromSeconds, double toSeconds) : IExchangeSink
    {
        private long _publications;

        public double PerSecond => _publications / (toSeconds - fromSeconds);

        public void Append(in Exchange exchange)
        {
            if (
                exchange.Message == MessageKind.Publish
                && exchange.SentMicroseconds >= fromSeconds * 1e6
                && exchange.SentMicroseconds < toSeconds * 1e6
            )
                _publications++;
        }
    }

    private sealed class Progress(Action report) : IProgress<FleetProgress>
    {
        public void Report(FleetProgress value) => report();
    }
}
