using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Recipes;
using MqttCheck.LiveClusters.Verdicts;
using Shared;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>
/// The plants of <see cref="PlantedTapeTests"/> live, at brokers that keep what they acknowledged through the fault. It
/// takes some minutes, so that scripts/plants asks for it, and the suite has the same plants in memory.
/// </summary>
[Platform("Linux")]
[Explicit("scripts/plants asks for it")]
internal sealed class PlantFaultTests
{
    private readonly ClusterRunSink _sink = new();

    // Whatever goes wrong does so after the fault has begun.
    [TestCase("mosquitto", "freeze")]
    [TestCase("pipeline", "freeze")]
    [TestCase("pipeline", "kill")]
    [TestCase("pipeline", "power")]
    public async Task A_plant_near_a_fault_is_found_by_the_invariants_that_are_named_for_it(string name, string verb)
    {
        if (name == "mosquitto")
            Installed.Require("mosquitto");
        if (verb == "power")
            DiskTraces.Require();
        var fault = FaultText.Read($"{verb} all at 1s for 500ms");
        var single = SingleBroker.TopologyOf(BrokerSpecification.Parse(name));
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
        TestContext.Out.WriteLine($"| {name} | {verb} | {number} | {found} | {wrong.Count} |");
        Assert.That(wrong, Is.Empty);
        Assert.That(found, Is.GreaterThanOrEqualTo(20));
    }
}
