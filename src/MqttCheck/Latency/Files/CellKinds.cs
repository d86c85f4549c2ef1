using System.Globalization;
using System.Text.Json;
using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;

namespace MqttCheck.Latency.Files;

/// <summary>
/// Tables of quantiles in a model file: alone, and by cell with the pooling rule of each kind of message.
/// </summary>
internal static class CellKinds
{
    private const int MostKnots = QuantileTable.BodyIntervals + QuantileTable.TailIntervals + 1;
    private const string KnotsKey = "milliseconds";

    private static readonly JsonKind<float[]> s_knots = new(
        "an array of ascending latencies",
        ReadKnots,
        (writer, knots) =>
        {
            writer.WriteStartArray();
            foreach (var knot in knots)
                writer.WriteNumberValue(knot);
            writer.WriteEndArray();
        },
        () => new float[2]
    );

    // Cells are named by the lower edges of their bins.
    private static readonly JsonKind<int> s_active = Bin(FeatureBins.ActiveEdges);
    private static readonly JsonKind<int> s_subscribers = Bin(FeatureBins.SubscriberEdges);
    private static readonly JsonKind<int> s_recent = Bin([0.0, .. FeatureBins.RecentActivityEdges]);

    private static readonly JsonKind<PoolingWeights> s_weights = JsonFormat.Of<PoolingWeights>(
        fields =>
            new(
                fields.Required("active", JsonKinds.Integer(1, PoolingWeights.Greatest), weights => weights.Active),
                fields.Required(
                    "subscribers",
                    JsonKinds.Integer(1, PoolingWeights.Greatest),
                    weights => weights.Subscribers
                ),
                fields.Required(
                    "recentActivity",
                    JsonKinds.Integer(1, PoolingWeights.Greatest),
                    weights => weights.RecentActivity
                )
            ),
        "an object with a weight per feature"
    );

    private static readonly JsonKind<LatencyTrend> s_trend = JsonFormat.Of<LatencyTrend>(fields =>
        new(
            fields.Required("intercept", JsonKinds.Number(), trend => trend.Intercept),
            fields.Required("active", JsonKinds.Number(), trend => trend.Active),
            fields.Required("subscribers", JsonKinds.Number(), trend => trend.Subscribers),
            fields.Required("recentActivity", JsonKinds.Number(), trend => trend.RecentActivity),
            fields.Required("floor", JsonKinds.Number(double.Epsilon), trend => trend.Floor)
        )
    );

    /// <summary>A table that belongs to no cell, on one line.</summary>
    public static JsonKind<QuantileTable> Table { get; } =
        ModelKinds.OnOneLine(JsonFormat.Of<QuantileTable>(fields => TableOf(fields, table => table)));

    /// <summary>The cells of a model.</summary>
    public static JsonKind<BinnedQuantilesModel> Model { get; } =
        JsonFormat
            .Of<PooledCells>(
                fields =>
                {
                    var kinds = MessageKinds
                        .Names.Select((name, kind) => fields.Nullable(name, OfKind(kind), cells => cells.Of(kind)))
                        .ToArray();
                    var isWrong = fields.Reader?.Findings.Count > 0;
                    var own = kinds.OfType<PooledCells>().SelectMany(cells => cells.Own);
                    fields.Refuse(!isWrong && !own.Any(), () => "no kind of message given; allowed: at least one");
                    return new([.. own], [.. kinds.Select(cells => isWrong ? null : cells?.Rules[0])]);
                },
                "an object with cells by kind"
            )
            .As(cells => new BinnedQuantilesModel(cells.Own, cells.Rules), model => model.Cells);

    /// <summary>The keys of a table that may have others beside them.</summary>
    /// <param name="fields">Asks for the keys.</param>
    /// <param name="get">The table of what is written.</param>
    public static QuantileTable TableOf<T>(JsonFields<T> fields, Func<T, QuantileTable> get)
    {
        var rows = fields.Required("exchanges", JsonKinds.Integer(1), of => get(of).Rows);
        return new(fields.Required(KnotsKey, s_knots, of => get(of).KnotsMilliseconds), rows);
    }

