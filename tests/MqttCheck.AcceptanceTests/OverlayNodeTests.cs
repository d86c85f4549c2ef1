using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests;

/// <summary>Overlays of MqttCheck's own nodes, each a process of its own.</summary>
[Platform("Linux")]
[Category("Whole")]
public sealed partial class OverlayNodeTests
{
    private const string File = "overlay.json";

    // The counts hang on the node and the topic of each client: another placement gives other ones.
    // These graphs have one tree only, which a stall of this machine does not change.
    [TestCase("topic-overlay", "mesh:2")]
    [TestCase("single-overlay", "line:4")]
    public async Task Live_clients_are_where_the_simulated_ones_are_and_as_many_messages_pass_links(
        string system,
        string family
    )
    {
        using var directory = new WorkDirectory();
        await System.IO.File.WriteAllTextAsync(directory.File(File), Overlay(system, family));
        var result = await ToolProcess.RunAsync(
            directory.Path,
            "cluster",
            "run",
            File,
            "--runs",
            "3",
            "--seed",
            "5",
            "-p",
            "E[ link messages per publication ]"
        );
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        var runs = Messages().Matches(result.Output);
        Assert.That(runs, Has.Count.EqualTo(3), result.ToString);
        Assert.That(
            runs.Select(run => run.Groups["live"].Value),
            Is.EqualTo(runs.Select(run => run.Groups["simulated"].Value)),
            result.ToString
        );
        Assert.That(runs.Select(run => run.Groups["live"].Value).Distinct().Count(), Is.GreaterThan(1));
    }

    private static string Overlay(string system, string family) =>
        $$"""
            {
              "name": "drawn", "system": "{{system}}", "family": "{{family}}", "delay": "constant:5ms",
              "keepAliveSeconds": 1, "overlay": { "topics": 4, "collectSeconds": 1, "silenceSeconds": 60 },
              "workload": {
                "name": "drawn-topics", "shape": "fan-out", "publishers": 4, "subscribers": 4,
                "arrivals": { "constant": 40 }, "durationSeconds": 2, "qos": 1,
                "warmUp": { "messages": 1, "everySeconds": 1 }
              }
            }
            """;

    [GeneratedRegex(@"(?<live>[0-9.]+) link messages per publication \(simulated: (?<simulated>[0-9.]+)\)")]
    private static partial Regex Messages();
}
