using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Recipes;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>
/// The plants of <see cref="PlantedTapeTests"/> live, at a broker that stands still for a while. It takes some minutes,
/// so that scripts/plants asks for it, and the suite has the same plants in memory.
/// </summary>
[Platform("Linux")]
[Explicit("scripts/plants asks for it")]
internal sealed class PlantFaultTests
{
    private readonly ClusterRunSink _sink = new();

    // Whatever goes wrong does so after the fault has begun.
    [Test]
    public async Task A_plant_at_a_frozen_broker_is_found_by_the_invariants_that_are_named_for_it()
    {
        Installed.Require("mosquitto");
        var fault = FaultText.Read("freeze all at 1s for 500ms");
        var single = SingleBroker.TopologyOf(BrokerSpecification.Parse("mosquitto"));
        var topology = single with { Scenario = single.Scenario with { Faults = [fault] } };
        var events = new LiveClusterEvents(_sink);
        var launcher = new ClusterLauncher(new ClusterLaunchOptions { Observer = events, Seed = 1 });
        await using var launched = await launcher.StartAsync(topology, CancellationToken.None);
        await using var cluster = new PlantedCluster(
            topology,
            launched.Endpoints.Select(endpoint => endpoint.Address),
            launched
        );
        var run = new PlantedRun(cluster, events, _sink);
        var (found, wrong, number) = (0, new List<string>(), 0);
        foreach (var planted in Plant.OfMessages)
        {
            var plant = planted with { Place = 3, IsArmed = false };
            cluster.Begin(plant);
            var outcome = await run.RunAsync(plant, TimeSpan.FromSeconds(3), [fault], ++number);
            // Neither has to be judged near a fault.
            var unsure = plant.Expected.Intersect(["order", "dup"]).Concat(plant.Possible).ToList();
            var expected = plant.Expected.Except(unsure).ToHashSet();
            var seen = Plant.Seen(outcome).Except(unsure).ToHashSet();
            if (!seen.SetEquals(expected))
                wrong.Add($"{plant}: {string.Join(", ", seen)} instead of {string.Join(", ", expected)}");
            else if (expected.Count > 0)
                found++;
        }
        TestContext.Out.WriteLine($"| freeze | {number} | {found} | {wrong.Count} |");
        Assert.That(wrong, Is.Empty);
        Assert.That(found, Is.GreaterThanOrEqualTo(20));
    }
}
