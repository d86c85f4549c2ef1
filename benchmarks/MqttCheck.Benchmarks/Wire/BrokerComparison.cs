using System.Globalization;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>
/// Loads the embedded broker and Mosquitto with nodelay in turns: 100 pairs, QoS 1 on both sides, 100 bytes, 10 in
/// flight, closed loop.
/// Usage: <c>dotnet run -c Release --project benchmarks/MqttCheck.Benchmarks -- broker [--tls] [PAIRS [SECONDS
/// [TURNS]]]</c>; needs mosquitto.
/// </summary>
internal static class BrokerComparison
{
    private const int PayloadBytes = 100;
    private const int InFlight = 10;

    public static async Task<int> RunAsync(string[] args)
    {
        var tls = args.Contains("--tls");
        var numbers = args.Where(word => word != "--tls")
            .Select(word => int.Parse(word, CultureInfo.InvariantCulture))
            .ToArray();
        var (pairs, seconds, turns) = (
            numbers.ElementAtOrDefault(0),
            numbers.ElementAtOrDefault(1),
            numbers.ElementAtOrDefault(2)
        );
        if (pairs == 0)
            pairs = 100;
        if (seconds == 0)
            seconds = 3;
        if (turns == 0)
            turns = 5;
        var results = new Dictionary<string, List<PairResult>> { ["embedded"] = [], ["mosquitto"] = [] };
        Console.WriteLine(
            $"{pairs} pairs, QoS 1, {PayloadBytes} bytes, {InFlight} in flight{(tls ? ", TLS" : "")}: "
                + "broker, messages/s in and out, CPU us/message of generator and broker, lost, repeated"
        );
        for (var turn = 0; turn < turns; turn++)
        {
            foreach (var name in results.Keys)
            {
                await using var broker =
                    name == "embedded"
                        ? await ServedBroker.StartEmbeddedAsync(tls)
                        : await ServedBroker.StartMosquittoAsync(tls);
                var result = await new PairLoad(pairs, InFlight, PayloadBytes).RunAsync(
                    broker,
                    TimeSpan.FromSeconds(seconds)
                );
                results[name].Add(result);
                Console.WriteLine(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{name, -10} {result.InPerSecond, 10:N0} {result.OutPerSecond, 10:N0} "
                            + $"{result.GeneratorMicroseconds, 8:0.0} "
                            + $"{result.BrokerMicroseconds, 8:0.0} {result.Lost, 6} {result.Repeated, 6}"
                    )
                );
            }
        }
        var ratio = Median(results["embedded"]) / Median(results["mosquitto"]);
        var lost = results.Values.Sum(list => list.Sum(result => result.Lost + result.Repeated));
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"ratio of medians, embedded to mosquitto: {ratio:0.00}; lost or repeated in all: {lost}"
            )
        );
        return ratio >= 1 && lost == 0 ? 0 : 1;
    }

    private static double Median(List<PairResult> results) =>
        results.Select(result => result.OutPerSecond).Order().ElementAt(results.Count / 2);
}
