using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests;

/// <summary>Overlays of MqttCheck's own nodes, each a process of its own.</summary>
[Platform("Linux")]
[Parallelizable(ParallelScope.All)]
public sealed partial class OverlayNodeTests
{
    private const string File = "overlay.json";

    // The counts hang on the node and the topic of each client: another placement gives other ones.
    // These graphs have one tree only, which a stall of this machine does not change.
    [TestCase("topic-overlay", "mesh:2")]
    [TestCase("single-overlay", "line:4", Explicit = true)]
    public async Task Live_clients_are_where_the_simulated_ones_are_and_as_many_messages_pass_links(
        string system,
        string family
    )
    {
        using var directory = new WorkDirectory();
        await System.IO.File.WriteAllTextAsync(directory.File(File), Overlay(system, family));
        string[] options = ["--runs", "3", "--seed", "5", "-p", "E[ link messages per publication ]"];
        var result = await RunAsync(directory, options);
        var runs = Messages().Matches(result.Output);
        Assert.That(runs, Has.Count.EqualTo(3), result.ToString);
        Assert.That(
            runs.Select(run => run.Groups["live"].Value),
            Is.EqualTo(runs.Select(run => run.Groups["simulated"].Value)),
            result.ToString
        );
        Assert.That(runs.Select(run => run.Groups["live"].Value).Distinct().Count(), Is.GreaterThan(1));
    }

    // Nodes find the one that joins by its announcement. Round trips vary as this machine does, so that trees change.
    // Messages have gone round on a busy machine, one of them among the first hundred, so nodes get time to settle.
    [TestCase("topic-overlay")]
    [TestCase("single-overlay")]
    [Category("AloneOnTheMachine")]
    public Task A_node_joins_without_a_lost_settled_message(string system) =>
        AssertKeptAsync(Changing(system, "join n5 at 2s", 1, 2, 3, 4), "join n5 at 2s", "lost settled");

    // Messages of all others pass the node that leaves, the root of every tree.
    [TestCase("topic-overlay")]
    [TestCase("single-overlay")]
    public Task A_node_leaves_in_order_without_a_lost_message(string system) =>
        AssertKeptAsync(Changing(system, "stop n1 at 2s", 2, 3, 4, 5), "stop n1 at 2s", "lost");

    private static async Task AssertKeptAsync(string overlay, string change, string lost)
    {
        using var directory = new WorkDirectory();
        await System.IO.File.WriteAllTextAsync(directory.File(File), overlay);
        var result = await RunAsync(directory, "--runs", "1", "-p", $"P[ {lost} = 0 & duplicates = 0 ]");
        Assert.That(
            result.Output,
            Does.Contain($"P[ ({lost} = 0 & duplicates = 0) ]  1 (").And.Contain(change).And.Not.Contain("violated"),
            result.ToString
        );
    }

    private static async Task<ToolResult> RunAsync(WorkDirectory directory, params string[] options)
    {
        var result = await ToolProcess.RunAsync(directory.Path, ["cluster", "run", File, .. options]);
        if (result.ExitCode == 3 && result.Error.Contains("The multicast group", StringComparison.Ordinal))
            Assert.Ignore(result.Error);
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        return result;
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

    // Each of four nodes has a publisher and a subscriber.
    private static string Changing(string system, string fault, params int[] nodes) =>
        $$"""
            {
              "name": "changing", "system": "{{system}}", "family": "mesh:5", "delay": "constant:2ms",
              "keepAliveSeconds": 0.5, "settleSeconds": 4, "overlay": { "collectSeconds": 0.5, "silenceSeconds": 60 },
              "sites": [
                { "name": "a", "at": "n{{nodes[0]}}", "publishers": 1, "subscribers": 1 },
                { "name": "b", "at": "n{{nodes[1]}}", "publishers": 1, "subscribers": 1 },
                { "name": "c", "at": "n{{nodes[2]}}", "publishers": 1, "subscribers": 1 },
                { "name": "d", "at": "n{{nodes[3]}}", "publishers": 1, "subscribers": 1 }
              ],
              "workload": {
                "name": "known-topics", "shape": "fan-out", "publishers": 4, "subscribers": 4,
                "arrivals": { "constant": 100 }, "durationSeconds": 10, "qos": 1,
                "warmUp": { "messages": 1, "everySeconds": 1 }
              },
              "faults": [ "{{fault}}" ]
            }
            """;

    [GeneratedRegex(@"(?<live>[0-9.]+) link messages per publication \(simulated: (?<simulated>[0-9.]+)\)")]
    private static partial Regex Messages();
}
