using System.Text.Json;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The settings of a pipeline.</summary>
internal static class PipelineFormat
{
    private static readonly JsonKind<bool> s_client = JsonKinds.Choice([
        ("asynchronous", false),
        ("synchronous", true),
    ]);

    private static readonly JsonKind<bool> s_wait = JsonKinds.Choice([("replicas", true), ("none", false)]);

    /// <summary>The settings of a pipeline.</summary>
    public static JsonKind<PipelineSettings> Kind { get; } =
        JsonFormat.Of<PipelineSettings>(fields =>
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
                StoreBatch = fields.Optional(
                    "storeBatch",
                    JsonKinds.Integer(1, 1_000_000),
                    of => of.StoreBatch,
                    1_000_000
                ),
                Log = fields.Nullable("log", Address("kafka"), of => of.Log),
                Store = fields.Nullable("store", Address("redis", PipelineSettings.RedisCluster), of => of.Store),
                StoreReplicas = fields.Optional("storeReplicas", JsonKinds.Integer(0, 3), of => of.StoreReplicas, 1),
                WaitsForReplicas = fields.Optional("storeWait", s_wait, of => of.WaitsForReplicas, true),
            }
        );

    private static JsonKind<string> Address(string scheme, params string[] words) =>
        JsonKinds
            .TextWhere(
                $"\"own\", {string.Concat(words.Select(word => $"\"{word}\", "))}or \"{scheme}://HOST:PORT\"",
                text =>
                    text == "own"
                    || words.Contains(text)
                    || (
                        Uri.TryCreate(text, UriKind.Absolute, out var address)
                        && address.Scheme == scheme
                        && address is { Port: > 0, Host.Length: > 0, UserInfo.Length: 0 }
                    )
            )
            .As(text => text == "own" ? null! : text, text => text);
}
