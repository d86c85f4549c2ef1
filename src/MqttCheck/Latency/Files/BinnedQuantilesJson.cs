using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;

namespace MqttCheck.Latency.Files;

/// <summary>
/// The parameters of a <see cref="BinnedQuantilesModel"/> in a model file: per kind the pooling rule and the cells that
/// were seen.
/// </summary>
internal static class BinnedQuantilesJson
{
    private const int MostKnots = QuantileTable.BodyIntervals + QuantileTable.TailIntervals + 1;

    public static void Write(Utf8JsonWriter writer, IReadOnlyDictionary<int, QuantileTable> own, PoolingRule?[] rules)
    {
        for (var kind = 0; kind < MessageKinds.Count; kind++)
        {
            if (rules[kind] is not { } rule)
                continue;
            writer.WriteStartObject(((MessageKind)kind).Name());
            WriteRule(writer, rule);
            writer.WriteStartArray("cells");
            foreach (var (cell, table) in own)
            {
                if (cell / FeatureBins.CellsPerKind != kind)
                    continue;
                // A cell per line: indented like the rest, the file would be five times as long.
                writer.WriteRawValue(CellText(cell, table));
            }
            writer.WriteEndArray();
            writer.WriteEndObject();
        }
    }

    public static BinnedQuantilesModel Read(JsonObjectReader reader, JsonFindings findings)
    {
        var own = new Dictionary<int, QuantileTable>();
        var rules = new PoolingRule?[MessageKinds.Count];
        for (var kind = 0; kind < rules.Length; kind++)
        {
            if (reader.Optional(((MessageKind)kind).Name()) is not { } tree)
                continue;
            var inner = new JsonObjectReader(tree, findings);
            rules[kind] = ReadRule(inner, findings);
            var cells = inner.Array("cells", "an array of cells");
            if (cells.Count == 0 && tree.Member("cells") is { } empty)
                findings.Add(empty, "no cell given; allowed: at least one");
            foreach (var item in cells)
                ReadCell(item, kind, own, findings);
            inner.End();
        }
        if (own.Count == 0 && findings.Count == 0)
            findings.Add(reader.Tree, "no kind of message given; allowed: at least one");
        return new(own, findings.Count > 0 ? new PoolingRule?[MessageKinds.Count] : rules);
    }

    /// <summary>Writes a table that belongs to no cell.</summary>
    public static void WriteTable(Utf8JsonWriter writer, QuantileTable table) =>
        writer.WriteRawValue($"{{{TableText(table)}}}");

    /// <summary>Reads a table that belongs to no cell.</summary>
    public static QuantileTable ReadTable(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(tree, findings, reader => ReadTable(reader, tree, findings));

    private static void WriteRule(Utf8JsonWriter writer, PoolingRule rule) =>
        JsonNodes.WriteMembers(
            writer,
            ("fewestExchanges", rule.Fewest),
            ("distance", Of(rule.Weights)),
            ("maxima", rule.Maxima ? true : null),
            ("trend", rule.Trend is { } trend ? Of(trend) : null)
        );

    private static JsonObject Of(PoolingWeights weights) =>
        JsonNodes.Object(
            ("active", weights.Active),
            ("subscribers", weights.Subscribers),
            ("recentActivity", weights.RecentActivity)
        );

    private static JsonObject Of(LatencyTrend trend) =>
        JsonNodes.Object(
            ("intercept", trend.Intercept),
            ("active", trend.Active),
            ("subscribers", trend.Subscribers),
            ("recentActivity", trend.RecentActivity),
            ("floor", trend.Floor)
        );

    private static PoolingRule ReadRule(JsonObjectReader reader, JsonFindings findings) =>
        new(
            reader.Integer("fewestExchanges", 1, int.MaxValue),
            reader.Required("distance", "an object with a weight per feature") is { } distance
                ? ReadWeights(distance, findings)
                : new(1, 1, 1),
            Maxima: reader.OptionalFlag("maxima"),
            Trend: reader.Optional("trend", ReadTrend)
        );

    private static PoolingWeights ReadWeights(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new PoolingWeights(
                reader.Integer("active", 1, PoolingWeights.Greatest),
                reader.Integer("subscribers", 1, PoolingWeights.Greatest),
                reader.Integer("recentActivity", 1, PoolingWeights.Greatest)
            )
        );

    private static LatencyTrend ReadTrend(JsonTree tree, JsonFindings findings)
    {
        return JsonObjectReader.Read(
            tree,
            findings,
            reader => new LatencyTrend(
                Slope(reader, "intercept"),
                Slope(reader, "active"),
                Slope(reader, "subscribers"),
                Slope(reader, "recentActivity"),
                reader.Number("floor", double.Epsilon, double.MaxValue)
            )
        );

        static double Slope(JsonObjectReader reader, string key) =>
            reader.Number(key, double.MinValue, double.MaxValue);
    }

    private static string CellText(int cell, QuantileTable table)
    {
        var (_, active, subscribers, withheld, recent) = FeatureBins.BinsOf(cell);
        var activity = recent == 0 ? 0 : FeatureBins.RecentActivityEdges[recent - 1];
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{{\"active\":{FeatureBins.ActiveEdges[active]},"
                + $"\"subscribers\":{FeatureBins.SubscriberEdges[subscribers]}"
                + $"{(withheld > 0 ? ",\"withheld\":true" : "")},\"recentActivity\":{activity},{TableText(table)}}}"
        );
    }

