using System.Globalization;
using MqttCheck.Benchmarks.Fleets;
using MqttCheck.Benchmarks.Wire;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Benchmarks.Loads;

/// <summary>
/// The load generator on Mosquitto with nodelay: 100 pairs, QoS 1 on both sides, 100 bytes, 10 in flight, every message
/// followed and logged; in turns with a bare loop that only counts. Usage: <c>dotnet run -c Release --project
/// benchmarks/MqttCheck.Benchmarks -- pairs [--tls] [PAIRS [SECONDS [TURNS]]]</c>; needs mosquitto. The limits are of
/// the medians; that of the rate is of 100 pairs over plain TCP. The exit code is 1 when one is not kept.
/// </summary>
internal static class PairsSpeed
{
    private const int PayloadBytes = 100;
    private const int InFlight = 10;
    private const double LeastRate = 55_000;

    public static async Task<int> RunAsync(string[] args)
    {
        var tls = args.Contains("--tls");
        var numbers = args.Where(word => word != "--tls")
            .Select(word => int.Parse(word, CultureInfo.InvariantCulture))
            .ToArray();
        var pairs = numbers.ElementAtOrDefault(0) is > 0 and var given ? given : 100;
        var seconds = numbers.ElementAtOrDefault(1) is > 0 and var time ? time : 4;
        var turns = numbers.ElementAtOrDefault(2) is > 0 and var many ? many : 3;
        var results = new List<LoadResult>();
        var bare = new List<PairResult>();
        Console.WriteLine(
            $"{pairs} pairs, QoS 1, {PayloadBytes} bytes, {InFlight} in flight{(tls ? ", TLS" : "")}, "
                + "Mosquitto with nodelay: messages/s in and out, CPU us/message of generator and broker, lost"
        );
        for (var turn = 0; turn < turns; turn++)
        {
            await using (var broker = await ServedBroker.StartMosquittoAsync(tls))
            {
                bare.Add(
                    await new PairLoad(pairs, InFlight, PayloadBytes).RunAsync(broker, TimeSpan.FromSeconds(seconds))
                );
                Print(
                    "bare",
                    bare[^1].InPerSecond,
                    bare[^1].OutPerSecond,
                    bare[^1].GeneratorMicroseconds,
                    bare[^1].BrokerMicroseconds,
                    bare[^1].Lost
                );
            }
            await using (var broker = await ServedBroker.StartMosquittoAsync(tls))
            {
                results.Add(Load(broker, pairs, seconds));
                var result = results[^1];
                Print(
                    "load",
                    result.InPerSecond,
                    result.OutPerSecond,
                    result.GeneratorMicrosecondsPerMessage,
                    result.BrokerMicrosecondsPerMessage,
                    Missing(result)
                );
            }
        }
        var (rate, generator, broke) = (
            Median(results, one => one.OutPerSecond),
            Median(results, one => one.GeneratorMicrosecondsPerMessage),
            Median(results, one => one.BrokerMicrosecondsPerMessage)
        );
        var bareRate = Median(bare, one => one.OutPerSecond);
        var allocated = Median(
            results,
            one => one.AllocatedBytes / (double)Math.Max(1, one.Counters.DeliveriesInWindow)
        );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"medians: {rate:N0} messages/s, {rate / bareRate:0.00} of the bare "
                    + $"loop; CPU per message, generator to broker: {generator / broke:0.00}; "
                    + $"bytes allocated per message: {allocated:0.00}; "
                    + $"lost: {results.Sum(Missing)}"
            )
        );
        var figures = new LimitedFigures();
        if (!tls && pairs == 100)
            figures.AtLeast("messages per second", rate, LeastRate, "");
        figures.AtMost("processor time per message, generator to broker", generator / broke, 1, "");
        figures.AtMost("messages lost", results.Sum(Missing), 0, "");
        return figures.Conclude();
    }

    private static LoadResult Load(ServedBroker broker, int pairs, int seconds)
    {
        var log = Path.Combine(Path.GetTempPath(), $"mqttcheck-pairs-{Guid.NewGuid():N}.csv");
        try
        {
            using var writer = new LoadLogWriter(log);
            var setup = new LoadSetup
            {
                Workload = new Workload
                {
                    Name = "pairs",
                    Publishers = pairs,
                    Subscribers = pairs,
                    InFlight = InFlight,
                    Qos = QualityOfService.AtLeastOnce,
                    Payload = LoadPayload.OfSize(PayloadBytes),
                    Duration = TimeSpan.FromSeconds(seconds),
                },
                Endpoint = broker.Endpoint,
                Prefix = "pairs/",
                BrokerProcessId = broker.ProcessId,
            };
            return new LoadRun(setup, writer, TimeProvider.System).Run();
        }
        finally
        {
            File.Delete(log);
        }
    }

    private static long Missing(LoadResult result) => result.Counters.Messages - result.Counters[LoadOutcome.Delivered];

    private static double Median<T>(List<T> results, Func<T, double> figure) =>
        results.Select(figure).Order().ElementAt(results.Count / 2);

    private static void Print(string name, double @in, double @out, double generator, double broker, long lost) =>
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{name, -6} {@in, 10:N0} {@out, 10:N0} {generator, 8:0.0} {broker, 8:0.0} {lost, 6}"
            )
        );
}
