using MqttCheck.Clients;

namespace MqttCheck.Latency;

/// <summary>The cells of one kind of message that were seen, and the rule by which every cell gets a table from them. Not thread-safe: it reuses a buffer.</summary>
internal sealed class CellPool
{
    private readonly MessageKind _kind;
    private readonly QuantileTable?[] _own;
    private readonly PoolingRule _rule;
    private readonly WeightedSample _sample = new();
    private readonly (int Distance, int Active, int Subscribers, int Recent)[] _steps;

    /// <summary>A pool.</summary>
    /// <param name="kind">The kind of message.</param>
    /// <param name="own">The table of each cell of all kinds that was seen, learned from its own exchanges alone; null for the others.</param>
    /// <param name="rule">The rule.</param>
    public CellPool(MessageKind kind, QuantileTable?[] own, PoolingRule rule)
    {
        (_kind, _own, _rule) = (kind, own, rule);
        _steps = StepsByDistance(rule);
    }

    /// <summary>The table of a cell, from its own exchanges and as many neighbours as it needs; null if the kind was never seen.</summary>
    /// <param name="cell">A cell of the kind.</param>
    public QuantileTable? TableOf(int cell)
    {
        if (_own[cell] is { } own && own.Rows >= _rule.Fewest) return own;
        // A publication without subscribers awaits an acknowledgement, one with subscribers deliveries too: the one says little about the other, however near.
        var side = _kind != MessageKind.Publish ? Side.Both : FeatureBins.BinsOf(cell).Subscribers == 0 ? Side.WithoutSubscribers : Side.WithSubscribers;
        return Gather(cell, side) ?? Gather(cell, Side.Both);
    }

    private QuantileTable? Gather(int cell, Side side)
    {
        var bins = FeatureBins.BinsOf(cell);
        _sample.Clear();
        var rows = 0;
        var distance = -1;
        foreach (var step in _steps)
        {
            // Neighbours at the same distance come together, so that none is preferred.
            if (rows >= _rule.Fewest && step.Distance > distance) break;
            distance = step.Distance;
            var (active, subscribers, recent) = (bins.Active + step.Active, bins.Subscribers + step.Subscribers, bins.Recent + step.Recent);
            if ((uint)active >= FeatureBins.ActiveBins || (uint)subscribers >= FeatureBins.SubscriberBins || (uint)recent >= FeatureBins.RecentActivityBins) continue;
            if (side != Side.Both && side == Side.WithoutSubscribers != (subscribers == 0)) continue;
            var neighbour = FeatureBins.Cell((int)_kind, active, subscribers, recent);
            if (_own[neighbour] is not { } table) continue;
            table.AddTo(_sample, neighbour == cell ? 1 : _rule.Trend?.Scale(neighbour, cell) ?? 1, _rule.Maxima && side == Side.WithSubscribers ? Power(neighbour, cell) : 1);
            rows += table.Rows;
        }
        return rows == 0 ? null : QuantileTable.From(_sample, rows);
    }

    private static double Power(int fromCell, int toCell) => fromCell == toCell ? 1 : FeatureBins.CentreOf(toCell).Subscribers / FeatureBins.CentreOf(fromCell).Subscribers;

    // Ascending by all four numbers, so that sums over neighbours have one order on every machine. Sorted by counting, because learning makes many pools.
    private static (int Distance, int Active, int Subscribers, int Recent)[] StepsByDistance(PoolingRule rule)
    {
        const int a = FeatureBins.ActiveBins - 1, s = FeatureBins.SubscriberBins - 1, r = FeatureBins.RecentActivityBins - 1;
        var starts = new int[Distance(a, s, r) + 2];
        foreach (var (active, subscribers, recent) in Steps()) starts[Distance(active, subscribers, recent) + 1]++;
        for (var distance = 1; distance < starts.Length; distance++) starts[distance] += starts[distance - 1];
        var steps = new (int, int, int, int)[starts[^1]];
        foreach (var (active, subscribers, recent) in Steps())
        {
            var distance = Distance(active, subscribers, recent);
            steps[starts[distance]++] = (distance, active, subscribers, recent);
        }
        return steps;

        int Distance(int active, int subscribers, int recent) =>
            (rule.ActiveWeight * active * active) + (rule.SubscriberWeight * subscribers * subscribers) + (rule.RecentActivityWeight * recent * recent);

        static IEnumerable<(int Active, int Subscribers, int Recent)> Steps()
        {
            for (var active = -a; active <= a; active++)
            {
                for (var subscribers = -s; subscribers <= s; subscribers++)
                {
                    for (var recent = -r; recent <= r; recent++) yield return (active, subscribers, recent);
                }
            }
        }
    }

    private enum Side
    {
        Both,
        WithoutSubscribers,
        WithSubscribers,
    }
}
