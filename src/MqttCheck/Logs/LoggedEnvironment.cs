using System.Text.Json;
using MqttCheck.Json;

namespace MqttCheck.Logs;

/// <summary>The broker and the machine as JSON, in the file beside a log and in model files.</summary>
internal static class LoggedEnvironment
{
    public static void Write(Utf8JsonWriter writer, LoggedBroker broker)
    {
        writer.WriteStartObject();
        writer.WriteString("name", broker.Name);
        writer.WriteString("version", broker.Version);
        writer.WriteString("settings", broker.Settings);
        writer.WritePropertyName("details");
        Write(writer, broker.Details);
        writer.WriteEndObject();
    }

    public static void Write(Utf8JsonWriter writer, MachineInformation machine)
    {
        writer.WriteStartObject();
        writer.WriteString("operatingSystem", machine.OperatingSystem);
        writer.WriteNumber("cores", machine.Cores);
        writer.WriteString("processor", machine.Processor);
        writer.WriteString("runtime", machine.Runtime);
        writer.WriteEndObject();
    }

    // Sorted, because the order of a dictionary is no part of its value.
    public static void Write(Utf8JsonWriter writer, IReadOnlyDictionary<string, string> details)
    {
        writer.WriteStartObject();
        foreach (var (key, value) in details.OrderBy(detail => detail.Key, StringComparer.Ordinal))
            writer.WriteString(key, value);
        writer.WriteEndObject();
    }

    public static LoggedBroker ReadBroker(JsonTree? tree, JsonFindings findings)
    {
        if (tree is null)
            return LoggedBroker.Unknown;
        var reader = new JsonObjectReader(tree, findings);
        var broker = new LoggedBroker(
            reader.Text("name", null),
            reader.Text("version", "unknown"),
            reader.Text("settings", "unknown"),
            ReadDetails(reader.Optional("details"), findings)
        );
        reader.End();
        return broker;
    }

    public static MachineInformation ReadMachine(JsonTree? tree, JsonFindings findings)
    {
        if (tree is null)
            return MachineInformation.Unknown;
        var reader = new JsonObjectReader(tree, findings);
        var machine = new MachineInformation(
            reader.Text("operatingSystem", "unknown"),
            reader.Integer("cores", 0, int.MaxValue, 0),
            reader.Text("processor", "unknown"),
            reader.Text("runtime", "unknown")
        );
        reader.End();
        return machine;
    }

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