    /// <summary>Refuses the second of two values with the same place.</summary>
    /// <param name="list">The kind of a list of values.</param>
    /// <param name="what">The error.</param>
    public static JsonKind<IReadOnlyList<PlacedTable>> Distinct(
        JsonKind<IReadOnlyList<PlacedTable>> list,
        string what
    ) =>
        list with
        {
            Read = (tree, findings) =>
            {
                var cells = list.Read(tree, findings);
                var seen = new HashSet<int>();
                for (var at = 0; at < cells.Count; at++)
                    if (!seen.Add(cells[at].Place))
                        findings.Add(tree.Items[at], what);
                return cells;
            },
        };

    private static JsonKind<PooledCells> OfKind(int kind) =>
        JsonFormat.Of<PooledCells>(fields =>
        {
            var rule = new PoolingRule(
                fields.Required("fewestExchanges", JsonKinds.Integer(1), cells => cells.Rules[0]!.Fewest),
                fields.Required("distance", s_weights, cells => cells.Rules[0]!.Weights),
                Maxima: fields.Optional("maxima", JsonKinds.Flag, cells => cells.Rules[0]!.Maxima, false),
                Trend: fields.Nullable("trend", s_trend, cells => cells.Rules[0]!.Trend)
            );
            // A cell per line: indented like the rest, the file would be five times as long.
            var cells = fields.Required(
                "cells",
                Distinct(
                    JsonKinds.List(ModelKinds.OnOneLine(Cell(kind)), "an array of cells"),
                    "a cell given twice; allowed: once"
                ),
                cells => cells.Own
            );
            fields.Refuse("cells", cells.Count == 0, _ => "no cell given; allowed: at least one");
            return new(cells, [rule]);
        });

    private static JsonKind<PlacedTable> Cell(int kind) =>
        JsonFormat.Of<PlacedTable>(fields =>
        {
            var cell = FeatureBins.Cell(
                kind,
                fields.Required("active", s_active, of => FeatureBins.BinsOf(of.Place).Active),
                fields.Required("subscribers", s_subscribers, of => FeatureBins.BinsOf(of.Place).Subscribers),
                fields.Optional("withheld", JsonKinds.Flag, of => FeatureBins.BinsOf(of.Place).Withheld > 0, false)
                    ? 1
                    : 0,
                fields.Required("recentActivity", s_recent, of => FeatureBins.BinsOf(of.Place).Recent)
            );
            return new(cell, TableOf(fields, of => of.Table));
        });

    private static JsonKind<int> Bin<T>(T[] edges)
        where T : IConvertible
    {
        var number = JsonKinds.Number(0, int.MaxValue);
        var values = Array.ConvertAll(edges, edge => edge.ToDouble(CultureInfo.InvariantCulture));
        var allowed = string.Join(", ", values.Select(edge => edge.ToString(CultureInfo.InvariantCulture)));
        return number.As(_ => 0, bin => values[bin]) with
        {
            Read = (tree, findings) =>
            {
                var bin = Array.IndexOf(values, number.Read(tree, findings));
                JsonKinds.Is(tree, findings, bin >= 0, allowed);
                return Math.Max(bin, 0);
            },
        };
    }

    private static float[] ReadKnots(JsonTree tree, JsonFindings findings)
    {
        JsonKinds.Is(tree, findings, tree.Type == JsonTokenType.StartArray, s_knots.Allowed);
        var items = tree.Items;
        var knots = new float[Math.Max(2, items.Count)];
        for (var i = 0; i < items.Count; i++)
        {
            var before = findings.Count;
            knots[i] = (float)JsonObjectReader.Number(items[i], 0, 1e9, findings);
            if (findings.Count == before && i > 0 && knots[i] < knots[i - 1])
                findings.Add(
                    items[i],
                    $"{items[i].Given} given after {items[i - 1].Given}; allowed: ascending latencies"
                );
            if (findings.Count > before)
                return knots;
        }
        if (items.Count is < 2 or > MostKnots)
            findings.Add(
                tree,
                string.Create(CultureInfo.InvariantCulture, $"{items.Count} latencies given; allowed: 2 .. {MostKnots}")
            );
        return knots;
    }
}
