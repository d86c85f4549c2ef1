using System.Text;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Tests.Topologies.Files;

[TestFixture]
internal sealed class TopologyFileTests
{
    private const string Bridges = """
        { "name": "x", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" }, { "name": "c" } ], "links": [ LINKS ] EXTRA }
        """;

    private const string Chain = """
        { "between": ["a", "b"], "topics": "# both 1" }, { "between": ["b", "c"], "topics": "# both 1" }
        """;

    [Test]
    public void Every_built_in_topology_is_read_and_named_as_its_file([ValueSource(nameof(BuiltIn))] string name)
    {
        var topology = TopologyFile.Read(name);
        Assert.That(topology.Name, Is.EqualTo(name));
        Assert.That(topology.Load.Validate(), Is.Empty);
        Assert.That(topology.Scenario.Properties, Is.Not.Empty);
    }

    [Test]
    public void The_built_in_topologies_are_those_of_the_manual() =>
        Assert.That(
            TopologyFile.BuiltInNames,
            Is.SupersetOf(
                (string[])
                    [
                        "aedes-redis-2",
                        "bridge-chain",
                        "bridge-pair",
                        "bridge-triangle",
                        "nats-3",
                        "nats-3-routes",
                        "overlays-table",
                        "overlays-text",
                        "rabbitmq-3",
                    ]
            )
        );

    [Test]
    public void The_two_set_ups_of_one_cluster_differ_in_the_copies_of_streams_only()
    {
        var (three, usual) = (TopologyFile.Read("nats-3"), TopologyFile.Read("nats-3-routes"));
        Assert.That(
            (three.StreamReplicas, usual.StreamReplicas, three.Nodes, three.Scenario.Faults),
            Is.EqualTo((3, (int?)null, usual.Nodes, usual.Scenario.Faults))
        );
    }

    [Test]
    public void Every_key_is_read()
    {
        var topology = Parse(
            """
            { "name": "plant", "description": "d", "system": "spanning-tree", "rules": "paper", "keepAliveSeconds": 3, "hop": "transport-4.17", "ids": false,
              "nodes": [ { "name": "oslo", "capability": 3 }, { "name": "rome" }, { "name": "bern", "service": "lognormal:0.08ms,0.4" } ],
              "links": [ { "between": ["oslo", "rome"], "delay": "normal:31ms,2ms", "rate": "10Mbit" }, { "between": ["rome", "bern"], "delay": "constant:9ms", "loss": 0.001 } ],
              "sites": [ { "name": "plant-north", "at": "oslo", "delay": "constant:1ms", "publishers": 50, "subscribers": 50 } ],
              "workload": "pairs", "durationSeconds": 90, "settleSeconds": 2, "return": "next",
              "faults": [ "kill oslo at 20s for 10s", "partition oslo|rome,bern at 60s for 5s" ], "properties": [ "P>=0.99[ repair < 3s ]" ] }
            """
        );
        using var _ = Assert.EnterMultipleScope();
        Assert.That(
            (topology.System, topology.Rules, topology.KeepAliveSeconds, topology.Hop, topology.HasIds),
            Is.EqualTo((ClusterSystem.SpanningTree, TreeRules.Paper, 3.0, PeerHopMode.Transport417, false))
        );
        Assert.That(
            topology.Nodes,
            Is.EqualTo(
                (TopologyNode[])
                    [
                        new()
                        {
                            Name = "oslo",
                            Capability = 3,
                            HasOwnCapability = true,
                        },
                        new() { Name = "rome" },
                        new() { Name = "bern", ServiceMilliseconds = new LogNormalLaw(.08, .4) },
                    ]
            )
        );
        Assert.That(
            (
                topology.Links[0].From,
                topology.Links[0].To,
                topology.Links[0].DelayMilliseconds,
                topology.Links[0].BitsPerSecond
            ),
            Is.EqualTo((0, 1, (Law)new NormalLaw(31, 2), (double?)1e7))
        );
        Assert.That((topology.Links[1].Loss, topology.Links[1].BitsPerSecond), Is.EqualTo((.001, (double?)null)));
        Assert.That(
            (topology.Load.Name, topology.Load.Publishers, topology.Load.Subscribers),
            Is.EqualTo(("pairs", 50, 50))
        );
        Assert.That(
            (topology.Sites[0].DelayMilliseconds, topology.Duration),
            Is.EqualTo((new ConstantLaw(1), TimeSpan.FromSeconds(90)))
        );
        Assert.That(
            (topology.Scenario.Settle, topology.Scenario.Return, topology.Scenario.Faults.Count),
            Is.EqualTo((TimeSpan.FromSeconds(2), ClientReturn.Next, 2))
        );
        Assert.That(topology.Scenario.Properties.Single().Text, Is.EqualTo("P>=0.99[ repair < 3s ]"));
    }

