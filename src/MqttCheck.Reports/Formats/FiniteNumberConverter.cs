using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MqttCheck.Reports.Formats;

/// <summary>
/// Numbers with 5 significant digits, which is more than any of them deserves and a third of the size; null where JSON
/// has no number.
/// </summary>
internal sealed class FiniteNumberConverter : JsonConverter<double>
{
    public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.Null ? double.NaN : reader.GetDouble();

    public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options)
    {
        if (double.IsFinite(value))
            writer.WriteRawValue(Text(value), skipInputValidation: true);
        else
            writer.WriteNullValue();
    }

    /// <summary>A finite number as it stands in the document.</summary>
    public static string Text(double value) => value.ToString("G5", CultureInfo.InvariantCulture);
}
