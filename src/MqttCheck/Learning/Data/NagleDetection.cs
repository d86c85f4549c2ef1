using System.Collections.Immutable;
using MqttCheck.Latency.Models;
using MqttCheck.Latency.Nagle;

namespace MqttCheck.Learning.Data;

/// <summary>Finds out whether a broker keeps deliveries back until receivers acknowledge.</summary>
internal static class NagleDetection
{
    // Clocks of sending and receiving, and the way back, are not more exact than that.
    private const double ToleranceMilliseconds = 0.5;

    // If a broker keeps deliveries back, hardly any comes before the acknowledgement; if it does not, nearly all do.
    private const double LeastShare = 0.9;

    // With fewer that may wait, or that do not and show what the broker itself takes, nothing is concluded.
    private const int FewestPublications = 50;

    // No timer runs longer than the least delay by more than this.
    private const double MostTicksMilliseconds = 10;

    private const int FewestTimers = 20;

    /// <summary>Infers from the publications whether the broker keeps deliveries back.</summary>
    /// <param name="rows">All exchanges.</param>
    /// <returns>
    /// How deliveries are kept back; null if they are not, or if too few could have been, or if the broker takes so
    /// long itself that nothing can be seen of it.
    /// </returns>
    public static NagleDeliveries? Find(IEnumerable<TrainingRow> rows)
    {
        var (holds, free, kept) = (new List<double>(), new List<double>(), 0);
        var timers = new List<double>();
        foreach (var row in rows)
        {
            if (row.Features.Subscribers > 0 && !row.Hold.Any)
                free.Add(row.LatencyMilliseconds);
            if (row.Hold.Milliseconds < 2 * ToleranceMilliseconds)
                continue;
            holds.Add(row.Hold.Milliseconds);
            var beyond = row.LatencyMilliseconds - row.Hold.Milliseconds;
            if (beyond < -ToleranceMilliseconds)
                continue;
            kept++;
            if (row.Hold.ByTimer && beyond < MostTicksMilliseconds)
                timers.Add(DelayedAcks.LeastMilliseconds + beyond);
        }
        if (Math.Min(holds.Count, free.Count) < FewestPublications || kept < LeastShare * holds.Count)
            return null;
        // Those that would have taken as long without being kept back say nothing.
        var slow = SlowAnyway(holds, free);
        var telling = holds.Count - slow;
        if (telling < FewestPublications || kept - slow < LeastShare * telling)
            return null;
        // Ticks of 4 ms are the most usual.
        if (timers.Count < FewestTimers)
            timers = [DelayedAcks.LeastMilliseconds, DelayedAcks.LeastMilliseconds + 4];
        return new(Math.Round(Math.Min((kept - slow) / telling, 1), 4), QuantileTable.From([.. timers.Order()]));
    }

    // Estimates how many holds would be over before the broker is done, if it takes as long as without keeping back.
    private static double SlowAnyway(List<double> holds, List<double> free)
    {
        free.Sort();
        var slow = 0.0;
        foreach (var hold in holds)
        {
            var first = free.BinarySearch(hold - ToleranceMilliseconds);
            slow += free.Count - (first < 0 ? ~first : first);
        }
        return slow / free.Count;
    }

    /// <summary>
    /// The latency of an exchange as binned quantiles learn it where deliveries are kept back: that of a publication
    /// that was over when the last receiver acknowledged counts as 0. It may have been more, but not longer than it
    /// waited anyway.
    /// </summary>
    /// <param name="row">The exchange.</param>
    public static double OwnMilliseconds(in TrainingRow row) =>
        row.Hold.Any
        && row.LatencyMilliseconds
            <= row.Hold.Milliseconds + (row.Hold.ByTimer ? MostTicksMilliseconds : ToleranceMilliseconds)
            ? 0
            : row.LatencyMilliseconds;
}
