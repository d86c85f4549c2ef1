using MathNet.Numerics.Distributions;
using MqttCheck.Statistics;

namespace MqttCheck.Checking;

/// <summary>Intervals of a probability estimated from independent replications, whose clients are dependent.</summary>
internal static class PredictionBounds
{
    // Fixed before the data are seen: the empirical Bernstein interval is the narrower one for all but a few clients, so it gets most of the error.
    private const double BernsteinShare = .9;

    /// <summary>
    /// The interval from replication means in 0 .. 1: the intersection of the empirical Bernstein interval (Maurer and Pontil 2009, theorem 4) at 9/10 of the error and Hoeffding's
    /// at 1/10 (union bound).
    /// </summary>
    /// <param name="sum">Sum of the means.</param>
    /// <param name="squares">Sum of their squares.</param>
    /// <param name="replications">How many, 1 or more.</param>
    /// <param name="error">The probability of missing the truth.</param>
    public static Interval OfMeans(double sum, double squares, int replications, double error)
    {
        var mean = Math.Clamp(sum / replications, 0, 1);
        var halfWidth = Math.Sqrt(Math.Log(2 / (error * (1 - BernsteinShare))) / (2 * replications));
        if (replications > 1)
        {
            var variance = Math.Max(0, (squares - sum * sum / replications) / (replications - 1));
            var log = Math.Log(4 / (error * BernsteinShare));
            halfWidth = Math.Min(halfWidth, Math.Sqrt(2 * variance * log / replications) + 7 * log / (3 * (replications - 1)));
        }
        return new(Math.Max(0, mean - halfWidth), Math.Min(1, mean + halfWidth));
    }

    /// <summary>The interval where each replication has a single outcome: Clopper and Pearson's, exact.</summary>
    /// <param name="successes">How many outcomes were in time.</param>
    /// <param name="replications">How many outcomes.</param>
    /// <param name="error">The probability of missing the truth.</param>
    public static Interval OfOutcomes(int successes, int replications, double error) => new(
        successes == 0 ? 0 : Beta.InvCDF(successes, replications - successes + 1, error / 2),
        successes == replications ? 1 : Beta.InvCDF(successes + 1, replications - successes, 1 - error / 2));
}
