using System.Net;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Recipes;

namespace MqttCheck.LiveClusters.Tests.Recipes;

internal sealed class ClusterRecipesTests
{
    private static IEnumerable<ClusterSystem> OwnSystems => Enum.GetValues<ClusterSystem>().Where(ClusterCores.HasCore);

    [TestCaseSource(nameof(OwnSystems))]
    public async Task Nodes_that_are_simulated_at_the_level_of_frames_are_started_too(ClusterSystem system)
    {
        var topology = TopologyFile.Read("mesh:3", system);
        var description = await ClusterRecipes
            .Of(topology, new(), new("program", []), [])
            .DescribeAsync(topology, CancellationToken.None);
        Assert.That(description.Name, Is.EqualTo(system.Name()));
    }

    [Test]
    public async Task Settings_of_brokers_and_of_bridges_reach_their_configuration()
    {
        Installed.Require("mosquitto");
        var topology = TopologyFile.Parse(
            """
            { "name": "x", "system": "mosquitto-bridge", "options": { "queue_qos0_messages": true },
              "nodes": [ { "name": "a", "maxQueuedMessages": 7 }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"], "topics": "# both 1", "localCleanSession": true,
                           "options": { "restart_timeout": "1 3" } } ] }
            """u8,
            "x.json"
        );
        await using var directory = new TemporaryDirectory();
        ClusterRecipes
            .Of(topology, new(), null, [])
            .Prepare(
                new ClusterNodePlan
                {
                    Topology = topology,
                    Index = 0,
                    Directory = directory.Path,
                    Port = 1883,
                    PeerPort = 0,
                    Peers = new Dictionary<int, IPEndPoint> { [1] = new(IPAddress.Loopback, 1884) },
                }
            );
        var lines = File.ReadAllLines(Path.Combine(directory.Path, "mosquitto.conf")).ToList();
        Assert.That(lines, Does.Contain("max_queued_messages 7").And.Contain("queue_qos0_messages true"));
        var connection = lines.IndexOf("connection a-b");
        Assert.That(lines.IndexOf("max_queued_messages 7"), Is.LessThan(connection));
        Assert.That(lines.IndexOf("local_cleansession true"), Is.GreaterThan(connection));
        Assert.That(lines.IndexOf("restart_timeout 1 3"), Is.GreaterThan(connection));
    }

    [Test]
    public async Task A_member_of_RabbitMQ_that_leaves_is_forgotten_by_another_one_and_bridges_cannot_leave()
    {
        var topology = TopologyFile.Read("rabbitmq-3");
        await using var directory = new TemporaryDirectory();
        var recipe = ClusterRecipes.Of(topology, new(), null, []);
        ClusterNodePlan PlanOf(int node) =>
            new()
            {
                Topology = topology,
                Index = node,
                Directory = directory.Path,
                Port = 1883,
                PeerPort = 4711,
                Peers = Enumerable
                    .Range(0, 3)
                    .Where(peer => peer != node)
                    .ToDictionary(peer => peer, peer => new IPEndPoint(recipe.RelayAddress(node, peer), 4711)),
            };
        var command = recipe.Leave(leaving: PlanOf(2), member: PlanOf(0))!;
        Assert.That(recipe.WhyNoLeave, Is.Null);
        Assert.That(
            string.Join(' ', command.Arguments),
            Does.StartWith("-n mq@a ").And.EndsWith("forget_cluster_node mq@c")
        );
        Assert.That(command.Environment["RABBITMQ_CTL_ERL_ARGS"], Does.Contain("-erl_epmd_port 4711 "));
        Assert.That(ClusterRecipes.Of(TopologyFile.Read("bridge-pair"), new(), null, []).WhyNoLeave, Is.Not.Null);
    }
}
