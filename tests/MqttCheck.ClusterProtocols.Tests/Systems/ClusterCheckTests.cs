using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Clusters.Topologies.Sessions;

namespace MqttCheck.ClusterProtocols.Tests.Systems;

[TestFixture]
internal sealed class ClusterCheckTests
{
    [TestCase("mesh:3")]
    [TestCase("pipeline-p2p")]
    [TestCase("transport-capacity")]
    public void Clients_at_several_nodes_are_refused_by_name_since_nobody_simulates_them(string name)
    {
        var topology = TopologyFile.Read(name);
        var scenario = topology.Scenario with
        {
            Sessions = new SessionLoad(SharedSubscriptions: 1, TakeOvers: 0),
            Properties = [new ScenarioProperty("E[ lost ]", "test")],
        };
        var asked = topology with { Scenario = scenario };
        Assert.That(
            () => ClusterCheck.ThrowIfNotSimulated(asked),
            Throws.TypeOf<InputException>().With.Message.Contains("'sessions' are not simulated")
        );
        Assert.That(
            () => new ClusterPrediction(asked, .01, .05, seed: 1),
            Throws.TypeOf<InputException>().With.Message.Contains("'sessions' are not simulated")
        );
        Assert.That(() => ClusterCheck.ThrowIfNotSimulated(topology), Throws.Nothing);
    }
}
