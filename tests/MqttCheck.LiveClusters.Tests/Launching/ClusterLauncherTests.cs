using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.Protocol;

namespace MqttCheck.LiveClusters.Tests.Launching;

// In parallel because nodes take seconds to start, most of which they wait.
[Platform("Linux,MacOsX")]
[Parallelizable(ParallelScope.All)]
internal sealed class ClusterLauncherTests
{
    // A node of RabbitMQ takes 7 s of processor time to start, and other tests start brokers at the same time.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    [TestCase("bridge-pair", "mosquitto")]
    [TestCase("bridge-triangle", "mosquitto")]
    [TestCase("nats-3", "nats-server")]
    [TestCase("aedes-redis-2", "redis-server")]
    [TestCase("mesh:2", "rabbitmq-server", ClusterSystem.RabbitMq)]
    [Category("Whole")]
    public async Task A_cluster_starts_a_killed_node_finds_its_files_again_and_nothing_is_left(
        string name,
        string program,
        ClusterSystem familySystem = ClusterSystem.SpanningTree
    )
    {
        Installed.Require(program);
        if (familySystem == ClusterSystem.RabbitMq && !OperatingSystem.IsLinux())
            Assert.Ignore("Its nodes need loopback addresses that only Linux has at once.");
        var topology = TopologyFile.Read(name, familySystem);
        string directory;
        int[] ids;
        await using (
            var launched = (LaunchedCluster)
                await new ClusterLauncher(
                    new ClusterLaunchOptions { Brokers = new() { StartTimeout = Patience } }
                ).StartAsync(topology, CancellationToken.None)
        )
        {
            IClusterUnderTest cluster = launched;
            directory = launched.DirectoryPath;
            Assert.That(cluster.Failure, Is.Null);
            Assert.That(cluster.Endpoints, Has.Count.EqualTo(topology.Brokers.Count));
            var first = await launched.ProcessIdOf(0);
            await cluster.KillAsync(0);
            Assert.That((LiveProcess.Exists(first), cluster.StateOf(0)), Is.EqualTo((false, ClusterNodeState.Down)));
            Assert.That(cluster.Failure, Is.Null, "it was killed on purpose");
            Assert.That(Directory.Exists(Path.Combine(directory, topology.Nodes[0].Name)));
            await cluster.RestartAsync(0);
            Assert.That(await cluster.WaitReadyAsync(0, Patience, CancellationToken.None), Is.Null);
            await cluster.ChangeAsync(0, FaultKind.Freeze, begins: true);
            Assert.That(cluster.StateOf(0), Is.EqualTo(ClusterNodeState.Frozen));
            ids = await Task.WhenAll(Enumerable.Range(0, topology.Nodes.Count).Select(launched.ProcessIdOf));
        }
        Assert.That(ids.Where(LiveProcess.Exists), Is.Empty);
        Assert.That(Directory.Exists(directory), Is.False);
    }

    [Test]
    [Category("Whole")]
    public async Task A_bridge_that_is_cut_is_refused_until_it_is_healed()
    {
        Installed.Require("mosquitto");
        await using var cluster = await new ClusterLauncher(new ClusterLaunchOptions()).StartAsync(
            TopologyFile.Read("bridge-pair"),
            CancellationToken.None
        );
        var before = await cluster.CountersAsync(0, 1);
        Assert.That(before.PacketsOf(PacketType.Connect), Is.EqualTo(1));
        await cluster.DisturbAsync(0, 1, new ClusterFault { Kind = FaultKind.Cut });
        await cluster.HealAsync(0, 1);
        Assert.That(
            async () => (await cluster.CountersAsync(0, 1)).PacketsOf(PacketType.Connect),
            Is.EqualTo(2).After(60).Seconds.PollEvery(100).MilliSeconds
        );
    }

    // It looks at all temporary directories.
    [Test, NonParallelizable]
    public void A_program_that_is_not_installed_is_named_and_nothing_is_left()
    {
        var before = Leftovers();
        var topology = TopologyFile.Parse(
            """
            { "name": "own", "system": "exec", "command": "no-such-broker-anywhere {port}",
              "nodes": [ { "name": "a" }, { "name": "b" } ], "links": [ { "between": ["a", "b"] } ] }
            """u8,
            "own.json"
        );
        Assert.That(
            async () => await new ClusterLauncher(new ClusterLaunchOptions()).StartAsync(topology, default),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.EqualTo(
                    "Command 'no-such-broker-anywhere' is not installed. It is the first word of the command of node a."
                )
        );
        Assert.That(Leftovers(), Is.EquivalentTo(before));
    }

    [Test]
    public void A_node_that_never_becomes_ready_is_named_and_nothing_is_left()
    {
        Installed.Require("sleep");
        var topology = TopologyFile.Parse(
            """
            { "name": "own", "system": "exec", "command": "sh -c 'echo waiting for {peer:b}; sleep 600' {port}",
              "nodes": [ { "name": "a" }, { "name": "b", "command": "sh -c 'sleep 600' {port}" } ],
              "links": [ { "between": ["a", "b"] } ] }
            """u8,
            "own.json"
        );
        var options = new ClusterLaunchOptions { Brokers = new() { StartTimeout = TimeSpan.FromMilliseconds(300) } };
        Assert.That(
            async () => await new ClusterLauncher(options).StartAsync(topology, default),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.StartsWith(
                    "Cluster own: node b does not accept a client within 0.3 s: it does not listen"
                )
        );
    }

    [Test]
    public void A_fault_of_a_server_that_runs_already_is_refused_before_anything_starts()
    {
        var topology = TopologyFile.Read("pipeline-p2p-redis-kafka");
        topology = topology with
        {
            Scenario = topology.Scenario with { Faults = [FaultText.Parse("kill log at 1s", "test")] },
        };
        Assert.That(
            async () => await new ClusterLauncher(new ClusterLaunchOptions()).StartAsync(topology, default),
            Throws
                .TypeOf<InputException>()
                .With.Message.StartsWith(
                    "pipeline-p2p-redis-kafka: fault 'kill log at 1s' hits log, which runs already"
                )
        );
    }

    private static string[] Leftovers() => Directory.GetDirectories(Path.GetTempPath(), "mqttcheck-*");
}
