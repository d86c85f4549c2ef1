using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Tests.Mosquitto.Joining;

[TestFixture]
internal sealed class ConfTopologyTests
{
    [Test]
    public void A_bridge_to_a_port_of_this_host_is_a_link_to_the_file_that_listens_there()
    {
        var cluster = Confs.Topology(
            Confs.Of("a", 1883, Confs.Bridge("127.0.0.1:1884", "x/# out 1", "y/# in 2 l/ r/")),
            Confs.Of("b", 1884)
        );
        var link = cluster.Topology.Links.Single();
        Assert.That(cluster.Topology.System, Is.EqualTo(ClusterSystem.MosquittoBridge));
        Assert.That(cluster.Topology.Nodes.Select(node => node.Name), Is.EqualTo(["a", "b"]));
        Assert.That((link.From, link.To, link.Name, link.Topics.Count), Is.EqualTo((0, 1, "c", 2)));
        Assert.That((link.IsEchoed, link.IsVersion5), Is.EqualTo((false, false)));
        Assert.That(cluster.Links.Single().Match, Is.EqualTo(ConfMatch.Listener));
        Assert.That(cluster.Nodes[1].Addresses, Is.EqualTo(["127.0.0.1:1884"]));
    }

    [Test]
    public void An_address_of_no_file_is_a_node_outside_and_two_bridges_to_it_share_that()
    {
        var cluster = Confs.Topology(
            Confs.Of("a", 1883, Confs.Bridge("broker.example:8883", "# out")),
            Confs.Of("b", 1884, Confs.Bridge("Broker.example:8883", "# out"), Confs.Bridge("10.0.0.9:1", "# in"))
        );
        Assert.That(
            cluster.Topology.Nodes.Select(node => (node.Name, node.IsOutside)),
            Is.EqualTo([("a", false), ("b", false), ("outside1", true), ("outside2", true)])
        );
        Assert.That(cluster.Topology.Links.Select(link => link.To), Is.EqualTo([2, 2, 3]));
        Assert.That(cluster.Nodes[2].Addresses, Is.EqualTo(["broker.example:8883"]));
    }

    [Test]
    public void A_host_of_the_name_of_a_file_is_that_file_and_another_host_is_matched_by_its_port_alone()
    {
        var b = Confs.Of("b", 1883);
        Assert.That(Match("b:1883"), Is.EqualTo(("b", ConfMatch.Name)));
        Assert.That(Match("b.plant.example:1883"), Is.EqualTo(("b", ConfMatch.Name)));
        Assert.That(Match("10.0.0.2:1883"), Is.EqualTo(("b", ConfMatch.PortAlone)));
        // Its own listener has the port too, but it is no other host.
        Assert.That(Match("10.0.0.2:1882"), Is.EqualTo(("outside1", ConfMatch.Outside)));
        // Services that everybody knows are nobody's file.
        Assert.That(Match("a1-ats.iot.eu-west-1.amazonaws.com:1883"), Is.EqualTo(("outside1", ConfMatch.Outside)));

        (string, ConfMatch) Match(string address)
        {
            var cluster = Confs.Topology(Confs.Of("a", 1882, Confs.Bridge(address, "# out")), b);
            return (cluster.Nodes[cluster.Topology.Links[0].To].Name, cluster.Links[0].Match);
        }
    }

    [Test]
    public void A_listener_that_is_bound_elsewhere_takes_no_connection()
    {
        Assert.That(Match("10.0.0.2", "10.0.0.2:1883"), Is.EqualTo(ConfMatch.Listener));
        Assert.That(Match("10.0.0.3", "10.0.0.2:1883"), Is.EqualTo(ConfMatch.Outside));
        Assert.That(Match("127.0.0.1", "10.0.0.2:1883"), Is.EqualTo(ConfMatch.Outside));
        Assert.That(Match("127.0.0.1", "localhost:1883"), Is.EqualTo(ConfMatch.Listener));
        Assert.That(Match("10.0.0.2", "localhost:1883"), Is.EqualTo(ConfMatch.Outside));

        static ConfMatch Match(string bound, string address)
        {
            var b = Confs.Of("b", 1883);
            b = b with { Listeners = [b.Listeners[0] with { Host = bound }] };
            return Confs.Topology(Confs.Of("a", 1882, Confs.Bridge(address, "# out")), b).Links[0].Match;
        }
    }

