using System.Text.Json;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>Reads the settings of a pipeline.</summary>
internal static class PipelineReader
{
    private static readonly string[] s_clients = ["asynchronous", "synchronous"];

    /// <summary>Reads them; the usual ones for a missing key.</summary>
    public static PipelineSettings Read(JsonTree? tree, JsonFindings findings)
    {
        if (tree is null)
            return new PipelineSettings();
        var reader = new JsonObjectReader(tree, findings);
        var settings = new PipelineSettings
        {
            LingerMilliseconds = reader.Number("lingerMilliseconds", 0, 60_000, 5),
            PackSize = reader.Integer("packSize", 1, 1_000_000, 1000),
            Partitions = reader.Integer("partitions", 1, 1024, 12),
            SessionLimit = reader.Integer("sessionLimit", 1, 65_535, 10_000),
            HasSynchronousStore = ScenarioReader.Choice(reader.Optional("storeClient"), findings, s_clients) == 1,
            Log = Address(reader.Optional("log"), "kafka", findings),
            Store = Address(reader.Optional("store"), "redis", findings),
        };
        reader.End();
        return settings;
    }

    /// <summary>Writes the settings of a pipeline, as the member <c>pipeline</c>.</summary>
    /// <param name="writer">The writer, within the object of a topology.</param>
    /// <param name="topology">The topology.</param>
    public static void Write(Utf8JsonWriter writer, Topology topology)
    {
        if (topology.System != ClusterSystem.Pipeline)
            return;
        var settings = topology.Pipeline;
        writer.WriteStartObject("pipeline");
        writer.WriteNumber("lingerMilliseconds", settings.LingerMilliseconds);
        writer.WriteNumber("packSize", settings.PackSize);
        writer.WriteNumber("partitions", settings.Partitions);
        writer.WriteNumber("sessionLimit", settings.SessionLimit);
        writer.WriteString("storeClient", s_clients[settings.HasSynchronousStore ? 1 : 0]);
        writer.WriteEndObject();
    }

    private static string? Address(JsonTree? tree, string scheme, JsonFindings findings)
    {
        if (tree is null or { Type: JsonTokenType.String, Text: "own" })
            return null;
        if (
            tree.Type == JsonTokenType.String
            && Uri.TryCreate(tree.Text, UriKind.Absolute, out var address)
            && address.Scheme == scheme
            && address is { Port: > 0, Host.Length: > 0, UserInfo.Length: 0 }
        )
            return tree.Text;
        findings.Add(tree, $"{tree.Given} given; allowed: \"own\", or \"{scheme}://HOST:PORT\"");
        return null;
    }
}
