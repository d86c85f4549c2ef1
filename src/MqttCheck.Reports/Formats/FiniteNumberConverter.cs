using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MqttCheck.Reports.Formats;

/// <summary>Numbers with 6 significant digits, which is more than any of them deserves and halves the size; null where JSON has no number.</summary>
internal sealed class FiniteNumberConverter : JsonConverter<double>
{
    public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.Null ? double.NaN : reader.GetDouble();

    public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options)
    {
        if (double.IsFinite(value)) writer.WriteRawValue(value.ToString("G6", CultureInfo.InvariantCulture), skipInputValidation: true);
        else writer.WriteNullValue();
    }
}
