using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using System.Text.Json;
using MqttCheck.Clients;
using MqttCheck.Profiles;

namespace MqttCheck.Latency;

/// <summary>
/// Empirical latency quantiles by kind, open exchanges, subscribers of the topic and recent activity. It assumes no shape, so it keeps the bimodal and bounded latencies that
/// brokers have; a cell that was hardly seen borrows the nearest one that was.
/// </summary>
public sealed class BinnedQuantilesModel : LatencyModel, IConditionalLaw, ISavedModel
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "binned-quantiles";

    private readonly SortedDictionary<int, QuantileTable> _tables;
    private readonly QuantileTable?[] _tableOfCell = new QuantileTable?[FeatureBins.Cells];
    private readonly BinnedQuantilesProcess _process;

    /// <summary>A model of the given tables.</summary>
    /// <param name="tables">The tables by cell, see <see cref="FeatureBins"/>.</param>
    internal BinnedQuantilesModel(IReadOnlyDictionary<int, QuantileTable> tables)
    {
        _tables = new(tables.ToDictionary());
        var flat = new List<float>();
        var places = _tables.ToDictionary(entry => entry.Value, entry =>
        {
            var place = new TablePlace(flat.Count, entry.Value);
            flat.AddRange(entry.Value.KnotsMilliseconds);
            return place;
        });
        var cells = new TablePlace[FeatureBins.Cells];
        for (var cell = 0; cell < cells.Length; cell++)
        {
            if (Nearest(cell) is not { } table) continue;
            _tableOfCell[cell] = table;
            cells[cell] = places[table];
        }
        _process = new(cells, [.. flat]);
    }

    /// <inheritdoc/>
    public override string Kind => KindName;

    /// <summary>How many cells have a table of their own.</summary>
    public int Tables => _tables.Count;

    /// <summary>The kinds of messages that the model has latencies of.</summary>
    public ImmutableArray<MessageKind> Kinds =>
        [.. _tables.Keys.Select(cell => (MessageKind)FeatureBins.BinsOf(cell).Kind).Distinct()];

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer)
    {
        ArgumentNullException.ThrowIfNull(consumer);
        // The process has no state besides the shared, immutable tables.
        return consumer.Run(() => _process);
    }

    double IConditionalLaw.CumulativeProbability(in ExchangeFeatures features, double milliseconds) =>
        _tableOfCell[FeatureBins.CellOf(features)]?.CumulativeProbability(milliseconds) ?? double.NaN;

    void ISavedModel.Write(Utf8JsonWriter writer)
    {
        writer.WriteStartArray("tables");
        foreach (var (cell, table) in _tables)
        {
            var (kind, active, subscribers, recent) = FeatureBins.BinsOf(cell);
            writer.WriteStartObject();
            writer.WriteString("message", ((MessageKind)kind).Name());
            writer.WriteNumber("activeFrom", FeatureBins.ActiveEdges[active]);
            writer.WriteNumber("subscribersFrom", FeatureBins.SubscriberEdges[subscribers]);
            writer.WriteNumber("recentActivityFrom", recent == 0 ? 0 : FeatureBins.RecentActivityEdges[recent - 1]);
            writer.WriteNumber("exchanges", table.Rows);
            writer.WritePropertyName("milliseconds");
            // On one line: a quantile per line would make the file five times as long.
            var text = new StringBuilder("[");
            foreach (var knot in table.KnotsMilliseconds) text.Append(text.Length > 1 ? "," : "").Append(knot.ToString(CultureInfo.InvariantCulture));
            writer.WriteRawValue(text.Append(']').ToString());
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
    }

    /// <summary>Reads the parameters from a model file.</summary>
    /// <param name="reader">The object with the parameters.</param>
    /// <param name="findings">Where findings go.</param>
    internal static BinnedQuantilesModel Read(JsonObjectReader reader, JsonFindings findings)
    {
        var tables = new Dictionary<int, QuantileTable>();
        var items = reader.Array("tables", "an array of tables");
        if (items.Count == 0 && reader.Tree.Member("tables") is { } empty) findings.Add(empty, "no table given; allowed: at least one");
        foreach (var item in items)
        {
            var table = new JsonObjectReader(item, findings);
            var name = table.Text("message", null);
            if (!MessageKinds.TryParse(name, out var kind) && item.Member("message") is { } given)
                findings.Add(given, $"{given.Given} given; allowed: connect, disconnect, publish, subscribe, unsubscribe");
            var active = Bin(table, "activeFrom", FeatureBins.ActiveEdges, findings);
            var subscribers = Bin(table, "subscribersFrom", FeatureBins.SubscriberEdges, findings);
            var recent = Bin(table, "recentActivityFrom", [0.0, .. FeatureBins.RecentActivityEdges], findings);
            var rows = table.Integer("exchanges", 1, int.MaxValue);
            var knots = table.Array("milliseconds", "an array of ascending latencies");
            table.End();
            if (!tables.TryAdd(FeatureBins.Cell((int)kind, active, subscribers, recent), QuantileTable.OfKnots(Knots(item, knots, findings), rows)))
                findings.Add(item, "a second table for the same cell given; allowed: one");
        }
        return new(tables);
    }

    private static int Bin<T>(JsonObjectReader reader, string key, T[] edges, JsonFindings findings) where T : IConvertible
    {
        var value = reader.Number(key, 0, int.MaxValue);
        var bin = Array.FindIndex(edges, edge => edge.ToDouble(CultureInfo.InvariantCulture) == value);
        if (bin < 0 && reader.Tree.Member(key) is { } given)
            findings.Add(given, $"{given.Given} given; allowed: {string.Join(", ", edges.Select(edge => edge.ToString(CultureInfo.InvariantCulture)))}");
        return Math.Max(bin, 0);
    }

    private static float[] Knots(JsonTree table, IReadOnlyList<JsonTree> items, JsonFindings findings)
    {
        const int most = QuantileTable.BodyIntervals + QuantileTable.TailIntervals + 1;
        var knots = new float[Math.Max(2, items.Count)];
        for (var i = 0; i < items.Count; i++)
        {
            var before = findings.Count;
            knots[i] = (float)JsonObjectReader.Number(items[i], 0, 1e9, findings);
            if (findings.Count > before) return knots;
            if (i == 0 || knots[i] >= knots[i - 1]) continue;
            findings.Add(items[i], $"{items[i].Given} given after {items[i - 1].Given}; allowed: ascending latencies");
            return knots;
        }
        if (items.Count is < 2 or > most && table.Member("milliseconds") is { } array)
            findings.Add(array, string.Create(CultureInfo.InvariantCulture, $"{items.Count} latencies given; allowed: 2 .. {most}"));
        return knots;
    }

    // The filled cell of the same kind that is nearest in bins. The number of subscribers decides what a publication has to wait for, so a step there counts double.
    private QuantileTable? Nearest(int cell)
    {
        if (_tables.TryGetValue(cell, out var own)) return own;
        var (kind, active, subscribers, recent) = FeatureBins.BinsOf(cell);
        QuantileTable? nearest = null;
        var least = int.MaxValue;
        foreach (var (candidate, table) in _tables)
        {
            var bins = FeatureBins.BinsOf(candidate);
            if (bins.Kind != kind) continue;
            var (a, s, r) = (bins.Active - active, bins.Subscribers - subscribers, bins.Recent - recent);
            var distance = a * a + 4 * s * s + r * r;
            if (distance < least) (nearest, least) = (table, distance);
        }
        return nearest;
    }
}
