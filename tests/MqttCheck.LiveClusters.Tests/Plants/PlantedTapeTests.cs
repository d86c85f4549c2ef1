using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>The plants of <see cref="PlantTests"/>, byte by byte, without sockets, processes and clocks.</summary>
[TestFixture]
internal sealed class PlantedTapeTests
{
    private static IEnumerable<TestCaseData> Plants =>
        Plant
            .All.Index()
            .Where(plant => plant.Item is { IsOfRetained: false, IsOfConnections: false })
            .Select(plant => new TestCaseData(plant.Index).SetArgDisplayNames(plant.Item.Name));

    [TestCaseSource(nameof(Plants))]
    public void A_plant_violates_the_invariants_that_are_named_for_it_and_no_others(int place)
    {
        var plant = Plant.All[place];
        var subscribers = plant.Shape == WorkloadShape.FanIn ? 2 : 4;
        var topology = TopologyFile.Read("bridge-pair");
        topology = topology with { Scenario = topology.Scenario with { Settle = TimeSpan.FromMilliseconds(200) } };
        var monitors = RunMonitors.Of(topology, TimeSpan.FromSeconds(1), boundNanoseconds: 0, startNanoseconds: 0);
        var recorder = new ClusterOutcomeRecorder(topology.Scenario.Settle, null, monitors);
        var events = PlantedTape.Of(plant, subscribers);
        foreach (var one in events)
            recorder.Add(one, isProbe: false);
        var end = events[^1].Nanoseconds + 1_000_000_000;
        var outcome = recorder.End(end, end);
        Assert.That(
            outcome.Violations.Select(one => one.Invariant).Distinct().Except(plant.Possible),
            Is.EquivalentTo(plant.Expected),
            string.Join('\n', outcome.Violations.Select(one => one.What))
        );
        if (plant.Repeats is { } repeats)
            Assert.That(outcome.Duplicates, Is.EqualTo(repeats));
    }
}
