using MqttCheck.Brokers.Fleets;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.LiveClusters.Tests.Verdicts;

/// <summary>A quantity is the same one in a simulated and in a live run.</summary>
[TestFixture]
internal sealed class PredictedAndLiveTests
{
    // A message has as many bytes on a link only if its topic has.
    [TestCase("tree-mesh-5")]
    [TestCase("overlays-table")]
    [TestCase("pipeline-pairs")]
    public void Topics_of_simulated_and_live_runs_have_equal_lengths(string name)
    {
        var read = TopologyFile.Read(name);
        var topology = read with { Scenario = read.Scenario with { TopicPrefix = "plant/" } };
        var simulated = RunClients.Of(topology, ReplicationClients.LoadPrefixOf(topology));
        var live = RunClients.Of(topology, topology.Scenario.TopicPrefix + FleetSetup.NewPrefix());
        Assert.That(
            simulated.Topics.Select(topic => topic.Length),
            Is.EqualTo(live.Topics.Select(topic => topic.Length))
        );
    }
}
