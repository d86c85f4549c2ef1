using MqttCheck.App.Runs;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>What is refused before anything starts.</summary>
[TestFixture]
internal sealed class ClusterRunTests
{
    [Test]
    public Task Bridges_that_loop_are_refused_with_the_loop_by_name() =>
        TestTool.AssertRefusedAsync(
            ["cluster", "run", "bridge-triangle"],
            "goes round a -> b -> c -> a without end",
            "--allow-loops"
        );

    [TestCase("\"topics\": \"# out 1 \\\"\\\" from-a/\"", "arrives at b as 'from-a/mqttcheck/x/0'")]
    [TestCase("\"topics\": \"# in 1\"", "no bridge takes a message of load 'cluster-pairs'")]
    public async Task A_load_that_never_arrives_is_refused_before_a_broker_starts(string topics, string said)
    {
        await using var directory = new TemporaryDirectory();
        var file = directory.Write(
            "renaming.json",
            $$"""
            { "name": "x", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"], {{topics}} } ],
              "sites": [ { "name": "p", "at": "a", "publishers": 1 }, { "name": "s", "at": "b", "subscribers": 1 } ] }
            """
        );
        await TestTool.AssertRefusedAsync(["cluster", "run", file], said);
    }

    [Test]
    public async Task A_result_never_replaces_the_file_that_is_read()
    {
        await using var directory = new TemporaryDirectory();
        var text = System.Text.Encoding.UTF8.GetString(TopologyFile.Write(TopologyFile.Read("bridge-pair")));
        var file = directory.Write("cluster.json", text);
        await TestTool.AssertRefusedAsync(["cluster", "run", file, "--out", directory.Path], "--out: ", "and is read");
        Assert.That(File.ReadAllText(file), Is.EqualTo(text));
    }

    [TestCase("--fault: 'burn a at 1s' is not a fault", "bridge-pair", "--fault", "burn a at 1s")]
    [TestCase("unknown node 'z'; allowed: a, b", "bridge-pair", "--fault", "kill z at 1s")]
    [TestCase("node a is not down then", "bridge-pair", "--fault", "damage a *.db bits=8 at 1s")]
    [TestCase("there is no fault 'slow-disk'", "bridge-pair", "--fault", "slow-disk a at 1s")]
    [TestCase("'leave a at 1s' cannot be made", "bridge-pair", "--fault", "leave a at 1s")]
    [TestCase("no link joins two of the sides", "bridge-chain", "--fault", "partition a>c at 1s")]
    [TestCase("begins at the end or later", "bridge-pair", "--fault", "kill a at 1s", "--for", "500ms")]
    [TestCase("--property, column 4: unknown measure 'late'", "bridge-pair", "-p", "P[ late = 0 ]")]
    [TestCase("scenario \"nothing\": there is no such file", "bridge-pair", "--scenario", "nothing")]
    [TestCase("--error: '0.6' is not allowed", "bridge-pair", "--error", "0.6")]
    public Task Wrong_input_is_one_message_that_says_what_is_allowed(string part, params string[] arguments) =>
        TestTool.AssertRefusedAsync(["cluster", "run", .. arguments], part);
}
