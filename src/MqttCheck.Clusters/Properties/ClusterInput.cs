using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Properties;

/// <summary>
/// Reads topologies and scenarios as a user gives them, and their properties too: a command that needs none refuses a
/// wrong one all the same.
/// </summary>
internal static class ClusterInput
{
    /// <summary>Reads a topology and its properties.</summary>
    /// <param name="nameOrPath">A built-in name, the path of a JSON file, or a family.</param>
    /// <param name="familySystem">The system that the nodes of a family run.</param>
    /// <exception cref="InputException">There is none, or it is wrong, with file, line and key.</exception>
    public static Topology Topology(string nameOrPath, ClusterSystem familySystem = ClusterSystem.SpanningTree) =>
        Checked(TopologyFile.Read(nameOrPath, familySystem));

    /// <summary>Reads a topology and its properties from text.</summary>
    /// <param name="utf8Json">The JSON text.</param>
    /// <param name="source">The name of the text in messages.</param>
    /// <exception cref="InputException">The text is wrong, with line and key.</exception>
    public static Topology Parse(ReadOnlySpan<byte> utf8Json, string source) =>
        Checked(TopologyFile.Parse(utf8Json, source));

    /// <summary>Reads a scenario and its properties.</summary>
    /// <param name="nameOrPath">A built-in name, or the path of a JSON file.</param>
    /// <exception cref="InputException">There is none, or it is wrong, with file, line and key.</exception>
    public static ClusterScenario Scenario(string nameOrPath)
    {
        var scenario = ScenarioFile.Read(nameOrPath);
        ClusterProperty.Parse(scenario.Properties);
        return scenario;
    }

    private static Topology Checked(Topology topology)
    {
        ClusterProperty.Parse(topology.Scenario.Properties);
        return topology;
    }
}
