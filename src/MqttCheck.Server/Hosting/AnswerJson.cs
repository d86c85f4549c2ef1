using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Server.Hosting;

/// <summary>How answers are written as JSON.</summary>
internal static class AnswerJson
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        // These answers are read as JSON, never as a page.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        Converters =
        {
            new JsonStringEnumConverter(JsonNamingPolicy.CamelCase),
            new AsInReport<VerdictReport>(JsonReport.ToCompactText),
            new AsInReport<Chart>(ChartJson.Of),
        },
    };

    /// <summary>A value on one line. Numbers are written so that they read back to the bit.</summary>
    public static byte[] Of(object value) => JsonSerializer.SerializeToUtf8Bytes(value, value.GetType(), s_options);

    // Verdicts and charts are written as in a report.
    private sealed class AsInReport<T>(Func<T, string> text) : JsonConverter<T>
    {
        public override T Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options) =>
            throw new NotSupportedException($"A {typeof(T).Name} is only written.");

        public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) =>
            writer.WriteRawValue(text(value));
    }
}
