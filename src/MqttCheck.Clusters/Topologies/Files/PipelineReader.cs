using System.Text.Json;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The settings of a pipeline.</summary>
internal static class PipelineReader
{
    private static readonly JsonKind<bool> s_client = JsonKinds.Choice([
        ("asynchronous", false),
        ("synchronous", true),
    ]);

    // The addresses are for who starts the nodes.
    private static readonly JsonKind<PipelineSettings> s_kind = JsonFormat.Of<PipelineSettings>(fields =>
        new()
        {
            LingerMilliseconds = fields.Optional(
                "lingerMilliseconds",
                JsonKinds.Number(0, 60_000),
                of => of.LingerMilliseconds,
                5,
                always: true
            ),
            PackSize = fields.Optional(
                "packSize",
                JsonKinds.Integer(1, 1_000_000),
                of => of.PackSize,
                1000,
                always: true
            ),
            Partitions = fields.Optional(
                "partitions",
                JsonKinds.Integer(1, 1024),
                of => of.Partitions,
                12,
                always: true
            ),
            SessionLimit = fields.Optional(
                "sessionLimit",
                JsonKinds.Integer(1, 65_535),
                of => of.SessionLimit,
                10_000,
                always: true
            ),
            HasSynchronousStore = fields.Optional(
                "storeClient",
                s_client,
                of => of.HasSynchronousStore,
                false,
                always: true
            ),
            Log = fields.Nullable("log", Address("kafka"), _ => null),
            Store = fields.Nullable("store", Address("redis"), _ => null),
        }
    );

    /// <summary>Reads them; the usual ones for a missing key.</summary>
    public static PipelineSettings Read(JsonTree? tree, JsonFindings findings) =>
        tree is null ? new() : s_kind.Read(tree, findings);

    /// <summary>Writes the settings of a pipeline, as the member <c>pipeline</c>.</summary>
    /// <param name="writer">The writer, within the object of a topology.</param>
    /// <param name="topology">The topology.</param>
    public static void Write(Utf8JsonWriter writer, Topology topology)
    {
        if (topology.System != ClusterSystem.Pipeline)
            return;
        writer.WritePropertyName("pipeline");
        s_kind.Write(writer, topology.Pipeline);
    }

    private static JsonKind<string> Address(string scheme) =>
        JsonKinds
            .TextWhere(
                $"\"own\", or \"{scheme}://HOST:PORT\"",
                text =>
                    text == "own"
                    || (
                        Uri.TryCreate(text, UriKind.Absolute, out var address)
                        && address.Scheme == scheme
                        && address is { Port: > 0, Host.Length: > 0, UserInfo.Length: 0 }
                    )
            )
            .As(text => text == "own" ? null! : text, text => text);
}
