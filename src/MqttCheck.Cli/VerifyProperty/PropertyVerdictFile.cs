using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Text;

namespace MqttCheck.Cli.VerifyProperty;

/// <summary>Writes the verdict on a property as JSON.</summary>
internal static class PropertyVerdictFile
{
    /// <summary>The value of <see cref="PropertyVerdict.Format"/>.</summary>
    public const string Format = "mqttcheck-property-verdict";

    /// <summary>The version of the format that is written.</summary>
    public const int Version = 1;

    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        IgnoreReadOnlyProperties = true,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower) },
    };

    /// <summary>The verdict as JSON.</summary>
    public static string Text(PropertyVerdict verdict) => JsonSerializer.Serialize(verdict, s_options);

    /// <summary>Writes a file; an earlier one of that name is replaced whole.</summary>
    /// <param name="path">The path; its folder is created if need be.</param>
    public static void Write(string path, PropertyVerdict verdict) => AtomicFile.Write(path, Text(verdict));
}
