using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests;

/// <summary>Shared subscriptions and take-overs across the nodes of live clusters.</summary>
[Platform("Linux")]
[Category("Whole")]
[Parallelizable]
public sealed partial class SessionNodeTests
{
    // A busy machine may take seconds for what takes milliseconds, so that the bound is wide.
    private const string Scenario = """
        {
          "name": "sessions", "durationSeconds": 10, "settleSeconds": 3,
          "sessions": { "sharedSubscriptions": 2, "takeOvers": 2, "wills": 2 }
        }
        """;

    private const string Pipeline = """
        {
          "name": "small", "system": "pipeline",
          "nodes": [
            { "name": "b1" }, { "name": "b2" }, { "name": "log", "kind": "log" }, { "name": "store", "kind": "store" }
          ],
          "links": [
            { "between": ["b1", "log"] }, { "between": ["b2", "log"] },
            { "between": ["b1", "store"] }, { "between": ["b2", "store"] }
          ]
        }
        """;

    [TestCase("mesh:2", "", "")]
    [TestCase("bridge-pair", "mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)")]
    public async Task Nodes_that_are_brokers_of_their_own_have_groups_and_identifiers_of_their_own(
        string cluster,
        string command,
        string install
    )
    {
        if (command.Length > 0)
            Missing.Require(command, install);
        var result = await RunAsync(cluster);
        var groups = Groups().Match(result.Output);
        var takeOvers = TakeOvers().Match(result.Output);
        Assert.That(groups.Success && takeOvers.Success, result.ToString);
        Assert.That(Number(groups, "came"), Is.EqualTo(2 * Number(groups, "messages")).And.Positive, result.ToString);
        Assert.That((Number(takeOvers, "stayed"), Number(takeOvers, "judged")), Is.EqualTo((2, 2)), result.ToString);
        Assert.That(Number(takeOvers, "both"), Is.Positive, result.ToString);
        AssertWills(result);
    }

    [Test]
    public async Task A_pipeline_has_one_group_and_one_connection_of_a_client_identifier()
    {
        var result = await RunAsync("small.json");
        var groups = Groups().Match(result.Output);
        Assert.That(Number(groups, "came"), Is.EqualTo(Number(groups, "messages")).And.Positive, result.ToString);
        AssertTakenOver(result);
        AssertWills(result);
    }

    [TestCase("nats-3", "nats-server", false)]
    [TestCase("aedes-redis-2", "redis-server", false)]
    [TestCase("rabbitmq-3", "rabbitmq-server", true, Explicit = true)]
    public async Task A_cluster_with_one_store_of_sessions_takes_over_and_knows_no_shared_subscriptions(
        string cluster,
        string command,
        bool isSlow
    )
    {
        Missing.Require(command, $"apt-get install {command} (Debian, Ubuntu)");
        if (isSlow && !Missing.IsContinuousIntegration)
            Assert.Ignore("Takes a minute; set CI=true to run it.");
        var result = await RunAsync(cluster);
        Assert.That(Number(Groups().Match(result.Output), "came"), Is.Zero, result.ToString);
        AssertTakenOver(result);
        AssertWills(result);
    }

    private static void AssertTakenOver(ToolResult result)
    {
        var takeOvers = TakeOvers().Match(result.Output);
        Assert.That((Number(takeOvers, "stayed"), Number(takeOvers, "judged")), Is.EqualTo((0, 2)), result.ToString);
    }

    private static async Task<ToolResult> RunAsync(string cluster)
    {
        using var directory = new WorkDirectory();
        await File.WriteAllTextAsync(directory.File("small.json"), Pipeline);
        await File.WriteAllTextAsync(directory.File("sessions.json"), Scenario);
        return await ToolProcess.SucceedAsync(
            directory.Path,
            "cluster",
            "run",
            cluster,
            "--scenario",
            "sessions.json",
            "--runs",
            "1"
        );
    }

    // Each of two clients ends a connection in order every half second, and breaks one in between.
    private static void AssertWills(ToolResult result)
    {
        var wills = Wills().Match(result.Output);
        Assert.That(Number(wills, "came"), Is.EqualTo(Number(wills, "owed")).And.GreaterThan(5), result.ToString);
        Assert.That(Number(wills, "wrong"), Is.Zero, result.ToString);
        Assert.That(Number(wills, "orderly"), Is.GreaterThan(5), result.ToString);
    }

    private static int Number(Match match, string name) =>
        int.Parse(match.Groups[name].Value, System.Globalization.CultureInfo.InvariantCulture);

    [GeneratedRegex(@"reported: shared subscription: .*: (?<messages>\d+) messages came (?<came>\d+) times")]
    private static partial Regex Groups();

    [GeneratedRegex(
        @"reported: take-over: .*: (?<stayed>\d+) of (?<judged>\d+) older connections stayed, (?<both>\d+) messages"
    )]
    private static partial Regex TakeOvers();

    [GeneratedRegex(
        @"reported: will: .*: (?<came>\d+) of (?<owed>\d+) wills .* came, and "
            + @"(?<wrong>\d+) of (?<orderly>\d+) of orderly"
    )]
    private static partial Regex Wills();
}
