using System.Text;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Topologies.Files;

[TestFixture]
internal sealed class BridgeFormatTests
{
    [Test]
    public void What_is_given_for_all_brokers_holds_unless_a_broker_says_otherwise()
    {
        var topology = Read(
            """
            "maxQueuedMessages": 50, "options": { "queue_qos0_messages": true, "max_inflight_messages": 5 },
            "nodes": [ { "name": "a", "maxQueuedMessages": 7, "options": { "max_inflight_messages": 9 } }, { "name": "b" } ],
            """
        );
        Assert.That(topology.Nodes.Select(node => node.MaxQueuedMessages), Is.EqualTo((int?[])[7, 50]));
        Assert.That(
            topology.Nodes.Select(node => string.Join(' ', node.Options.OrderBy(one => one.Key))),
            Is.EqualTo([
                "[max_inflight_messages, 9] [queue_qos0_messages, true]",
                "[max_inflight_messages, 5] [queue_qos0_messages, true]",
            ])
        );
    }

    [TestCase("", false, false)]
    [TestCase(", \"cleanSession\": true", true, true)]
    [TestCase(", \"cleanSession\": true, \"localCleanSession\": false", true, false)]
    [TestCase(", \"localCleanSession\": true", false, true)]
    public void The_session_at_the_own_broker_is_as_clean_as_the_one_at_the_other_unless_it_is_said(
        string keys,
        bool isClean,
        bool isLocalClean
    )
    {
        var link = Read(Nodes, keys).Links[0];
        Assert.That((link.IsCleanSession, link.IsLocalCleanSession), Is.EqualTo((isClean, isLocalClean)));
    }

    [TestCase("mosquitto", "", false)]
    [TestCase("emqx", "", true)]
    [TestCase("emqx", ", \"options\": { \"bridge_protocol_version\": \"mqttv50\" }", false)]
    [TestCase("mosquitto", ", \"options\": { \"try_private\": false }", true)]
    public void The_broker_at_the_far_end_and_the_settings_of_a_bridge_decide_whether_it_echoes(
        string broker,
        string keys,
        bool echoes
    )
    {
        var nodes = $$""" "nodes": [ { "name": "a" }, { "name": "b", "broker": "{{broker}}" } ], """;
        Assert.That(Read(nodes, keys).Links[0].IsEchoed, Is.EqualTo(echoes));
        Assert.That(
            BridgeRoutes.OfTopic(Read(nodes, keys), 0, "t").Copies[0],
            Is.EqualTo(echoes ? 2 : 1),
            "an echo is a second copy at the broker that opened the bridge"
        );
    }

    [TestCase("\"remote_password\": \"hunter2\"", "links[0].options.remote_password: no setting that is passed on")]
    [TestCase("\"try_privat\": true", "did you mean 'try_private'?")]
    [TestCase("\"notification_topic\": \"a\\nuser root\"", "allowed: true, false, a number or a text in one line")]
    public void Settings_that_are_not_passed_on_are_refused_without_their_values(string option, string said)
    {
        var wrong = Assert.Throws<InputException>(() => Read(Nodes, $$""", "options": { {{option}} }"""))!;
        Assert.That(wrong.Message, Does.Contain(said).And.Not.Contain("hunter2"));
    }

    [Test]
    public void A_cluster_that_is_written_is_read_with_the_same_settings()
    {
        var topology = Read(
            """ "options": { "sys_interval": 3 }, "nodes": [ { "name": "a", "maxQueuedMessages": 7 }, { "name": "b", "broker": "emqx" } ], """,
            ", \"localCleanSession\": true, \"options\": { \"restart_timeout\": \"1 3\" }"
        );
        var read = TopologyFile.Parse(TopologyFile.Write(topology), "written.json");
        Assert.That(
            read.Nodes.Select(node => (node.Broker, node.MaxQueuedMessages, string.Join(' ', node.Options))),
            Is.EqualTo(
                topology.Nodes.Select(node => (node.Broker, node.MaxQueuedMessages, string.Join(' ', node.Options)))
            )
        );
        Assert.That(
            (read.Links[0].IsLocalCleanSession, read.Links[0].IsEchoed, string.Join(' ', read.Links[0].Options)),
            Is.EqualTo((true, true, "[restart_timeout, 1 3]"))
        );
    }

    [Test]
    public void Programs_may_have_a_store_and_say_what_their_bridges_forward()
    {
        var topology = TopologyFile.Parse(
            """
            { "name": "x", "system": "exec",
              "nodes": [ { "name": "a", "command": "a {port} {peer:b} {peer:db}" }, { "name": "b", "command": "b {port}" },
                         { "name": "db", "kind": "store", "command": "redis-server --port {port}" } ],
              "links": [ { "between": ["a", "b"], "topics": "# out 1" }, { "between": ["a", "db"] } ] }
            """u8,
            "x.json"
        );
        Assert.That(topology.Brokers, Is.EqualTo([0, 1]));
        Assert.That(
            new BridgeReach(topology).Gap(),
            Is.EqualTo("no bridge takes a message of load 'cluster-pairs' on 'mqttcheck/x/3' from b to a")
        );
    }

    [Test]
    public void A_bridge_may_lead_to_a_broker_that_runs_and_to_a_program()
    {
        const string nodes = """
            "nodes": [ { "name": "a" }, { "name": "b", "address": "mqtts://elsewhere:8883", "user": "u", "caFile": "ca.pem" } ],
            """;
        var running = Read(nodes).Nodes[1];
        Assert.That((running.Address, running.Access.User), Is.EqualTo(("mqtts://elsewhere:8883", "u")));
        Assert.That(
            () => Read(nodes + "\"faults\": [ \"kill b at 1s\" ],"),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("'kill b at 1s': node b runs already; allowed: faults")
        );
        Assert.That(() => Read(nodes + "\"faults\": [ \"kill a at 1s\" ],"), Throws.Nothing);
        Assert.That(
            () => Read(""" "nodes": [ { "name": "a" }, { "name": "b", "command": "broker" } ], """),
            Throws.TypeOf<InputException>().With.Message.Contains("nodes[1].command: the command does not say where")
        );
    }

    [TestCase("\"user\": \"u\"", "nodes[1].user: given without address")]
    [TestCase("\"broker\": \"emqx\", \"maxQueuedMessages\": 1", "nodes[1].maxQueuedMessages: given for a broker whose")]
    [TestCase(
        "\"command\": \"x {port}\", \"options\": { \"sys_interval\": 1 }",
        "nodes[1].options: given for a broker"
    )]
    [TestCase("\"command\": \"x {port}\", \"address\": \"mqtt://x\"", "nodes[1].command: given beside address")]
    public void Keys_that_would_do_nothing_are_refused(string keys, string said) =>
        Assert.That(
            () => Read($$""" "nodes": [ { "name": "a" }, { "name": "b", {{keys}} } ], """),
            Throws.TypeOf<InputException>().With.Message.Contains(said)
        );

    private const string Nodes = """ "nodes": [ { "name": "a" }, { "name": "b" } ], """;

    private static Topology Read(string keys, string ofLink = "") =>
        TopologyFile.Parse(
            Encoding.UTF8.GetBytes(
                $$"""
                { "name": "x", "system": "mosquitto-bridge", {{keys}}
                  "links": [ { "between": ["a", "b"], "topics": "# both 1"{{ofLink}} } ] }
                """
            ),
            "x.json"
        );
}
