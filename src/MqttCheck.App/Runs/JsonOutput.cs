using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace MqttCheck.App.Runs;

/// <summary>JSON that a command prints: indented, one newline between lines, letters as they are.</summary>
internal static class JsonOutput
{
    private static readonly JsonWriterOptions s_options = new()
    {
        Indented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>The text that a function writes.</summary>
    /// <param name="write">Writes one JSON value.</param>
    public static string Of(Action<Utf8JsonWriter> write)
    {
        using var stream = new MemoryStream();
        using (var writer = new Utf8JsonWriter(stream, s_options))
            write(writer);
        return Encoding.UTF8.GetString(stream.ToArray());
    }
}
