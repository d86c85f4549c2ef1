using MqttCheck.Json;
using MqttCheck.Text;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>Reads topologies: from JSON files, by the name of a built-in one, or by a family such as mesh:5.</summary>
internal static class TopologyFile
{
    private static readonly ClusterResources s_resources = new("clusters/", "cluster", KnownFile.Cluster);

    /// <summary>The names of the built-in topologies, sorted.</summary>
    public static IReadOnlyList<string> BuiltInNames => s_resources.Names;

    /// <summary>Reads a topology.</summary>
    /// <param name="nameOrPath">A built-in name, the path of a JSON file, or a family.</param>
    /// <param name="familySystem">The system that the nodes of a family run.</param>
    /// <exception cref="InputException">
    /// There is no such file, name or family, or the file is wrong: every finding, with file, line and key.
    /// </exception>
    public static Topology Read(string nameOrPath, ClusterSystem familySystem = ClusterSystem.SpanningTree)
    {
        if (TopologyFamily.TryParse(nameOrPath, out var family))
            return family.ToTopology(familySystem);
        if (TopologyFamily.Problem(nameOrPath) is { } problem)
            throw new InputException($"cluster \"{Printable.Value(nameOrPath)}\": {problem}");
        var (bytes, source) = s_resources.Read(nameOrPath, $"a family such as {TopologyFamily.Forms}, ");
        return Parse(bytes, source);
    }

    /// <summary>Reads a topology from text.</summary>
    /// <param name="utf8Json">The JSON text.</param>
    /// <param name="source">The name of the text in messages.</param>
    /// <exception cref="InputException">The text is wrong: every finding.</exception>
    public static Topology Parse(ReadOnlySpan<byte> utf8Json, string source) =>
        TopologyFormat.Kind.Parse(utf8Json, source);

    /// <summary>The text of a topology's file.</summary>
    /// <param name="topology">The topology.</param>
    internal static byte[] Write(Topology topology) => TopologyFormat.Kind.ToBytes(topology);
}