    [Test]
    public void An_address_that_fits_several_files_is_refused_with_the_option_that_tells_which()
    {
        MosquittoConf[] files =
        [
            Confs.Of("a", 1882, Confs.Bridge("localhost:1883", "# out")),
            Confs.Of("b", 1883),
            Confs.Of("d", 1883),
        ];
        Assert.That(
            () => Confs.Topology(files),
            Throws
                .InstanceOf<InputException>()
                .With.Message.EqualTo(
                    "a.conf:11: localhost:1883 fits several files: b (b.conf), d (d.conf); allowed: "
                        + "--at localhost:1883=NAME, such as --at localhost:1883=b"
                )
        );
        var told = ConfTopology.Of(
            files,
            new Dictionary<string, string> { ["localhost:1883"] = "d" },
            new Dictionary<string, BridgePeer>()
        );
        Assert.That((told.Topology.Links[0].To, told.Links[0].Match), Is.EqualTo((2, ConfMatch.Told)));
    }

    [Test]
    public void Two_hosts_are_not_one_file_by_its_port_alone()
    {
        Assert.That(
            () =>
                Confs.Topology(
                    Confs.Of(
                        "a",
                        1882,
                        Confs.Bridge("10.0.0.2:1883", "# out"),
                        Confs.Bridge("cloud.example:1883", "#")
                    ),
                    Confs.Of("b", 1883)
                ),
            Throws
                .InstanceOf<InputException>()
                .With.Message.StartsWith("a.conf:21: cloud.example:1883 and 10.0.0.2:1883 (a.conf:11) are different")
        );
    }

    [Test]
    public void A_bridge_to_the_broker_itself_is_a_link_to_itself()
    {
        var cluster = Confs.Topology(Confs.Of("a", 1883, Confs.Bridge("localhost:1883", "# out")));
        Assert.That((cluster.Topology.Links[0].From, cluster.Topology.Links[0].To), Is.EqualTo((0, 0)));
        // Mosquitto 2.0.11: a message of x goes round for ever.
        Assert.That(BridgeRoutes.OfTopic(cluster.Topology, 0, "x").Loop, Is.EqualTo([0, 0]));
    }

    [Test]
    public void The_broker_of_a_node_decides_whether_a_bridge_is_echoed()
    {
        var a = Confs.Of("a", 1882, Confs.Bridge("far:1883", "# both 1"));
        Assert.That(IsEchoed(a, BridgePeer.Mosquitto), Is.False);
        Assert.That(IsEchoed(a, BridgePeer.Emqx), Is.True);
        Assert.That(IsEchoed(With(bridge => bridge with { TriesPrivate = false }), BridgePeer.Mosquitto), Is.True);
        Assert.That(IsEchoed(With(bridge => bridge with { ProtocolVersion = 5 }), BridgePeer.Emqx), Is.False);
        Assert.That(IsEchoed(With(bridge => bridge with { ProtocolVersion = 5 }), BridgePeer.RabbitMq), Is.True);

        MosquittoConf With(Func<ConfBridge, ConfBridge> change) => a with { Bridges = [change(a.Bridges[0])] };
        static bool IsEchoed(MosquittoConf file, BridgePeer peer) =>
            ConfTopology
                .Of(
                    [file],
                    new Dictionary<string, string>(),
                    new Dictionary<string, BridgePeer> { ["outside1"] = peer }
                )
                .Topology.Links[0]
                .IsEchoed;
    }

    [TestCase("nowhere:1=b", "", "--at: no bridge leads to nowhere:1; allowed: far:1883")]
    [TestCase("far:1883=B", "", "--at far:1883=B: no name of a node given")]
    [TestCase("", "d=emqx", "--broker: d is no node; allowed: a, outside1")]
    public void A_word_of_the_user_that_fits_nothing_is_refused(string at, string broker, string message)
    {
        var file = Confs.Of("a", 1882, Confs.Bridge("far:1883", "# both 1"));
        Assert.That(
            () =>
                ConfTopology.Of([file], Pairs(at, name => name), Pairs(broker, name => BridgePeers.Named(name)!.Value)),
            Throws.InstanceOf<InputException>().With.Message.StartsWith(message)
        );

        static Dictionary<string, T> Pairs<T>(string text, Func<string, T> value) =>
            text.Length == 0 ? [] : new() { [text.Split('=')[0]] = value(text.Split('=')[1]) };
    }

    [Test]
    public void Files_without_any_bridge_are_nodes_without_links()
    {
        var cluster = Confs.Topology(Confs.Of("a", 1883), Confs.Of("b", 1884));
        Assert.That((cluster.Topology.Nodes.Count, cluster.Topology.Links.Count), Is.EqualTo((2, 0)));
        Assert.That(BridgeRoutes.Of(cluster.Topology), Is.Empty);
    }
}
