using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Formats;

/// <summary>
/// The report as JSON:
/// <c>{ "schema": 1, "overall": verdict or null, "headline": text, "answer": text, "report": { ... } }</c>, where
/// <c>report</c> has the properties of <see cref="ReportInput"/> in camel case. Numbers have 5 significant digits;
/// those that are not finite are null. The HTML page holds the same document
/// with its charts.
/// </summary>
public static class JsonReport
{
    /// <summary>Grows when a reader of the document must change.</summary>
    public const int Schema = 1;

    private static readonly JsonSerializerOptions Compact = Options(indented: false),
        Indented = Options(indented: true);

    /// <summary>Writes the report as UTF-8.</summary>
    /// <param name="stream">The stream for the JSON; it stays open.</param>
    /// <param name="input">The results to write.</param>
    public static void Write(Stream stream, ReportInput input)
    {
        JsonSerializer.Serialize(stream, Document(input), Indented);
    }

    /// <summary>
    /// The document on one line. Safe inside an HTML script element: the encoder writes <c>&lt;</c> as an escape.
    /// </summary>
    internal static string ToCompactText(ReportInput input) => JsonSerializer.Serialize(Document(input), Compact);

    /// <summary>A verdict as it stands in the document.</summary>
    internal static string ToCompactText(VerdictReport verdict) => JsonSerializer.Serialize(verdict, Compact);

    private static JsonDocumentRoot Document(ReportInput input)
    {
        var summary = ReportSummary.Of(input);
        return new(Schema, summary.Overall, summary.Headline, summary.Answer, input);
    }

    private static JsonSerializerOptions Options(bool indented) =>
        new()
        {
            PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
            // Leaves out what is computed from other properties.
            IgnoreReadOnlyProperties = true,
            WriteIndented = indented,
            Converters = { new FiniteNumberConverter(), new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
        };

    private sealed record JsonDocumentRoot(
        int Schema,
        VerdictKind? Overall,
        string Headline,
        string Answer,
        ReportInput Report
    );
}
