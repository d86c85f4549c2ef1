using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Properties.Histories;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Cli.Cluster;

/// <summary>The messages of a run in <c>cluster.json</c>, one in a line, because there are thousands.</summary>
internal static class MessageRows
{
    private static readonly string[] s_columns =
    [
        "publisher",
        "number",
        "node",
        "sentMilliseconds",
        "acknowledgedMilliseconds",
        "fate",
        "deliveredMilliseconds",
    ];

    /// <summary>The history of a run, for the file.</summary>
    public static object Of(Topology topology, RunHistory history) =>
        new
        {
            history.Published,
            history.Acknowledged,
            history.Lost,
            LateAfterMilliseconds = history.LateAfterNanoseconds / 1e6,
            Faults = history.Faults.Select(fault => new
            {
                fault.Text,
                Kind = fault.Kind,
                At = fault.Place(node => topology.Nodes[node].Name),
                BeginMilliseconds = Milliseconds(fault.Begin),
                EndMilliseconds = Milliseconds(fault.End),
                BridgesRestoredMilliseconds = Milliseconds(fault.Restored),
            }),
            Columns = s_columns,
            Messages = new Rows([.. history.Messages.Select(message => RowOf(topology, history.Names, message))]),
            MessagesLeftOut = history.Published - history.Messages.Count,
        };

    private static string RowOf(Topology topology, ClientNames names, in SentMessage message) =>
        string.Join(
            ", ",
            JsonSerializer.Serialize(names.Of(message.Publisher)),
            message.Number.ToString(CultureInfo.InvariantCulture),
            JsonSerializer.Serialize(topology.Nodes[message.Node].Name),
            Written(message.SentNanoseconds),
            Written(message.AcknowledgedNanoseconds),
            JsonSerializer.Serialize(JsonNamingPolicy.KebabCaseLower.ConvertName(message.Fate.ToString())),
            Written(message.DeliveredNanoseconds)
        );

    private static string Written(long? nanoseconds) =>
        Milliseconds(nanoseconds) is { } known ? known.ToString("0.###", CultureInfo.InvariantCulture) : "null";

    private static double? Milliseconds(long? nanoseconds) => nanoseconds / 1000 / 1e3;

    /// <summary>Messages.</summary>
    /// <param name="Cells">The cells of each in JSON, without brackets.</param>
    internal sealed record Rows(IReadOnlyList<string> Cells);

    /// <summary>Writes each message in a line; the usual writer would take a line for each cell.</summary>
    internal sealed class Converter : JsonConverter<Rows>
    {
        private const string Indent = "\n          ";

        /// <inheritdoc/>
        public override Rows Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options) =>
            throw new NotSupportedException();

        /// <inheritdoc/>
        public override void Write(Utf8JsonWriter writer, Rows value, JsonSerializerOptions options) =>
            writer.WriteRawValue($"[{string.Join(",", value.Cells.Select(cells => $"{Indent}[{cells}]"))}]");
    }
}