    [TestCase("flood", "transport-4.18", "", "")]
    [TestCase("spanning-tree", "transport-4.17", "\"sendQueue\": 3", "")]
    [TestCase("spanning-tree", "qos1", "\"sendQueue\": 3", "transport: a system 'spanning-tree' has no such setting")]
    [TestCase("spanning-tree", "transport-4.17", "\"design\": \"4.18\"", "design is for the system 'transport'")]
    [TestCase("single-overlay", "transport-4.17", "", "hop: a system 'single-overlay' has no transport as its hop")]
    [TestCase("transport", "transport-4.17", "", "hop: a system 'transport' has no transport as its hop")]
    public void A_transport_is_the_hop_of_trees_and_its_settings_are_read(
        string system,
        string hop,
        string settings,
        string finding
    )
    {
        var text = $$"""
            { "name": "t", "system": "{{system}}", "family": "mesh:3", "hop": "{{hop}}", "transport": { {{settings}} } }
            """;
        if (finding.Length > 0)
            Assert.That(() => Parse(text), Throws.TypeOf<InputException>().With.Message.Contain(finding));
        else
            Assert.That(Parse(text).Transport.SendQueue, Is.EqualTo(settings.Length > 0 ? 3 : 200));
    }

    [Test]
    public void The_keys_of_bridges_are_read()
    {
        var topology = Parse(
            Bridges
                .Replace(
                    "LINKS",
                    """
                    { "between": ["a", "b"], "topics": ["t/# out 1 \"\" far/", "cmd in"], "cleanSession": true },
                    { "between": ["b", "a"], "topics": "# out" }, { "between": ["b", "c"], "topics": "# both 2" }
                    """,
                    StringComparison.Ordinal
                )
                .Replace("EXTRA", ", \"persistence\": false", StringComparison.Ordinal)
        );
        Assert.That(topology.Links[0].Topics.Select(topic => topic.RemoteFilter), Is.EqualTo(["far/t/#", "cmd"]));
        Assert.That(topology.Links[1].Topics[0].Direction, Is.EqualTo(BridgeDirection.Out));
        Assert.That((topology.Links[0].IsCleanSession, topology.Links[2].IsCleanSession), Is.EqualTo((true, false)));
        Assert.That((topology.IsPersistent, topology.KeepAliveSeconds), Is.EqualTo((false, 60.0)));
        Assert.That(topology.LinksBetween(0, 1), Is.EqualTo([0, 1]), "each end may open a bridge of its own");
    }

    [TestCase(Chain, ", \"no such key\": 1", "no such key: unknown key")]
    [TestCase("""{ "between": ["a", "b"], "topics": "#" }""", "", "nodes[2]: no links lead from a to c")]
    [TestCase(Chain + """, { "between": ["a", "d"], "topics": "#" }""", "", "links[2].between[1]: unknown node \"d\"")]
    [TestCase(Chain + """, { "between": ["a", "a"], "topics": "#" }""", "", "linked with itself")]
    [TestCase(
        Chain + """, { "between": ["a", "c"], "topics": "a/#/b" }""",
        "",
        "links[2].topics: 'a/#/b' is no bridge"
    )]
    [TestCase(Chain + """, { "between": ["a", "c"], "topics": [] }""", "", "forwards nothing")]
    [TestCase(Chain + """, { "between": ["a", "c"] }""", "", "links[2].topics: the key is missing")]
    [TestCase(Chain, ", \"rules\": \"safe\"", "rules: a system 'mosquitto-bridge' has no such setting")]
    [TestCase(Chain, ", \"streamReplicas\": 3", "allowed: with 'nats'")]
    [TestCase(Chain, ", \"keepAliveSeconds\": 1", "5 .. 65535")]
    [TestCase(
        Chain,
        ", \"faults\": [ \"kill d at 5s\" ]",
        "faults[0]: 'kill d at 5s': unknown node 'd'; allowed: a, b, c"
    )]
    [TestCase(Chain, ", \"faults\": [ \"cut a-c at 5s\" ]", "there is no link 'a-c'; allowed: a-b, b-c")]
    [TestCase(Chain, ", \"faults\": [ \"kill a at 10s\" ]", "it begins at the end or later; allowed: before 10s")]
    [TestCase(Chain, ", \"faults\": [ \"kill a at 11s\" ], \"durationSeconds\": 11", "allowed: before 11s")]
    [TestCase(Chain, ", \"faults\": [ \"burn a at 5s\" ]", "faults[0]: 'burn a at 5s' is not a fault: there is no")]
    [TestCase(Chain, ", \"faults\": [ \"partition a|b,a at 5s\" ]", "node 'a' is named twice")]
    [TestCase(Chain, ", \"workload\": \"nothing\"", "workload: workload \"nothing\": there is no such file")]
    [TestCase(Chain, ", \"workload\": { \"name\": \"w\", \"qos\": 3 }", "workload.qos: 3 given")]
    [TestCase(Chain, ", \"workload\": { \"name\": \"w\", \"subscribers\": 3 }", "as many of each")]
    [TestCase(Chain, ", \"sites\": [ { \"name\": \"s\", \"at\": \"d\" } ]", "sites[0].at: unknown broker \"d\"")]
    [TestCase(Chain, ", \"properties\": [ 5 ]", "properties[0]: 5 given; allowed: a text")]
    public void What_is_wrong_is_said_with_file_line_and_key(string links, string extra, string part)
    {
        var text = Bridges
            .Replace("LINKS", links, StringComparison.Ordinal)
            .Replace("EXTRA", extra, StringComparison.Ordinal);
        var wrong = Assert.Throws<InputException>(() => Parse(text))!.Message;
        Assert.That(wrong.Split('\n'), Has.Length.EqualTo(1).And.All.StartsWith("test.json:1: "));
        Assert.That(wrong, Does.Contain(part));
    }