    private static string TableText(QuantileTable table)
    {
        var knots = table.KnotsMilliseconds.Select(knot => knot.ToString(CultureInfo.InvariantCulture));
        return string.Create(
            CultureInfo.InvariantCulture,
            $"\"exchanges\":{table.Rows},\"milliseconds\":[{string.Join(',', knots)}]"
        );
    }

    private static void ReadCell(JsonTree tree, int kind, Dictionary<int, QuantileTable> own, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var active = Bin(reader, "active", FeatureBins.ActiveEdges, findings);
        var subscribers = Bin(reader, "subscribers", FeatureBins.SubscriberEdges, findings);
        var withheld = reader.OptionalFlag("withheld") ? 1 : 0;
        var recent = Bin(reader, "recentActivity", [0.0, .. FeatureBins.RecentActivityEdges], findings);
        var table = ReadTable(reader, tree, findings);
        reader.End();
        if (!own.TryAdd(FeatureBins.Cell(kind, active, subscribers, withheld, recent), table))
            findings.Add(tree, "a cell given twice; allowed: once");
    }

    /// <summary>Reads a table that has other keys beside its own.</summary>
    /// <param name="reader">A reader of the object.</param>
    /// <param name="tree">The object.</param>
    /// <param name="findings">Receives the findings.</param>
    public static QuantileTable ReadTable(JsonObjectReader reader, JsonTree tree, JsonFindings findings)
    {
        var rows = reader.Integer("exchanges", 1, int.MaxValue);
        return new(Knots(reader.Array("milliseconds", "an array of ascending latencies"), tree, findings), rows);
    }

    // Cells are named by the lower edges of their bins.
    private static int Bin<T>(JsonObjectReader reader, string key, T[] edges, JsonFindings findings)
        where T : IConvertible
    {
        var value = reader.Number(key, 0, int.MaxValue);
        var bin = Array.FindIndex(edges, edge => edge.ToDouble(CultureInfo.InvariantCulture) == value);
        if (bin < 0 && reader.Tree.Member(key) is { } given)
            findings.Add(
                given,
                $"{given.Given} given; allowed: "
                    + $"{string.Join(", ", edges.Select(edge => edge.ToString(CultureInfo.InvariantCulture)))}"
            );
        return Math.Max(bin, 0);
    }

    /// <summary>Reads the knots of a table.</summary>
    public static float[] Knots(IReadOnlyList<JsonTree> items, JsonTree cell, JsonFindings findings)
    {
        var knots = new float[Math.Max(2, items.Count)];
        for (var i = 0; i < items.Count; i++)
        {
            var before = findings.Count;
            knots[i] = (float)JsonObjectReader.Number(items[i], 0, 1e9, findings);
            if (findings.Count > before)
                return knots;
            if (i == 0 || knots[i] >= knots[i - 1])
                continue;
            findings.Add(items[i], $"{items[i].Given} given after {items[i - 1].Given}; allowed: ascending latencies");
            return knots;
        }
        if (items.Count is < 2 or > MostKnots && cell.Member("milliseconds") is { } array)
            findings.Add(
                array,
                string.Create(CultureInfo.InvariantCulture, $"{items.Count} latencies given; allowed: 2 .. {MostKnots}")
            );
        return knots;
    }
}
