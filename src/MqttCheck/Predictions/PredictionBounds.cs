using MqttCheck.Statistics;

namespace MqttCheck.Predictions;

/// <summary>Intervals of a probability estimated from independent replications, whose clients are dependent.</summary>
internal static class PredictionBounds
{
    // Fixed before the data are seen: the empirical Bernstein interval is the narrower one for all but a few clients,
    // so it gets most of the error.
    private const double BernsteinShare = .9;

    /// <summary>
    /// The interval from replication means in 0 .. 1: the intersection of the empirical Bernstein interval at 9/10 of
    /// the error and Hoeffding's at 1/10 (union bound).
    /// </summary>
    /// <param name="sum">Sum of the means.</param>
    /// <param name="squares">Sum of their squares.</param>
    /// <param name="replications">How many, 1 or more.</param>
    /// <param name="error">The probability of missing the truth.</param>
    public static Interval OfMeans(double sum, double squares, int replications, double error)
    {
        var mean = Math.Clamp(sum / replications, 0, 1);
        var variance = replications > 1 ? Math.Max(0, (squares - sum * sum / replications) / (replications - 1)) : 0;
        var bernstein = ConcentrationBounds.EmpiricalBernstein(mean, variance, replications, error * BernsteinShare);
        var hoeffding = ConcentrationBounds.Hoeffding(mean, replications, error * (1 - BernsteinShare));
        return new(Math.Max(bernstein.Lower, hoeffding.Lower), Math.Min(bernstein.Upper, hoeffding.Upper));
    }
}