    [Test]
    public void Every_finding_is_said_at_once_each_with_its_line()
    {
        var wrong = Assert
            .Throws<InputException>(() =>
                Parse(
                    """
                    { "name": "x y", "system": "flood",
                      "nodes": [ { "name": "A" }, { "name": "b" }, { "name": "b" } ],
                      "links": [ { "between": ["b"], "delay": "soon", "rate": "10", "loss": 2 } ] }
                    """
                )
            )!
            .Message;
        Assert.That(
            wrong.Split('\n').Select(line => line.Split(": ")[0] + " " + line.Split(": ")[1]),
            Is.EqualTo([
                "test.json:1 name",
                "test.json:2 nodes[0].name",
                "test.json:2 nodes[2].name",
                "test.json:3 links[0].between",
                "test.json:3 links[0].delay",
                "test.json:3 links[0].rate",
                "test.json:3 links[0].loss",
            ])
        );
    }

    [TestCase("mqtt://h:1883", "mqtt://H", "h:1883 is the address of node a too")]
    [TestCase("mqtt://h", "ftp://h", "no address of a broker given")]
    [TestCase("mqtt://h", "mqtt://user:secret@i", "no address of a broker given")]
    public void Running_brokers_have_addresses_of_their_own(string first, string second, string part)
    {
        var wrong = Assert
            .Throws<InputException>(() =>
                Parse(
                    $$"""
                    { "name": "x", "system": "running", "nodes": [ { "name": "a", "address": "{{first}}" }, { "name": "b", "address": "{{second}}" } ] }
                    """
                )
            )!
            .Message;
        Assert.That(wrong, Does.Contain("nodes[1].address: ").And.Contain(part).And.Not.Contain("secret"));
    }

    [TestCase("b {port} {peer:b}", "b {port} {peer:a}", "each of a -> b -> a needs the address of the next")]
    [TestCase("b {port} {peer:a}", "b {port}", "{peer:a} of node a is no node that it is linked with; allowed: b")]
    [TestCase("b {port} {peer:c}", "b {port}", "{peer:c} of node a")]
    [TestCase("b {peer:b}", "b {port}", "does not say where the port goes")]
    public void Programs_of_the_user_name_peers_that_can_be_started_before_them(string a, string b, string part)
    {
        var wrong = Assert.Throws<InputException>(() => Parse(Programs(a, b)))!.Message;
        Assert.That(wrong.Split('\n'), Has.Length.EqualTo(1));
        Assert.That(wrong, Does.Contain(part));
        Assert.That(
            Parse(Programs("b {port}", "b {port} {peer:a} --name {node}")).Nodes[1].Command,
            Does.Contain("{node}")
        );
    }

    [Test]
    public void A_family_takes_the_place_of_nodes_and_links()
    {
        var topology = Parse("""{ "name": "x", "system": "flood", "family": "ring:6", "delay": "constant:5ms" }""");
        Assert.That((topology.Nodes.Count, topology.Links.Count), Is.EqualTo((6, 6)));
        Assert.That(topology.Links, Has.All.Property("DelayMilliseconds").EqualTo(new ConstantLaw(5)));
        Assert.That(
            () => Parse("""{ "name": "x", "system": "flood", "family": "wheel:6" }"""),
            Throws.TypeOf<InputException>().With.Message.Contains("mesh:5, ring:6")
        );
    }

    [Test]
    public void A_name_that_is_no_file_is_answered_with_what_there_is() =>
        Assert.That(
            () => TopologyFile.Read("plant"),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("there is no such file")
                .And.Message.Contains("mesh:5")
                .And.Message.Contains("bridge-pair")
        );

    [Test]
    public void Brokers_that_share_a_store_have_one_and_lead_to_it()
    {
        const string two = """
            { "name": "x", "system": "aedes-redis", "nodes": [ { "name": "a" }, { "name": "b" } ], "links": [ { "between": ["a", "b"] } ] }
            """;
        Assert.That(() => Parse(two), Throws.TypeOf<InputException>().With.Message.Contains("0 stores and 2 brokers"));
        Assert.That(TopologyFile.Read("aedes-redis-2").Brokers, Is.EqualTo([0, 1]));
    }

    internal static Topology Parse(string json) => TopologyFile.Parse(Encoding.UTF8.GetBytes(json), "test.json");

    private static string Programs(string a, string b) =>
        $$"""
            { "name": "x", "system": "exec", "nodes": [ { "name": "a", "command": "{{a}}" }, { "name": "b", "command": "{{b}}" } ], "links": [ { "between": ["a", "b"] } ] }
            """;

    private static IReadOnlyList<string> BuiltIn() => TopologyFile.BuiltInNames;
}
