using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Models;

/// <summary>
/// The latencies of the exchanges with the most similar open exchanges, subscriptions and subscribers, looked up
/// beforehand on a grid.
/// </summary>
public sealed class NearestNeighboursModel : LatencyModel, IConditionalLaw, ISavedModel
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "nearest-neighbours";

    private readonly SortedDictionary<int, QuantileTable> _own;
    private readonly QuantileTable?[] _tables = new QuantileTable?[NeighbourGrid.Nodes];

    /// <summary>A model with tables at the nodes that were seen.</summary>
    /// <param name="own">The tables by node of <see cref="NeighbourGrid"/>.</param>
    internal NearestNeighboursModel(IReadOnlyDictionary<int, QuantileTable> own)
    {
        _own = new(own.ToDictionary());
        for (var node = 0; node < _tables.Length; node++)
            _tables[node] = _own.GetValueOrDefault(node) ?? Nearest(node);
    }

    /// <inheritdoc/>
    public override string Kind => KindName;

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer)
    {
        var knots = Array.ConvertAll(_tables, table => table?.KnotsMilliseconds);
        return consumer.Run(() => new Process(knots));
    }

    double IConditionalLaw.CumulativeProbability(in ExchangeFeatures features, double milliseconds) =>
        _tables[NeighbourGrid.NodeOf(features)]?.CumulativeProbability(milliseconds) ?? double.NaN;

    void ISavedModel.Write(Utf8JsonWriter writer)
    {
        writer.WriteStartArray("nodes");
        foreach (var (node, table) in _own)
        {
            var (kind, active, subscriptions, subscribers) = NeighbourGrid.At(node);
            var knots = table.KnotsMilliseconds.Select(knot => knot.ToString(CultureInfo.InvariantCulture));
            // A node per line, as the cells of binned quantiles.
            writer.WriteRawValue(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{{ \"kind\": \"{((MessageKind)kind).Name()}\", \"active\": "
                        + $"{active}, \"subscriptions\": {subscriptions}, \"subscribers\": "
                        + $"{subscribers}, \"exchanges\": {table.Rows}, \"milliseconds\": "
                        + $"[{string.Join(',', knots)}] }}"
                )
            );
        }
        writer.WriteEndArray();
    }

    /// <summary>Reads the parameters from a model file.</summary>
    /// <param name="reader">The object with the parameters.</param>
    /// <param name="findings">Receives the findings.</param>
    internal static NearestNeighboursModel Read(JsonObjectReader reader, JsonFindings findings)
    {
        var own = new Dictionary<int, QuantileTable>();
        foreach (var item in reader.Array("nodes", "an array of nodes"))
        {
            var inner = new JsonObjectReader(item, findings);
            var name = inner.Text("kind", null);
            if (!MessageKinds.TryParse(name, out var kind) && item.Member("kind") is { } given)
                findings.Add(given, $"{given.Given} given; allowed: a kind of message");
            var node = NeighbourGrid.Node(
                (int)kind,
                Place(inner, "active", NeighbourGrid.Active, findings),
                Place(inner, "subscriptions", NeighbourGrid.Subscriptions, findings),
                Place(inner, "subscribers", NeighbourGrid.Subscribers, findings)
            );
            var table = BinnedQuantilesJson.ReadTable(inner, item, findings);
            inner.End();
            if (!own.TryAdd(node, table))
                findings.Add(item, "a node given twice; allowed: once");
        }
        if (own.Count == 0 && findings.Count == 0)
            findings.Add(reader.Tree, "no node given; allowed: at least one");
        return new(own);
    }

    private static int Place(JsonObjectReader reader, string key, int[] nodes, JsonFindings findings)
    {
        var place = Array.IndexOf(nodes, reader.Integer(key, 0, int.MaxValue));
        if (place < 0 && reader.Tree.Member(key) is { } given)
            findings.Add(given, $"{given.Given} given; allowed: {string.Join(", ", nodes)}");
        return Math.Max(0, place);
    }

    private QuantileTable? Nearest(int node)
    {
        var (kind, active, subscriptions, subscribers) = NeighbourGrid.At(node);
        QuantileTable? best = null;
        var least = double.PositiveInfinity;
        foreach (var (other, table) in _own)
        {
            var at = NeighbourGrid.At(other);
            if (at.Kind != kind)
                continue;
            var distance =
                Distance(active, at.Active)
                + Distance(subscriptions, at.Subscriptions) / 4
                + Distance(subscribers, at.Subscribers)
                + ((subscribers == 0) != (at.Subscribers == 0) ? 100 : 0);
            if (distance < least)
                (best, least) = (table, distance);
        }
        return best;

        static double Distance(int a, int b) => Math.Pow(Math.Log((a + 1.0) / (b + 1)), 2);
    }

    private readonly struct Process(float[]?[] knots) : ILatencyProcess
    {
        public void Reset(ref RandomStream random) { }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            var own = knots[NeighbourGrid.NodeOf(features)] ?? throw ModelJson.Unknown(features.Kind);
            return new(nowMilliseconds + QuantileTable.Draw(own, random.NextDouble()), Completes: true);
        }
    }
}
