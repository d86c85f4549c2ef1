using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace MqttCheck.Json;

/// <summary>Writes JSON files the same way everywhere: UTF-8, indented by two spaces, newline <c>\n</c>, whole or not at all.</summary>
internal static class JsonText
{
    private static readonly JsonWriterOptions Options = new()
    {
        Indented = true,
        NewLine = "\n",
        // These files are read by people and tools, never embedded in a page without escaping.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

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

    /// <summary>Replaces a file, or leaves it as it was: the text goes to a file beside it, which then takes its name.</summary>
    /// <param name="path">The path of the file.</param>
    /// <param name="text">The new text.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Replace(string path, byte[] text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
        var temporary = path + ".tmp";
        File.WriteAllBytes(temporary, text);
        File.Move(temporary, path, overwrite: true);
    }
}
