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
    // The first messages behind a kill are on connections that end, so that nothing more can go wrong with them.
    private const int BehindTheEnd = 20;

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
        var tool = RepositoryFiles.At("src/MqttCheck.Cli/bin/Release/net10.0/MqttCheck.Cli.dll");
        var launcher = new ClusterLauncher(
            new ClusterLaunchOptions
            {
                Observer = events,
                Seed = 1,
                NodeProgram = new BrokerCommand("dotnet", [tool, "node"]),
            }
        );
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
            var plant = planted with { Place = verb == "freeze" ? 3 : BehindTheEnd, IsArmed = false };
            cluster.Begin(plant);
            var outcome = await run.RunAsync(plant, TimeSpan.FromSeconds(3), [fault], ++number, keepsSessions: true);
            // Neither has to be judged near a fault. A number that is turned over may be that of another message.
            string[] ofNumber = plant.Name == "with its number turned over" ? ["content"] : [];
            List<string> unsure = ["order", "dup", .. ofNumber, .. plant.Possible];
            var expected = plant.Expected.Except(unsure).ToHashSet();
            // A message that is lost to a session is lost to durability too.
            var seen = Plant.Seen(outcome).Except([.. unsure, "durability"]).ToHashSet();
            // At QoS 0 nothing is kept for a reader that is away, so that the message may be lost instead.
            var isLostInstead =
                plant.Name == "with QoS 0 instead of 1 from its publisher" && seen.SetEquals((string[])["delivery"]);
            if (!seen.SetEquals(expected) && !isLostInstead)
                wrong.Add($"{plant}: {string.Join(", ", seen)} instead of {string.Join(", ", expected)}");
            else if (expected.Count > 0)
                found++;
        }
        TestContext.Out.WriteLine($"| {name} | {verb} | {number} | {found} | {wrong.Count} |");
        Assert.That(wrong, Is.Empty);
        Assert.That(found, Is.GreaterThanOrEqualTo(20));
    }
}
