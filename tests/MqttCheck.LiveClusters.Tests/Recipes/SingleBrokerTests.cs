using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Recipes;

namespace MqttCheck.LiveClusters.Tests.Recipes;

internal sealed class SingleBrokerTests
{
    [TestCase("mosquitto:autosave=1s", ClusterSystem.MosquittoBridge, "mosquitto")]
    [TestCase("nats:tuned", ClusterSystem.Nats, "nats")]
    [TestCase("rabbitmq", ClusterSystem.RabbitMq, "rabbitmq")]
    [TestCase("ejabberd", ClusterSystem.Exec, "ejabberd")]
    [TestCase("aedes", ClusterSystem.Exec, "aedes")]
    [TestCase("embedded:nodelay", ClusterSystem.Exec, "embedded")]
    [TestCase("mqttnet", ClusterSystem.Exec, "mqttnet")]
    [TestCase("exec:program -p {port}", ClusterSystem.Exec, "broker")]
    [TestCase("mqtt://localhost", ClusterSystem.Running, "broker")]
    public void A_broker_is_a_cluster_of_one_node(string name, ClusterSystem system, string node)
    {
        var specification = BrokerSpecification.Parse(name);
        var topology = SingleBroker.TopologyOf(specification);
        Assert.That(
            (topology.Name, topology.Broker, topology.System, topology.Links.Count),
            Is.EqualTo((specification.Name, specification.Name, system, 0))
        );
        Assert.That(topology.Nodes.Select(one => one.Name), Is.EqualTo([node]));
    }

    [TestCase("aedes-redis", new[] { "aedes", "redis" })]
    [TestCase("pipeline", new[] { "broker", "log", "store" })]
    public void Programs_that_a_broker_needs_are_nodes_that_serve_no_client(string name, string[] nodes)
    {
        var topology = SingleBroker.TopologyOf(BrokerSpecification.Parse(name));
        Assert.That(topology.Nodes.Select(node => node.Name), Is.EqualTo(nodes));
        Assert.That(topology.Brokers, Is.EqualTo([0]));
        Assert.That(topology.Links.Select(link => link.To), Is.EqualTo(Enumerable.Range(1, nodes.Length - 1)));
    }

    [Test]
    public void A_cluster_that_is_named_as_a_broker_is_its_topology() =>
        Assert.That(
            SingleBroker.TopologyOf(BrokerSpecification.Parse("cluster:bridge-pair")).Nodes,
            Has.Count.EqualTo(2)
        );

    [TestCase("mosquitto:tls")]
    [TestCase("mosquitto:tuned:ws")]
    public void A_transport_that_relays_cannot_read_is_refused(string name) =>
        Assert.That(
            () => SingleBroker.TopologyOf(BrokerSpecification.Parse(name)),
            Throws.TypeOf<InputException>().With.Message.Contains("over TCP")
        );

    [TestCase("aedes-redis", "appendonly", "no")]
    [TestCase("aedes-redis:appendonly=yes", "appendfsync", "everysec")]
    [TestCase("aedes-redis:appendfsync=always", "appendfsync", "always")]
    public async Task Redis_appends_as_the_name_says(string name, string option, string value)
    {
        Installed.Require("redis-server");
        await using var directory = new TemporaryDirectory();
        var topology = SingleBroker.TopologyOf(BrokerSpecification.Parse(name));
        var arguments = ClusterRecipes
            .Of(topology, new(), null, [])
            .Prepare(PlanOf(topology, 1, directory.Path))
            .Arguments.ToList();
        Assert.That(arguments[arguments.IndexOf($"--{option}") + 1], Is.EqualTo(value));
        Assert.That(arguments[arguments.IndexOf("--dir") + 1], Is.EqualTo(directory.Path));
        Assert.That(arguments.Contains("--save"), Is.EqualTo(value != "no"), "Redis keeps its own snapshots");
    }

    [Test]
    public async Task Mosquitto_as_a_cluster_keeps_its_messages_in_the_directory_of_the_node()
    {
        Installed.Require("mosquitto");
        await using var directory = new TemporaryDirectory();
        var topology = SingleBroker.TopologyOf(BrokerSpecification.Parse("mosquitto"));
        ClusterRecipes.Of(topology, new(), null, []).Prepare(PlanOf(topology, 0, directory.Path));
        Assert.That(
            File.ReadAllLines(Path.Combine(directory.Path, "mosquitto.conf")),
            Does.Contain("persistence true").And.Contain($"persistence_location {directory.Path}/")
        );
    }

    [TestCase("queue", "stream", "queue is 'stream'; allowed: classic, quorum")]
    [TestCase("que", "quorum", "there is no option 'que'")]
    public void A_wrong_setting_of_a_topology_is_refused_with_what_is_allowed(string name, string value, string part)
    {
        var topology = new Topology
        {
            Name = "x",
            System = ClusterSystem.RabbitMq,
            Nodes = [new() { Name = "a" }],
            Links = [],
            Settings = new Dictionary<string, string> { [name] = value },
        };
        Assert.That(
            () => ClusterRecipes.Of(topology, new(), null, []),
            Throws.TypeOf<InputException>().With.Message.Contains(part)
        );
    }

    private static ClusterNodePlan PlanOf(Topology topology, int node, string directory) =>
        new()
        {
            Topology = topology,
            Index = node,
            Directory = directory,
            Port = 1883,
            PeerPort = 0,
            Peers = new Dictionary<int, IPEndPoint>(),
        };
}
