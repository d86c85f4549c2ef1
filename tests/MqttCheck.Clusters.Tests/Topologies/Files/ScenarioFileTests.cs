using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Topologies.Files;

[TestFixture]
internal sealed class ScenarioFileTests
{
    [Test]
    public void The_built_in_scenarios_are_the_questions_of_the_manual() =>
        Assert.That(
            ScenarioFile.BuiltInNames,
            Is.EqualTo(["bridge-loop", "bridge-reconnects", "client-moves", "node-dies"])
        );

    [Test]
    public void Every_built_in_scenario_can_be_put_to_every_cluster_that_is_started(
        [Values("bridge-loop", "bridge-reconnects", "client-moves", "node-dies")] string name,
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
}
