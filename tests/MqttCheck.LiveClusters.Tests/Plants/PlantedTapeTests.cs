using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies.Faults;
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
        var outcome = OutcomeOf(PlantedTape.Of(plant, SubscribersOf(plant)));
        Assert.That(
            outcome.Violations.Select(one => one.Invariant).Distinct().Except(plant.Possible),
            Is.EquivalentTo(plant.Expected),
            string.Join('\n', outcome.Violations.Select(one => one.What))
        );
        if (plant.Repeats is { } repeats)
            Assert.That(outcome.Duplicates, Is.EqualTo(repeats));
    }

    // Order is not judged near a fault, and DUP not behind it either: a node may send again what its neighbour sent. A
    // node that leaves is a fault until the end.
    [Test]
    public void A_plant_under_a_fault_is_found_by_the_invariants_that_are_named_for_it(
        [ValueSource(nameof(Faults))] object fault,
        [Values] bool isNear
    )
    {
        var kind = (FaultKind)fault;
        string[] unjudged = isNear || kind == FaultKind.Leave ? ["order", "dup"] : ["dup"];
        var found = 0;
        Assert.Multiple(() =>
        {
            foreach (var planted in Plant.OfMessages)
            {
                var plant = planted with { Place = 3 };
                var outcome = OutcomeOf(PlantedTape.Of(plant, SubscribersOf(plant), kind, isNear));
                var expected = plant.Expected.Except(unjudged).ToList();
                var seen = Plant.Seen(outcome);
                Assert.That(seen.Except(plant.Possible), Is.EquivalentTo(expected), $"{kind}: {plant}");
                found += expected.Count > 0 && expected.TrueForAll(seen.Contains) ? 1 : 0;
            }
        });
        Assert.That(found, Is.GreaterThanOrEqualTo(20));
    }

    private static IEnumerable<object> Faults =>
        FaultKinds.All.Where(kind => !kind.ChangesFiles()).Select(kind => (object)kind);

    private static int SubscribersOf(Plant plant) => plant.Shape == WorkloadShape.FanIn ? 2 : 4;

    private static ClusterOutcome OutcomeOf(IReadOnlyList<ClusterEvent> events)
    {
        var topology = TopologyFile.Read("bridge-pair");
        topology = topology with { Scenario = topology.Scenario with { Settle = TimeSpan.FromMilliseconds(200) } };
        var monitors = RunMonitors.Of(topology, TimeSpan.FromSeconds(1), boundNanoseconds: 0, startNanoseconds: 0);
        var recorder = new ClusterOutcomeRecorder(topology.Scenario.Settle, null, monitors);
        foreach (var one in events)
            recorder.Add(one, isProbe: false);
        var end = events[^1].Nanoseconds + 1_000_000_000;
        return recorder.End(end, end);
    }
}
