using System.Text;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Tests.Topologies.Files;

[TestFixture]
internal sealed class ScenarioFileTests
{
    [Test]
    public void The_built_in_scenarios_are_the_questions_of_the_manual() =>
        Assert.That(
            ScenarioFile.BuiltInNames,
            Is.EqualTo([
                "absent-reader",
                "bridge-loop",
                "bridge-reconnects",
                "client-moves",
                "kill",
                "node-dies",
                "power-failure",
                "sessions-at-nodes",
            ])
        );

    [Test]
    public void Every_built_in_scenario_can_be_put_to_every_cluster_that_is_started(
        [Values(
            "absent-reader",
            "bridge-loop",
            "bridge-reconnects",
            "client-moves",
            "kill",
            "node-dies",
            "power-failure",
            "sessions-at-nodes"
        )]
            string name,
        [Values("aedes-redis-2", "bridge-pair", "bridge-chain", "nats-3", "rabbitmq-3", "mesh:5")] string cluster
    )
    {
        var scenario = ScenarioFile.Read(name);
        var changed = ScenarioFile.Apply(TopologyFile.Read(cluster), scenario, name);
        Assert.That(changed.Scenario.Name, Is.EqualTo(name));
        Assert.That(changed.Load.Validate(), Is.Empty);
    }

    [Test]
    public void A_scenario_whose_faults_do_not_fit_is_refused_with_every_reason()
    {
        var scenario = ScenarioFile.Parse(
            """{ "name": "s", "durationSeconds": 10, "faults": [ "kill z at 1s", "cut a-b at 20s" ] }"""u8,
            "s.json"
        );
        var wrong = Assert
            .Throws<InputException>(() => ScenarioFile.Apply(TopologyFile.Read("bridge-pair"), scenario, "s.json"))!
            .Message;
        Assert.That(wrong.Split('\n'), Has.Length.EqualTo(2).And.All.StartsWith("s.json: fault '"));
        Assert.That(wrong, Does.Contain("unknown node 'z'").And.Contain("before 10s"));
    }

    [Test]
    public void A_scenario_keeps_the_topics_and_the_clients_of_a_topology_with_sites()
    {
        var topology = TopologyFile.Parse(
            """
            { "name": "plant", "system": "mosquitto-bridge", "nodes": [ { "name": "hall" }, { "name": "office" } ],
              "links": [ { "between": ["hall", "office"], "topics": "sensors/# out 1" } ], "topicPrefix": "sensors/",
              "sites": [ { "name": "machines", "at": "hall", "publishers": 4 },
                         { "name": "desks", "at": "office", "subscribers": 4 } ] }
            """u8,
            "plant.json"
        );
        var moved = ScenarioFile.Apply(topology, ScenarioFile.Read("node-dies"), "test");
        Assert.That(
            (moved.Scenario.TopicPrefix, moved.Load.Publishers, moved.Load.Subscribers),
            Is.EqualTo(("sensors/", 4, 4))
        );
        Assert.That(moved.Load.PersistentSubscribers);
    }

    [Test]
    public void Every_scenario_can_be_put_to_more_publishers_than_subscribers_and_to_fewer(
        [ValueSource(nameof(Names))] string name,
        [Values(12, 4)] int publishers
    )
    {
        var topology = TopologyFile.Parse(
            Encoding.UTF8.GetBytes(
                $$"""
                { "name": "plant", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
                  "links": [ { "between": ["a", "b"], "topics": "# both 1" } ],
                  "sites": [ { "name": "sensors", "at": "a", "publishers": {{publishers}} },
                             { "name": "readers", "at": "b", "subscribers": {{16 - publishers}} } ] }
                """
            ),
            "plant.json"
        );
        var load = ScenarioFile.Apply(topology, ScenarioFile.Read(name), "test").Load;
        Assert.That((load.Publishers, load.Subscribers), Is.EqualTo((publishers, 16 - publishers)));
        Assert.That(load.Validate(), Is.Empty);
        // Each of 4 readers has 3 sensors of its own; each message of 4 sensors goes to all readers.
        var shape = publishers == 12 ? WorkloadShape.FanIn : WorkloadShape.FanOut;
        Assert.That(load.Shape, Is.EqualTo(name == "bridge-loop" ? WorkloadShape.FanOut : shape));
        Assert.That(topology.Load.Shape, Is.EqualTo(shape), "without a scenario too");
    }

    [Test]
    public void Sessions_at_several_nodes_are_read_and_need_two_brokers()
    {
        var scenario = ScenarioFile.Parse("""{ "name": "s", "sessions": { "takeOvers": 3 } }"""u8, "s.json");
        Assert.That(scenario.Sessions, Is.EqualTo(new SessionLoad(SharedSubscriptions: 0, TakeOvers: 3)));
        Assert.That(
            ScenarioFile.Apply(TopologyFile.Read("bridge-pair"), scenario, "s.json").Scenario,
            Is.EqualTo(scenario)
        );
        var alone = TopologyFile.Parse(
            """{ "name": "x", "system": "flood", "nodes": [ { "name": "a" } ] }"""u8,
            "x.json"
        );
        const string Reason = "there is one broker, and these clients are at several; allowed: at least two brokers";
        Assert.That(
            () => ScenarioFile.Apply(alone, scenario, "s.json"),
            Throws.TypeOf<InputException>().With.Message.EqualTo($"s.json: sessions: {Reason}")
        );
        Assert.That(
            () =>
                TopologyFile.Parse(
                    """{ "name": "x", "system": "flood", "nodes": [ { "name": "a" } ], "sessions": { "takeOvers": 1 } }"""u8,
                    "x.json"
                ),
            Throws.TypeOf<InputException>().With.Message.EqualTo($"x.json:1: sessions: {Reason}")
        );
        Assert.That(
            () => ScenarioFile.Parse("""{ "name": "s", "sessions": { "takeOvers": 1001 } }"""u8, "s.json"),
            Throws.TypeOf<InputException>().With.Message.Contains("sessions.takeOvers")
        );
    }

    private static IReadOnlyList<string> Names() => ScenarioFile.BuiltInNames;

    [TestCase("sensors")]
    [TestCase("+/")]
    [TestCase("/")]
    public void A_topic_prefix_has_levels_and_a_slash_at_the_end(string prefix) =>
        Assert.That(
            () => ScenarioFile.Parse(Encoding.UTF8.GetBytes($$"""{ "name": "x", "topicPrefix": "{{prefix}}" }"""), "s"),
            Throws.TypeOf<InputException>().With.Message.StartsWith($"s:1: topicPrefix: \"{prefix}\" given; allowed: ")
        );
}
