using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.App.Runs;

namespace MqttCheck.App.Compare;

/// <summary>A comparison as JSON.</summary>
internal static class CompareFile
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    /// <summary>Writes a comparison as JSON.</summary>
    public static void Write(Stream stream, CompareDocument comparison) =>
        JsonSerializer.Serialize(stream, comparison, s_options);

    /// <summary>Reads what <see cref="Write"/> wrote.</summary>
    /// <exception cref="InputException">The file is missing, malformed or of another format.</exception>
    public static CompareDocument Read(string path) =>
        ResultFile.Read<CompareDocument>(
            path,
            "comparison",
            "mqttcheck-comparison",
            s_options,
            "a file that 'mqttcheck compare' wrote"
        );
}
