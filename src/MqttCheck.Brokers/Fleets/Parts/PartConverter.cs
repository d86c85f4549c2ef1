using System.Text.Json;
using System.Text.Json.Serialization;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>Encodes a type that is not plain data in the description of a part.</summary>
/// <param name="write">Writes a value.</param>
/// <param name="read">Reads a value.</param>
internal sealed class PartConverter<T>(Action<Utf8JsonWriter, T> write, Func<JsonElement, T> read) : JsonConverter<T>
{
    /// <inheritdoc/>
    public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        read(JsonElement.ParseValue(ref reader));

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) => write(writer, value);
}
