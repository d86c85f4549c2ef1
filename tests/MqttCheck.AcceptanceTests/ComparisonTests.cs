using System.Text.Json;

namespace MqttCheck.AcceptanceTests;

/// <summary>
/// Comparisons of live brokers. The delays of the embedded broker are long beside what a machine adds (50 ms at the
/// median), so that what differs is the delay. A difference of .15 matters, at the threshold where the faster
/// broker is in time with about .85 and the slower one with .15 less. The error is .01, so a wrong verdict comes in one
/// of a hundred runs at most; the time allowed makes a withheld one unlikely.
/// </summary>
[Category("AloneOnTheMachine")]
[Parallelizable]
public sealed class ComparisonTests
{
    // Short waits and short sequences: one takes about half a second.
    private const string Brisk = """
        {
          "name": "brisk", "description": "Short waits.", "waitMilliseconds": { "uniform": [0, 40] },
          "weights": { "connect": 1, "disconnect": 1, "publish": 5, "subscribe": 3, "unsubscribe": 2 }, "sequenceLength": 6
        }
        """;

    // A broker beside itself takes minutes until it is found to be no other. In virtual time the suite has that too.
    [TestCase("embedded:lognormal:75ms,0.5", false)]
    [TestCase("embedded:lognormal:60ms,0.5", true, Explicit = true)]
    public async Task A_broker_compared_with_itself_is_no_other_and_a_slower_one_is_slower(string slow, bool withItself)
    {
        using var directory = new WorkDirectory();
        File.WriteAllText(directory.File("brisk.json"), Brisk);
        const string fast = "embedded:lognormal:50ms,0.5";
        string[] expected = withItself
            ?
            [
                $"{fast} and {fast} #2: noDifference",
                $"{fast} and {slow}: firstFaster",
                $"{fast} #2 and {slow}: firstFaster",
            ]
            : [$"{fast} and {slow}: firstFaster"];
        // The threshold is given, so the models serve nothing: a short exploration is enough. Six exchanges are all in
        // time with .917^6 = .59, and .846^6 = .37 or .717^6 = .14. The difference is beyond the indifference, so that
        // enough runs for a verdict fit into the budget; at 140 ms it would be .12, and within.
        var result = await ToolProcess.RunAsync(
            directory.Path,
            "compare",
            "--brokers",
            withItself ? $"{fast},{fast},{slow}" : $"{fast},{slow}",
            "--profile",
            "brisk.json",
            "--clients",
            "60",
            "--threshold",
            "100ms",
            "--explore-for",
            "3s",
            "--runs",
            "8",
            "--error",
            "0.01",
            "--indifference",
            "0.15",
            "--budget",
            withItself ? "90s" : "45s",
            "--history",
            "history",
            "--metrics",
            "compare.prom"
        );
        Assert.That(result.ExitCode, Is.EqualTo(1), result.ToString);
        Assert.That(Verdicts(directory), Is.EqualTo(expected), result.ToString);
        var kept = Directory.GetFiles(directory.File("history")).Single();
        Assert.That(File.ReadAllText(kept), Does.Contain("\"firstFaster\"").And.Not.Contain("worstMilliseconds"));
        Assert.That(result.Output, Does.Contain("trend: ").And.Contain("1 result; "), result.ToString);
        Assert.That(
            File.ReadAllText(directory.File("compare.prom")),
            Does.Match("mqttcheck_compare_verdict{.*verdict=\"first faster\"} 1")
        );
    }

    // "A and B: noDifference", by pair.
    private static string[] Verdicts(WorkDirectory directory)
    {
        using var document = JsonDocument.Parse(File.ReadAllText(directory.File("comparison.json")));
        return
        [
            .. document
                .RootElement.GetProperty("points")
                .EnumerateArray()
                .Select(point =>
                    $"{point.GetProperty("first").GetString()} and "
                    + $"{point.GetProperty("second").GetString()}: {point.GetProperty("verdict").GetString()}"
                ),
        ];
    }
}
