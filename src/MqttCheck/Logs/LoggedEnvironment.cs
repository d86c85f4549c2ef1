using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;

namespace MqttCheck.Logs;

/// <summary>The broker and the machine as JSON, in the file beside a log and in model files.</summary>
internal static class LoggedEnvironment
{
    public static JsonObject Of(LoggedBroker broker) =>
        JsonNodes.Object(
            ("name", broker.Name),
            ("version", broker.Version),
            ("settings", broker.Settings),
            ("details", Of(broker.Details))
        );

    public static JsonObject Of(MachineInformation machine) =>
        JsonNodes.Object(
            ("operatingSystem", machine.OperatingSystem),
            ("cores", machine.Cores),
            ("processor", machine.Processor),
            ("runtime", machine.Runtime)
        );

    // Sorted, because the order of a dictionary is no part of its value.
    public static JsonObject Of(IReadOnlyDictionary<string, string> details) =>
        new(
            details
                .OrderBy(detail => detail.Key, StringComparer.Ordinal)
                .Select(detail => KeyValuePair.Create(detail.Key, (JsonNode?)detail.Value))
        );

    public static LoggedBroker ReadBroker(JsonTree? tree, JsonFindings findings) =>
        tree is null
            ? LoggedBroker.Unknown
            : JsonObjectReader.Read(
                tree,
                findings,
                reader => new LoggedBroker(
                    reader.Text("name", null),
                    reader.Text("version", "unknown"),
                    reader.Text("settings", "unknown"),
                    ReadDetails(reader.Optional("details"), findings)
                )
            );

    public static MachineInformation ReadMachine(JsonTree? tree, JsonFindings findings) =>
        tree is null
            ? MachineInformation.Unknown
            : JsonObjectReader.Read(
                tree,
                findings,
                reader => new MachineInformation(
                    reader.Text("operatingSystem", "unknown"),
                    reader.Integer("cores", 0, int.MaxValue, 0),
                    reader.Text("processor", "unknown"),
                    reader.Text("runtime", "unknown")
                )
            );

    public static IReadOnlyDictionary<string, string> ReadDetails(JsonTree? tree, JsonFindings findings)
    {
        var details = new Dictionary<string, string>(StringComparer.Ordinal);
        if (tree is null)
            return details;
        if (tree.Type != JsonTokenType.StartObject)
            findings.Add(tree, $"{tree.Given} given; allowed: an object with texts");
        foreach (var (key, value) in tree.Members)
        {
            if (value.Type == JsonTokenType.String)
                details[key] = value.Text;
            else
                findings.Add(value, $"{value.Given} given; allowed: a text");
        }
        return details;
    }
}
