using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.Reports.Formats;

namespace MqttCheck.Reports.Marks;

/// <summary>
/// Charts as JSON: what is 0, false or none is left out, and numbers have the digits that those of the report have.
/// </summary>
internal static class ChartJson
{
    private const int Short = 8;

    private static readonly JsonSerializerOptions s_alone = Options();

    /// <summary>A chart by itself, on one line.</summary>
    public static string Of(Chart chart) => JsonSerializer.Serialize(chart, s_alone);

    /// <summary>
    /// Charts that share columns, on one line. A long column is a number in them: its place in <c>columns</c>, where
    /// its numbers stand, or the path to them in a document.
    /// </summary>
    /// <param name="charts">The charts, in an object.</param>
    /// <param name="document">A document in JSON that the reader has as well.</param>
    public static string Of(object charts, string document)
    {
        var columns = new List<IReadOnlyList<double>>();
        var options = Options();
        options.Converters.Add(new ColumnConverter(columns));
        var text = JsonSerializer.Serialize(charts, options);
        var known = new Dictionary<string, string>();
        using var parsed = JsonDocument.Parse(document);
        AddPaths(known, parsed.RootElement, []);
        var written = columns
            .Select(column => JsonSerializer.Serialize(column, s_alone))
            .Select(column => known.GetValueOrDefault(column, column));
        return $"{text[..^1]},\"columns\":[{string.Join(',', written)}]}}";
    }

    private static void AddPaths(Dictionary<string, string> known, JsonElement element, string[] path)
    {
        if (element.ValueKind == JsonValueKind.Object)
            foreach (var property in element.EnumerateObject())
                AddPaths(known, property.Value, [.. path, property.Name]);
        if (element.ValueKind != JsonValueKind.Array)
            return;
        if (element.GetArrayLength() > Short && element[0].ValueKind == JsonValueKind.Number)
            known.TryAdd(element.GetRawText(), JsonSerializer.Serialize(string.Join('.', path)));
        else
            foreach (var (item, place) in element.EnumerateArray().Select((item, place) => (item, place)))
                AddPaths(known, item, [.. path, place.ToString(CultureInfo.InvariantCulture)]);
    }

    private static JsonSerializerOptions Options() =>
        new()
        {
            PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
            IgnoreReadOnlyProperties = true,
            DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault,
            Converters = { new FiniteNumberConverter(), new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
        };

    // Thousands of numbers are written once, however many marks show them.
    private sealed class ColumnConverter(List<IReadOnlyList<double>> columns) : JsonConverter<IReadOnlyList<double>>
    {
        private readonly Dictionary<IReadOnlyList<double>, int> _known = new(ReferenceEqualityComparer.Instance);

        public override IReadOnlyList<double> Read(
            ref Utf8JsonReader reader,
            Type type,
            JsonSerializerOptions options
        ) => throw new NotSupportedException("Charts are only written.");

        public override void Write(Utf8JsonWriter writer, IReadOnlyList<double> value, JsonSerializerOptions options)
        {
            if (value.Count <= Short)
            {
                JsonSerializer.Serialize<IEnumerable<double>>(writer, value, options);
                return;
            }
            if (!_known.TryGetValue(value, out var place))
            {
                _known[value] = place = columns.Count;
                columns.Add(value);
            }
            writer.WriteNumberValue(place);
        }
    }
}
