using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Recipes;

namespace MqttCheck.LiveClusters.Tests.Recipes;

internal sealed class ClusterRecipesTests
{
    private static IEnumerable<ClusterSystem> OwnSystems => Enum.GetValues<ClusterSystem>().Where(ClusterCores.HasCore);

    [TestCaseSource(nameof(OwnSystems))]
    public async Task Nodes_that_are_simulated_at_the_level_of_frames_are_started_too(ClusterSystem system)
    {
        var topology = TopologyFile.Read("mesh:3", system);
        var description = await ClusterRecipes
            .Of(topology, null, new("program", []), [])
            .DescribeAsync(topology, CancellationToken.None);
        Assert.That(description.Name, Is.EqualTo(system.Name()));
    }
}
