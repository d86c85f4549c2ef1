using MqttCheck.Logs;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Builders;

/// <summary>The numeric columns of a log: how they move together, and a sample of them.</summary>
internal static class LogColumns
{
    private const int SlowestShown = 100;

    private static readonly string[] Names =
    [
        "latency",
        "active messages",
        "total subscriptions",
        "subscribers",
        "receivers",
        "topic size",
        "message size",
    ];

    // The columns that are known when an exchange is sent, which latency can be explained by.
    private static readonly int[] Explaining = [1, 2, 3, 6];

    public static bool HasLatency(in Exchange exchange) =>
        exchange.Outcome == ExchangeOutcome.Success && double.IsFinite(exchange.LatencyMilliseconds);

    private static double Value(in Exchange exchange, int column) =>
        column switch
        {
            0 => exchange.LatencyMilliseconds,
            1 => exchange.ActiveMessages,
            2 => exchange.TotalSubscriptions,
            3 => exchange.Subscribers,
            4 => exchange.Receivers,
            5 => exchange.TopicSize,
            6 => exchange.MessageSize,
            _ => throw new ArgumentOutOfRangeException(nameof(column), column, "not a column"),
        };

    public static CorrelationReport? Correlation(IReadOnlyList<Exchange> exchanges)
    {
        // Means and co-moments in one pass (Welford 1962), because sums of squares lose all digits of a column that
        // hardly varies.
        var columns = Names.Length;
        var mean = new double[columns];
        var before = new double[columns];
        var moments = new double[columns, columns];
        var count = 0L;
        for (var i = 0; i < exchanges.Count; i++)
        {
            var exchange = exchanges[i];
            if (!HasLatency(exchange))
                continue;
            count++;
            for (var column = 0; column < columns; column++)
            {
                before[column] = Value(exchange, column) - mean[column];
                mean[column] += before[column] / count;
            }
            var weight = (count - 1.0) / count;
            for (var a = 0; a < columns; a++)
            for (var b = 0; b <= a; b++)
                moments[a, b] += before[a] * before[b] * weight;
        }
        if (count < 2)
            return null;

        double Coefficient(int a, int b) =>
            moments[a, a] > 0 && moments[b, b] > 0
                ? Math.Clamp(moments[Math.Max(a, b), Math.Min(a, b)] / Math.Sqrt(moments[a, a] * moments[b, b]), -1, 1)
                : double.NaN;
        return new(
            Names,
            [
                .. Enumerable
                    .Range(0, columns)
                    .Select(a => (double[])[.. Enumerable.Range(0, columns).Select(b => Coefficient(a, b))]),
            ]
        );
    }

    public static ScatterReport? Scatter(IReadOnlyList<Exchange> exchanges, int points)
    {
        var usable = new List<int>();
        for (var i = 0; i < exchanges.Count; i++)
            if (HasLatency(exchanges[i]))
                usable.Add(i);
        if (usable.Count == 0)
            return null;

        var every = (usable.Count + points - 1) / points;
        var chosen = new HashSet<int>();
        for (var i = 0; i < usable.Count; i += every)
            chosen.Add(usable[i]);
        var slowest = 0;
        if (every > 1)
        {
            // A regular sample of a long log would miss the tail, which is what a reader of latencies looks for.
            foreach (var index in Slowest(exchanges, usable).Where(index => chosen.Add(index)))
                slowest++;
        }

        var groups = chosen
            .Order()
            .GroupBy(index => exchanges[index].Message)
            .OrderBy(group => group.Key)
            .Select(group => new ScatterGroup(
                group.Key,
                [.. group.Select(index => exchanges[index].LatencyMilliseconds)],
                [.. Explaining.Select(column => (double[])[.. group.Select(index => Value(exchanges[index], column))])]
            ));
        return new([.. Explaining.Select(column => Names[column])], every, slowest, [.. groups]);
    }

    private static IEnumerable<int> Slowest(IReadOnlyList<Exchange> exchanges, List<int> usable)
    {
        var slowest = new PriorityQueue<int, double>();
        foreach (var index in usable)
        {
            var latency = exchanges[index].LatencyMilliseconds;
            if (slowest.Count < SlowestShown)
                slowest.Enqueue(index, latency);
            else
                slowest.EnqueueDequeue(index, latency);
        }
        return slowest.UnorderedItems.Select(item => item.Element);
    }
}
