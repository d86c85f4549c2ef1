using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Builders;

/// <summary>Summarises a log of any length into a <see cref="LogReport"/> of bounded size.</summary>
internal static class LogReportBuilder
{
    /// <summary>
    /// Bins per factor of ten: each is 26 % wider than the one before, and every tenth edge is a power of ten.
    /// </summary>
    public const int BinsPerDecade = 10;

    private const int LowestEdge = -4 * BinsPerDecade,
        HighestEdge = 6 * BinsPerDecade;

    /// <summary>Summarises exchanges, in any order.</summary>
    /// <param name="exchanges">The exchanges of one or several runs.</param>
    /// <param name="scatterPoints">How many exchanges the scatter may hold, at least 1.</param>
    public static LogReport From(IReadOnlyList<Exchange> exchanges, int scatterPoints = 4000)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(scatterPoints);
        var kinds = new KindTally[MessageKinds.Count];
        for (var kind = 0; kind < kinds.Length; kind++)
            kinds[kind] = new();
        var runs = new Dictionary<int, (double First, double Last)>();
        for (var i = 0; i < exchanges.Count; i++)
        {
            var exchange = exchanges[i];
            kinds[(int)exchange.Message].Add(exchange);
            var (first, last) = runs.TryGetValue(exchange.Run, out var known)
                ? known
                : (double.PositiveInfinity, double.NegativeInfinity);
            if (exchange.SentMicroseconds < first)
                first = exchange.SentMicroseconds;
            if (exchange.EndMicroseconds > last)
                last = exchange.EndMicroseconds;
            runs[exchange.Run] = (first, last);
        }

        var (lowest, highest) = BinRange(kinds);
        return new LogReport
        {
            Exchanges = exchanges.Count,
            Runs = runs.Count,
            DurationSeconds = runs.Values.Where(run => run.Last > run.First).Sum(run => run.Last - run.First) / 1e6,
            BinEdgesMilliseconds =
            [
                .. Enumerable.Range(lowest, highest < lowest ? 0 : highest - lowest + 2).Select(Edge),
            ],
            Kinds =
            [
                .. kinds
                    .Select((tally, kind) => tally.Report((MessageKind)kind, lowest, highest))
                    .Where(kind => kind.Count > 0),
            ],
            Correlation = LogColumns.Correlation(exchanges),
            Scatter = LogColumns.Scatter(exchanges, scatterPoints),
            OverTime = TimeReportBuilder.From(exchanges, runs),
        };
    }

    private static double Edge(int bin) => Math.Pow(10, (double)bin / BinsPerDecade);

    // The bin of a latency: [edge(bin), edge(bin + 1)); latencies outside 0.1 microseconds .. 1000 seconds go to the
    // outermost bins.
    private static int Bin(double milliseconds)
    {
        if (milliseconds < Edge(LowestEdge))
            return LowestEdge;
        var bin = Math.Min((int)Math.Floor(Math.Log10(milliseconds) * BinsPerDecade), HighestEdge);
        // The logarithm of an edge may round to the bin below or above.
        if (milliseconds >= Edge(bin + 1) && bin < HighestEdge)
            bin++;
        else if (milliseconds < Edge(bin))
            bin--;
        return bin;
    }

    private static (int Lowest, int Highest) BinRange(IEnumerable<KindTally> kinds)
    {
        int lowest = int.MaxValue,
            highest = int.MinValue;
        foreach (var sorted in kinds.Select(kind => kind.Sorted()).Where(sorted => sorted.Count > 0))
        {
            lowest = Math.Min(lowest, Bin(sorted[0]));
            highest = Math.Max(highest, Bin(sorted[^1]));
        }
        return lowest > highest ? (0, -1) : (lowest, highest);
    }

    private sealed class KindTally
    {
        private readonly List<double> _latencies = [];
        private readonly long[] _outcomes = new long[Enum.GetValues<ExchangeOutcome>().Length];
        private bool _sorted;

        public void Add(in Exchange exchange)
        {
            _outcomes[(int)exchange.Outcome]++;
            if (LogColumns.HasLatency(exchange))
                _latencies.Add(exchange.LatencyMilliseconds);
        }

        public List<double> Sorted()
        {
            if (!_sorted)
                _latencies.Sort();
            _sorted = true;
            return _latencies;
        }

        public KindReport Report(MessageKind kind, int lowestBin, int highestBin)
        {
            var sorted = Sorted();
            var counts = new long[highestBin - lowestBin + 1];
            foreach (var latency in sorted)
                counts[Bin(latency) - lowestBin]++;
            return new KindReport
            {
                Kind = kind,
                Count = _outcomes.Sum(),
                Outcomes = Enum.GetValues<ExchangeOutcome>()
                    .Where(outcome => _outcomes[(int)outcome] > 0)
                    .ToDictionary(outcome => outcome, outcome => _outcomes[(int)outcome]),
                MedianMilliseconds = SortedValues.Quantile(sorted, 0.5),
                P90Milliseconds = SortedValues.Quantile(sorted, 0.9),
                P99Milliseconds = SortedValues.Quantile(sorted, 0.99),
                P999Milliseconds = SortedValues.Quantile(sorted, 0.999),
                Errors = Enum.GetValues<ExchangeOutcome>()
                    .Where(TimeReportBuilder.IsError)
                    .Sum(outcome => _outcomes[(int)outcome]),
                MaximumMilliseconds = sorted.Count > 0 ? sorted[^1] : double.NaN,
                BinCounts = counts,
            };
        }
    }
}
