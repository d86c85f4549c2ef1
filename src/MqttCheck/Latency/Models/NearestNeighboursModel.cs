using System.Globalization;
using System.Runtime.CompilerServices;
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
internal sealed class NearestNeighboursModel : LatencyModel, IConditionalLaw
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "nearest-neighbours";

    private readonly PlacedTable[] _own;
    private readonly QuantileTable?[] _tables = new QuantileTable?[NeighbourGrid.Nodes];

    /// <summary>A model with tables at the nodes that were seen.</summary>
    /// <param name="own">The tables at nodes of <see cref="NeighbourGrid"/>.</param>
    internal NearestNeighboursModel(IEnumerable<PlacedTable> own)
    {
        // The order breaks ties in distance.
        _own = [.. own.OrderBy(one => one.Place)];
        foreach (var (node, table) in _own)
            _tables[node] = table;
        for (var node = 0; node < _tables.Length; node++)
            _tables[node] ??= Nearest(node);
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

    private static readonly JsonKind<int> s_active = Place(NeighbourGrid.Active);
    private static readonly JsonKind<int> s_subscriptions = Place(NeighbourGrid.Subscriptions);
    private static readonly JsonKind<int> s_subscribers = Place(NeighbourGrid.Subscribers);

    private static readonly JsonKind<MessageKind> s_kind = JsonKinds.Word(
        "a kind of message",
        "a text",
        [.. MessageKinds.Names.Select((name, kind) => (name, (MessageKind)kind))]
    );

    private static readonly JsonKind<PlacedTable> s_node = JsonFormat.Of<PlacedTable>(fields =>
    {
        var node = NeighbourGrid.Node(
            (int)fields.Required("kind", s_kind, of => (MessageKind)NeighbourGrid.At(of.Place).Kind),
            fields.Required("active", s_active, of => NeighbourGrid.At(of.Place).Active),
            fields.Required("subscriptions", s_subscriptions, of => NeighbourGrid.At(of.Place).Subscriptions),
            fields.Required("subscribers", s_subscribers, of => NeighbourGrid.At(of.Place).Subscribers)
        );
        return new(node, CellKinds.TableOf(fields, of => of.Table));
    });

    /// <summary>The parameters in a model file.</summary>
    internal static JsonKind<NearestNeighboursModel> Format { get; } =
        JsonFormat
            .Of<IReadOnlyList<PlacedTable>>(fields =>
            {
                // A node per line, as the cells of binned quantiles.
                var nodes = fields.Required(
                    "nodes",
                    CellKinds.Distinct(
                        JsonKinds.List(ModelKinds.OnOneLine(s_node, isSpaced: true), "an array of nodes"),
                        "a node given twice; allowed: once"
                    ),
                    nodes => nodes
                );
                fields.Refuse(
                    nodes.Count == 0 && fields.Reader?.Findings.Count == 0,
                    () => "no node given; allowed: at least one"
                );
                return nodes;
            })
            .As(nodes => new NearestNeighboursModel(nodes), model => model._own);

    private static JsonKind<int> Place(int[] nodes)
    {
        var (number, allowed) = (JsonKinds.Integer(0), string.Join(", ", nodes));
        return number with
        {
            Read = (tree, findings) =>
            {
                var place = Array.IndexOf(nodes, number.Read(tree, findings));
                JsonKinds.Is(tree, findings, place >= 0, allowed);
                return Math.Max(0, place);
            },
        };
    }

    private QuantileTable? Nearest(int node)
    {
        var (kind, active, subscriptions, subscribers) = NeighbourGrid.At(node);
        return _own.Select(own => (At: NeighbourGrid.At(own.Place), own.Table))
            .Where(own => own.At.Kind == kind)
            .OrderBy(own =>
                Distance(active, own.At.Active)
                + Distance(subscriptions, own.At.Subscriptions) / 4
                + Distance(subscribers, own.At.Subscribers)
                + ((subscribers == 0) != (own.At.Subscribers == 0) ? 100 : 0)
            )
            .FirstOrDefault()
            .Table;

        static double Distance(int a, int b) => Math.Pow(Math.Log((a + 1.0) / (b + 1)), 2);
    }

    private readonly struct Process(float[]?[] knots) : ILatencyProcess
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            var own = knots[NeighbourGrid.NodeOf(features)] ?? throw ModelKinds.Unknown(features.Kind);
            return new(nowMilliseconds + QuantileTable.Draw(own, random.NextDouble()), Completes: true);
        }
    }
}
