using System.Text.Json;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>What is refused before anything is simulated, and what a table leaves out.</summary>
[TestFixture]
internal sealed class ClusterPredictTests
{
    private static readonly string[] s_lost = ["cluster", "predict", "line:3", "--for", "3s", "-p", "E[ lost ]"];

    // A fault after the end of a run never comes: each run would count as repaired.
    [TestCase("it begins at the end or later; allowed: before 3s", "--fault", "kill n1 at 3s")]
    [TestCase("unknown node 'n9'; allowed: n1, n2, n3", "--fault", "kill n9 at 1s")]
    [TestCase("--fault: 'burn n1 at 1s' is not a fault", "--fault", "burn n1 at 1s")]
    [TestCase(
        "a fault that does 'power' is not simulated; allowed: kill, stop, freeze, join, cut, partition, slow",
        "--fault",
        "power n1 at 1s"
    )]
    [TestCase("'partition n1>n2 at 1s' is not simulated", "--fault", "partition n1>n2 at 1s")]
    [TestCase("'partition clients|n2 at 1s' is not simulated", "--fault", "partition clients|n2 at 1s")]
    [TestCase("a fault that does 'fill' is not simulated", "--fault", "mix kinds=kill,fill at 1s for 1s")]
    [TestCase("names what the topology has not", "--vary", "link(n1,n9).delay=10..80ms:5")]
    public Task Wrong_input_is_one_message_that_says_what_is_allowed(string part, params string[] arguments) =>
        TestTool.AssertRefusedAsync([.. s_lost, .. arguments], part);

    [Test]
    public async Task A_topology_whose_links_take_no_time_is_named()
    {
        var output = await PredictAsync("--replications", "2");
        Assert.That(output, Does.Contain("line-3: no link has a delay"));
    }

    [Test]
    public async Task A_variation_of_a_delay_is_the_delay_that_messages_have()
    {
        var output = await PredictAsync(
            "-p",
            "Q0.95[ delivery ]",
            "--vary",
            "link(n1,n2).delay=10..80ms:2",
            "--replications",
            "4"
        );
        Assert.That(
            output,
            Does.Match(@"delay=10ms +Q0\.95\[ delivery \] +10 ")
                .And.Match(@"delay=80ms +Q0\.95\[ delivery \] +80 ")
                .And.Not.Contain("no link has a delay")
        );
    }

    [Test]
    public async Task Pairs_are_printed_on_demand_and_are_always_in_json()
    {
        string[] few = ["--replications", "2", "--vary", "link(n1,n2).delay=10..80ms:2"];
        var without = await PredictAsync(few);
        var with = await PredictAsync([.. few, "--pairs"]);
        var json = await PredictAsync([.. few, "--format", "json"]);
        Assert.That(without, Does.Not.Contain("p99"));
        Assert.That(with, Does.Match(@"delay=80ms +n1 +n2 +80 +80 +80 +\d+ +0 +0 +2"));
        var rows = JsonElement.Parse(json).GetProperty("tables")[1].EnumerateArray().ToList();
        Assert.That(rows, Has.Count.EqualTo(18));
        Assert.That(
            rows.Where(row => $"{row.GetProperty("from")}{row.GetProperty("to")}" == "n1n3")
                .Select(row => row.GetProperty("mean").GetDouble()),
            Is.EqualTo([10, 80])
        );
    }

    // 10 messages a second and pair of brokers for 3 s and a warm-up of 1 s, and one more of each of 9 publishers.
    [Test]
    public async Task A_mean_is_guaranteed_with_its_bound_unless_runs_are_assumed_to_be_normal()
    {
        var guaranteed = await PredictAsync("--replications", "5");
        var assumed = await PredictAsync("--replications", "5", "--assume", "normal");
        Assert.That(
            guaranteed,
            Does.Match(@"E\[ lost \] +0 +0 \.\. \d+.* +guaranteed +5")
                .And.Contain("each of which can have 0 to 369; every run has 0, so others have")
                .And.Contain("A guaranteed interval of few runs is wide")
        );
        Assert.That(
            assumed,
            Does.Match(@"E\[ lost \] +0 +- +5")
                .And.Contain("no interval, because no two runs differ and no bound is used")
        );
    }

    [TestCase("transport-capacity", "has no clients")]
    [TestCase("star:65", "65 brokers and 0 sites; allowed: up to 64 of one of them")]
    public Task Pairs_of_a_topology_that_has_none_are_refused(string topology, string part) =>
        TestTool.AssertRefusedAsync(["cluster", "predict", topology, "-p", "E[ lost ]", "--pairs"], part);

    private static async Task<string> PredictAsync(params string[] arguments) =>
        (await TestTool.SucceedAsync([.. s_lost, .. arguments])).Output;
}
