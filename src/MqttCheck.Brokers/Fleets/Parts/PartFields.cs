using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>
/// Encodes fields of the messages between the parts of a run. Both sides run the same build, so the properties of a
/// type are its format.
/// </summary>
internal static class PartFields
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        IgnoreReadOnlyProperties = true,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    /// <summary>Writes a value of plain data; null is allowed.</summary>
    public static void WriteValue<T>(this BinaryWriter writer, T value) =>
        writer.Write(JsonSerializer.Serialize(value, s_options));

    /// <summary>Reads the bytes that <see cref="WriteValue"/> wrote.</summary>
    public static T ReadValue<T>(this BinaryReader reader) =>
        JsonSerializer.Deserialize<T>(reader.ReadString(), s_options)!;

    /// <summary>Writes JSON as a text.</summary>
    /// <param name="writer">The writer of the bytes.</param>
    /// <param name="write">Writes the JSON.</param>
    public static void WriteJson(this BinaryWriter writer, Action<Utf8JsonWriter> write)
    {
        using var json = new MemoryStream();
        using (var text = new Utf8JsonWriter(json))
            write(text);
        writer.Write(Encoding.UTF8.GetString(json.ToArray()));
    }
}
