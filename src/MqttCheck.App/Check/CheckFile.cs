using System.Text.Encodings.Web;
using System.Text.Json;
using MqttCheck.App.Runs;
using MqttCheck.Text;

namespace MqttCheck.App.Check;

/// <summary>The findings of a check as JSON.</summary>
internal static class CheckFile
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Writes the findings; an earlier file of that name is replaced whole.</summary>
    /// <param name="path">The path; its folder is created if need be.</param>
    public static void Write(string path, CheckDocument document) =>
        AtomicFile.Write(path, JsonSerializer.SerializeToUtf8Bytes(document, s_options));

    /// <summary>Reads the findings that <c>mqttcheck check</c> wrote.</summary>
    /// <exception cref="InputException">The file is missing, malformed or of another format.</exception>
    public static CheckDocument Read(string path) =>
        ResultFile.Read<CheckDocument>(
            path,
            "findings",
            CheckDocument.FormatName,
            s_options,
            "a file that 'mqttcheck check' wrote"
        );
}
