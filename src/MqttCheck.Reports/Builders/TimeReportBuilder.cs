using MqttCheck.Logs;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Builders;

/// <summary>Divides a log into equally long parts of time.</summary>
internal static class TimeReportBuilder
{
    /// <summary>How many parts a log is divided into: as many as a chart can show.</summary>
    public const int Bins = 80;

    /// <summary>Divides a log.</summary>
    /// <param name="exchanges">The exchanges, in any order.</param>
    /// <param name="runs">When the first exchange of each run began and the last ended, by the run's number.</param>
    /// <returns>Null where no time passed.</returns>
    public static TimeReport? From(
        IReadOnlyList<Exchange> exchanges,
        IReadOnlyDictionary<int, (double First, double Last)> runs
    )
    {
        // The clock of each run begins anew, so runs are put one after the other.
        var shift = new Dictionary<int, double>();
        var starts = new List<double>();
        var total = 0.0;
        foreach (
            var (run, (first, last)) in runs.Where(run => run.Value.Last > run.Value.First).OrderBy(run => run.Key)
        )
        {
            shift[run] = total - first;
            starts.Add(total / 1e6);
            total += last - first;
        }
        if (total <= 0)
            return null;

        var latencies = new List<double>[Bins];
        for (var bin = 0; bin < Bins; bin++)
            latencies[bin] = [];
        var counts = new long[Bins];
        var errors = new long[Bins];
        for (var i = 0; i < exchanges.Count; i++)
        {
            var exchange = exchanges[i];
            if (!shift.TryGetValue(exchange.Run, out var offset))
                continue;
            var bin = Math.Clamp((int)((exchange.SentMicroseconds + offset) / total * Bins), 0, Bins - 1);
            counts[bin]++;
            if (LogColumns.HasLatency(exchange))
                latencies[bin].Add(exchange.LatencyMilliseconds);
            else if (IsError(exchange.Outcome))
                errors[bin]++;
        }
        foreach (var bin in latencies)
            bin.Sort();
        return new()
        {
            BinSeconds = total / 1e6 / Bins,
            Exchanges = counts,
            Errors = errors,
            MedianMilliseconds = [.. latencies.Select(bin => SortedValues.Quantile(bin, 0.5))],
            P99Milliseconds = [.. latencies.Select(bin => SortedValues.Quantile(bin, 0.99))],
            RunStartSeconds = starts,
        };
    }

    /// <summary>Whether an outcome is a failure; an exchange that the run's end cut off is none.</summary>
    public static bool IsError(ExchangeOutcome outcome) =>
        outcome is not (ExchangeOutcome.Success or ExchangeOutcome.Cancelled);
}
