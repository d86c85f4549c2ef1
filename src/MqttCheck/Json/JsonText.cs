using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace MqttCheck.Json;

/// <summary>Writes JSON files the same way everywhere: UTF-8, indented by two spaces, newline <c>\n</c>.</summary>
internal static class JsonText
{
    private static readonly JsonWriterOptions Options = new()
    {
        Indented = true,
        NewLine = "\n",
        // These files are read by people and tools, never embedded in a page without escaping.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>The text of a value, with a newline at the end.</summary>
    /// <param name="value">The value.</param>
    public static byte[] Of(JsonNode value) => Of(writer => value.WriteTo(writer));

    /// <summary>The text that a function writes, with a newline at the end.</summary>
    /// <param name="write">Writes one JSON value.</param>
    public static byte[] Of(Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, Options))
            write(writer);
        buffer.Write("\n"u8);
        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>The text that a function writes, without a line break.</summary>
    /// <param name="write">Writes one JSON value.</param>
    public static string Line(Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer))
            write(writer);
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }
}
