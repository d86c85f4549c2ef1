using System.Collections.Immutable;
using MqttCheck.Latency;

namespace MqttCheck.Learning;

/// <summary>Finds out whether a broker keeps deliveries back until receivers acknowledge.</summary>
internal static class DeliveryHolds
{
    // Clocks of sending and receiving, and the way back, are not more exact than that.
    private const double ToleranceMilliseconds = 0.5;

    // A broker either keeps deliveries back, and then hardly any comes before the acknowledgement, or it does not, and then nearly all do.
    private const double LeastShare = 0.9;

    // With fewer that may wait, or that do not and show what the broker itself takes, nothing is concluded.
    private const int FewestPublications = 50;

    // No timer runs for so much longer than the least.
    private const double MostTicksMilliseconds = 10;

    private const int FewestTimers = 20;

    /// <summary>What the publications show.</summary>
    /// <param name="rows">All exchanges.</param>
    /// <returns>How deliveries are kept back; null if they are not, or if too few could have been.</returns>
    public static HeldDeliveries? Find(IEnumerable<TrainingRow> rows)
    {
        var (all, kept, free) = (0, 0, 0);
        var timers = new List<double>();
        foreach (var row in rows)
        {
            if (row.Features.Subscribers > 0 && !row.Hold.Any) free++;
            if (row.Hold.Milliseconds < 2 * ToleranceMilliseconds) continue;
            all++;
            var beyond = row.LatencyMilliseconds - row.Hold.Milliseconds;
            if (beyond < -ToleranceMilliseconds) continue;
            kept++;
            if (row.Hold.ByTimer && beyond < MostTicksMilliseconds) timers.Add(WithheldAcknowledgements.LeastMilliseconds + beyond);
        }
        if (Math.Min(all, free) < FewestPublications || kept < LeastShare * all) return null;
        // Ticks of 4 ms are the most usual.
        if (timers.Count < FewestTimers) timers = [WithheldAcknowledgements.LeastMilliseconds, WithheldAcknowledgements.LeastMilliseconds + 4];
        return new(Math.Round((double)kept / all, 4), QuantileTable.From([.. timers.Order()]));
    }

    /// <summary>
    /// The latency of an exchange as binned quantiles learn it where deliveries are kept back: that of a publication that was over when the last receiver acknowledged counts as 0. It may have been more, but not longer than it waited
    /// anyway.
    /// </summary>
    /// <param name="row">The exchange.</param>
    public static double OwnMilliseconds(in TrainingRow row) =>
        row.Hold.Any && row.LatencyMilliseconds <= row.Hold.Milliseconds + (row.Hold.ByTimer ? MostTicksMilliseconds : ToleranceMilliseconds) ? 0 : row.LatencyMilliseconds;
}
