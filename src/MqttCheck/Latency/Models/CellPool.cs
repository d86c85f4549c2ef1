using MqttCheck.Clients;
using MqttCheck.Latency.Features;

namespace MqttCheck.Latency.Models;

/// <summary>
/// The cells of one kind of message that were seen, and the rule by which every cell gets a table from them. Not
/// thread-safe: it reuses its buffers.
/// </summary>
internal sealed class CellPool
{
    private readonly MessageKind _kind;
    private readonly QuantileTable?[] _own;
    private readonly PoolingRule _rule;
    private readonly WeightedSample _sample = new();
    private readonly Seen[] _seen;
    private readonly bool _tellsWithheld;
    private readonly int[] _distances;

    // How many exchanges there are at each distance; all 0 between two calls.
    private int[] _rowsAt = [];

    private sealed record Seen(int Cell, int Active, int Subscribers, int Recent, Side Side, QuantileTable Table);

    /// <summary>A pool.</summary>
    /// <param name="kind">The kind of message.</param>
    /// <param name="own">
    /// The table of each cell of all kinds that was seen, learned from its own exchanges alone; null for the others.
    /// </param>
    /// <param name="rule">The rule.</param>
    public CellPool(MessageKind kind, QuantileTable?[] own, PoolingRule rule)
    {
        (_kind, _own, _rule) = (kind, own, rule);
        var seen = new List<Seen>();
        for (var cell = (int)kind * FeatureBins.CellsPerKind; cell < ((int)kind + 1) * FeatureBins.CellsPerKind; cell++)
        {
            if (own[cell] is not { } table)
                continue;
            var (_, active, subscribers, _, recent) = FeatureBins.BinsOf(cell);
            seen.Add(new(cell, active, subscribers, recent, SideOf(cell), table));
        }
        _seen = [.. seen];
        _tellsWithheld = seen.Exists(one => one.Side == Side.Withheld);
        _distances = new int[_seen.Length];
    }

    /// <summary>
    /// The table of a cell, from its own exchanges and as many neighbours as it needs; null if the kind was never seen.
    /// </summary>
    /// <param name="cell">A cell of the kind.</param>
    public QuantileTable? TableOf(int cell)
    {
        if (!_tellsWithheld)
            cell = FeatureBins.WithoutWithheld(cell);
        if (_own[cell] is { } own && own.Rows >= _rule.Fewest)
            return own;
        // A publication without subscribers awaits only an acknowledgement; one with subscribers also awaits
        // deliveries, which may be kept back. The one says little about the other, however near they are.
        return Gather(cell, SideOf(cell)) ?? Gather(cell, null);
    }

    private Side SideOf(int cell)
    {
        if (_kind != MessageKind.Publish)
            return default;
        var bins = FeatureBins.BinsOf(cell);
        return bins.Subscribers == 0 ? Side.WithoutSubscribers
            : bins.Withheld == 0 ? Side.WithSubscribers
            : Side.Withheld;
    }

    private QuantileTable? Gather(int cell, Side? side)
    {
        var farthest = Measure(cell, side);
        if (farthest < 0)
            return null;
        // Neighbours at the same distance come together, so that none is preferred.
        var (cut, rows) = (-1, 0);
        while (rows < _rule.Fewest && cut < farthest)
            rows += _rowsAt[++cut];
        Array.Clear(_rowsAt, 0, farthest + 1);

        _sample.Clear();
        for (var i = 0; i < _seen.Length; i++)
        {
            if (_distances[i] > cut)
                continue;
            ref readonly var neighbour = ref _seen[i];
            neighbour.Table.AddTo(
                _sample,
                neighbour.Cell == cell ? 1 : _rule.Trend?.Scale(neighbour.Cell, cell) ?? 1,
                _rule.Maxima && side is Side.WithSubscribers or Side.Withheld ? Power(neighbour.Cell, cell) : 1
            );
        }
        return QuantileTable.From(_sample, rows);
    }

    // Collects the distances of the cells seen, and the cells at each distance. Cells on the other side are beyond all.
    // Returns the farthest distance; -1 if there is none.
    private int Measure(int cell, Side? side)
    {
        var (_, active, subscribers, _, recent) = FeatureBins.BinsOf(cell);
        var weights = _rule.Weights;
        var farthest = -1;
        for (var i = 0; i < _seen.Length; i++)
        {
            ref readonly var seen = ref _seen[i];
            if (side is { } wanted && seen.Side != wanted)
            {
                _distances[i] = int.MaxValue;
                continue;
            }
            var distance =
                weights.Active * Square(seen.Active - active)
                + weights.Subscribers * Square(seen.Subscribers - subscribers)
                + weights.RecentActivity * Square(seen.Recent - recent);
            _distances[i] = distance;
            farthest = Math.Max(farthest, distance);
            if (distance >= _rowsAt.Length)
                Array.Resize(ref _rowsAt, 2 * distance + 1);
            _rowsAt[distance] += seen.Table.Rows;
        }
        return farthest;

        static int Square(int step) => step * step;
    }

    private static double Power(int fromCell, int toCell) =>
        fromCell == toCell ? 1 : FeatureBins.CentreOf(toCell).Subscribers / FeatureBins.CentreOf(fromCell).Subscribers;

    private enum Side
    {
        WithoutSubscribers,
        WithSubscribers,
        Withheld,
    }
}
