using MqttCheck.Captures.Exchanges;

namespace MqttCheck.Captures.Populations;

/// <summary>A rhythm in which the clients of a group publish at once.</summary>
/// <param name="PeriodMilliseconds">The time from one round to the next.</param>
/// <param name="SpreadMilliseconds">The standard deviation of the times within a round.</param>
internal sealed record SharedRhythm(double PeriodMilliseconds, double SpreadMilliseconds)
{
    // Clients with phases of their own seem to share one in 3 of 10 000 groups (test of Rayleigh).
    private const double LeastEvidence = 8;
    private const double LeastConcentration = .9;

    // A profile says no shorter ones and no longer ones.
    private const double ShortestMilliseconds = 50;
    private const double LongestMilliseconds = 86_400_000;

    /// <summary>The rhythm of clients, or null without one.</summary>
    /// <param name="traces">The clients.</param>
    /// <param name="periodMilliseconds">The mean time from a publication of a client to its next.</param>
    public static SharedRhythm? Of(IReadOnlyList<ClientTrace> traces, double periodMilliseconds)
    {
        if (periodMilliseconds is not (>= ShortestMilliseconds and <= LongestMilliseconds))
            return null;
        var (x, y, clients) = (0.0, 0.0, 0);
        if (traces.SelectMany(trace => trace.Times.Take(1)).DefaultIfEmpty().Min() is not (> 0 and var zero))
            return null;
        foreach (var trace in traces.Where(trace => trace.Times.Count > 0))
        {
            var (sine, cosine) = (0.0, 0.0);
            foreach (var time in trace.Times)
            {
                var (s, c) = Math.SinCos((time - zero) / 1e6 / periodMilliseconds * 2 * Math.PI);
                (sine, cosine) = (sine + s, cosine + c);
            }
            (x, y, clients) = (x + cosine / trace.Times.Count, y + sine / trace.Times.Count, clients + 1);
        }
        var concentration = Math.Sqrt(x * x + y * y) / clients;
        return concentration >= LeastConcentration && clients * concentration * concentration >= LeastEvidence
            ? new(periodMilliseconds, Math.Sqrt(-2 * Math.Log(concentration)) / (2 * Math.PI) * periodMilliseconds)
            : null;
    }
}
