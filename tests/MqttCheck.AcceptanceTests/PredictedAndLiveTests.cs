using System.Text.Json;
using System.Text.Json.Nodes;

namespace MqttCheck.AcceptanceTests;

/// <summary>
/// A live run and the simulation of its clients measure the same quantities. Built-in topologies are run shorter than
/// in their files; <c>scripts/predicted-and-live</c> runs them whole, with faults and intervals.
/// </summary>
[Platform("Linux")]
[Category("Whole")]
[Category("AloneOnTheMachine")]
public sealed class PredictedAndLiveTests
{
    // Quantities that only one way knows, as the manual says: docs/manual/clusters.md.
    private static readonly Dictionary<string, string[]> s_oneWay = new()
    {
        ["spanning-tree"] = ["signalling bytes"],
        ["transport"] = ["repair", "blackout", "link bytes", "acknowledgement"],
        ["pipeline"] = ["repair", "blackout", "link messages", "link bytes"],
    };

    private static readonly string[] s_counts =
    [
        "lost",
        "lost settled",
        "undelivered at the end",
        "duplicates",
        "reordered",
        "racing",
        "retransmitted",
        "race losses",
    ];

    [TestCase("tree-mesh-5")]
    [TestCase("transport-capacity")]
    [TestCase("pipeline-pairs")]
    public async Task Without_a_fault_a_live_run_counts_what_its_simulation_counts(string name)
    {
        var quantities = await CompareAsync(name);
        foreach (var count in s_counts.Where(quantities.ContainsKey))
            Assert.That(quantities[count], Is.EqualTo((0, 0)), count);
        if (quantities.TryGetValue("link messages", out var messages) && name != "transport-capacity")
            Assert.That(messages.Live, Is.EqualTo(messages.Simulated));
        if (quantities.TryGetValue("link bytes", out var bytes) && name != "transport-capacity")
            Assert.That(bytes.Live, Is.EqualTo(bytes.Simulated).Within(1).Percent);
        // No pair of nodes was without a probe.
        if (quantities.TryGetValue("blackout", out var blackout))
            Assert.That(blackout.Simulated, Is.Zero);
    }

    [Test]
    public async Task A_node_that_joins_is_not_there_before_live_or_simulated()
    {
        var quantities = await CompareAsync("tree-mesh-5", "join n4 at 1s");
        var blackout = quantities["blackout"];
        Assert.That(
            Math.Min(blackout.Live, blackout.Simulated),
            Is.GreaterThan(500),
            "no probe goes there for a second"
        );
        Assert.That(quantities["racing"].Live, Is.Positive, "its clients connect while messages are on their way");
    }

    // Every quantity that is known in the simulation of a run is known of the run too, and the other way round.
    private static async Task<Dictionary<string, (double Live, double Simulated)>> CompareAsync(
        string name,
        params string[] faults
    )
    {
        using var directory = new WorkDirectory();
        var topology = JsonNode.Parse(
            await File.ReadAllTextAsync(RepositoryFiles.At($"profiles/clusters/{name}.json"))
        )!;
        topology.AsObject().Remove("$schema");
        topology["workload"]!["durationSeconds"] = 3;
        // A line has one tree, and no stall of this machine is so long that a neighbour seems to be gone.
        if (topology["family"] is not null)
            (topology["family"], topology["keepAliveSeconds"]) = ("line:4", 2);
        topology["faults"] = new JsonArray([.. faults.Select(fault => JsonValue.Create(fault))]);
        topology["properties"] = new JsonArray("E[ delivery ]");
        await File.WriteAllTextAsync(directory.File("short.json"), topology.ToJsonString());
        var result = await ToolProcess.RunAsync(
            directory.Path,
            ["cluster", "run", "short.json", "--runs", "1", "--seed", "52"]
        );
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        using var answer = JsonDocument.Parse(await File.ReadAllTextAsync(directory.File("cluster.json")));
        var quantities = answer.RootElement.GetProperty("predictedAndLive").EnumerateArray().ToList();
        Assert.That(
            quantities.Where(each => IsKnown(each, "live") != IsKnown(each, "simulated")).Select(NameOf),
            Is.EquivalentTo(s_oneWay[$"{topology["system"]}"])
        );
        return quantities
            .Where(each => IsKnown(each, "live") && IsKnown(each, "simulated"))
            .ToDictionary(NameOf, each => (Number(each.GetProperty("live")), Number(each.GetProperty("simulated"))));
    }

    private static string NameOf(JsonElement quantity) => quantity.GetProperty("quantity").GetString()!;

    private static bool IsKnown(JsonElement quantity, string way) =>
        quantity.GetProperty(way).ValueKind != JsonValueKind.Null;

    private static double Number(JsonElement value) =>
        value.ValueKind == JsonValueKind.Number ? value.GetDouble() : double.PositiveInfinity;
}
