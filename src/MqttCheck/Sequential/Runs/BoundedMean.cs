using MqttCheck.Statistics;

namespace MqttCheck.Sequential.Runs;

/// <summary>
/// Intervals of the mean of independent runs whose values have bounds. They hold for every law and for every number of
/// runs, also for one that was not fixed beforehand: what bets on the runs (<see cref="RunMeanBets"/>) do not reject.
/// </summary>
/// <remarks>
/// No interval can be much narrower. If n runs are all 0, the mean still may be 1 - (error / 2)^(1 / n). A run of 1 may
/// be so rare that n runs do not show it.
/// </remarks>
public static class BoundedMean
{
    // The ends of intervals are known to this part of themselves.
    private const double Precision = 1e-6;

    // A mean that is nearer to 0 or 1 than this is not told apart from it.
    private const double Smallest = 1e-12;

    // The number of runs for a wish is known to this factor.
    private const double Step = 1.02;

    private const double MostCopies = 1e9;

    /// <summary>The interval of a mean.</summary>
    /// <param name="values">The runs, in 0 .. 1; without any the interval is 0 .. 1.</param>
    /// <param name="error">The probability that it does not contain the mean, in (0, 1); half for each end.</param>
    /// <param name="copies">How often each run is counted, for the interval of more runs like these; usually 1.</param>
    public static Interval Interval(IReadOnlyList<double> values, double error, double copies = 1) =>
        OfEvidence(values, -Math.Log(error / 2), copies);

    /// <summary>
    /// The interval of the mean of a first value, divided by that of a second one. A ratio r is rejected where bets
    /// reject that the mean of first - r second is at most, or at least, 0.
    /// </summary>
    /// <param name="pairs">
    /// Runs of both, each in 0 .. 1. The values of a pair may depend on each other, and pairs must not.
    /// </param>
    /// <param name="error">The probability that it does not contain the ratio, in (0, 1); half for each end.</param>
    /// <param name="copies">See <see cref="Interval"/>.</param>
    /// <returns>The upper end is infinite where the second mean may be 0.</returns>
    public static Interval Ratio(IReadOnlyList<(double First, double Second)> pairs, double error, double copies = 1)
    {
        var (first, second) = (0.0, 0.0);
        foreach (var pair in pairs)
            (first, second) = (first + pair.First, second + pair.Second);
        // With r = t / (1 - t), first - r second lies in -r .. 1; scaled to 0 .. 1 its 0 is t.
        double Scaled(int run, double t) => Math.Min(1, (1 - t) * pairs[run].First + t * (1 - pairs[run].Second));
        var kept = first + second == 0 ? .5 : first / (first + second);
        var bound = -Math.Log(error / 2);
        var (lower, upper) = (
            End(pairs.Count, Scaled, kept, above: true, bound, copies),
            End(pairs.Count, Scaled, kept, above: false, bound, copies)
        );
        return new(lower / (1 - lower), upper / (1 - upper));
    }

    /// <summary>How many runs it takes until an interval is as wished, if further runs are like those so far.</summary>
    /// <param name="runs">How many there are, at least 1.</param>
    /// <param name="interval">The interval when each of them is counted so often.</param>
    /// <param name="isEnough">Whether an interval is as wished; it is so for all narrower ones, too.</param>
    /// <returns>
    /// The number, at most 2 % too large; null where no number up to a billion times as many is enough.
    /// </returns>
    public static long? RunsUntil(int runs, Func<double, Interval> interval, Func<Interval, bool> isEnough)
    {
        ArgumentNullException.ThrowIfNull(interval);
        ArgumentNullException.ThrowIfNull(isEnough);
        var (few, many) = (1.0, 1.0);
        while (!isEnough(interval(many)))
        {
            (few, many) = (many, many * 4);
            if (many > MostCopies)
                return null;
        }
        while (many / few > Step)
        {
            var middle = Math.Sqrt(few * many);
            if (isEnough(interval(middle)))
                many = middle;
            else
                few = middle;
        }
        return (long)Math.Ceiling(runs * many);
    }

    /// <summary>The interval of a mean.</summary>
    /// <param name="values">
    /// The runs, in 0 .. 1. One that is not known is NaN, and counts as the value that costs most.
    /// </param>
    /// <param name="bound">The logarithm of the wealth at which bets reject.</param>
    /// <param name="copies">How often each run is counted.</param>
    internal static Interval OfEvidence(IReadOnlyList<double> values, double bound, double copies = 1)
    {
        var kept = values.Where(double.IsFinite).DefaultIfEmpty(.5).Average();
        double Value(int run, double t) => values[run];
        return new(
            End(values.Count, Value, kept, above: true, bound, copies),
            End(values.Count, Value, kept, above: false, bound, copies)
        );
    }

    // Bisection between the mean, which no bet rejects, and the end of 0 .. 1.
    private static double End(
        int count,
        Func<int, double, double> value,
        double kept,
        bool above,
        double bound,
        double copies
    )
    {
        double end = above ? 0 : 1;
        var (nearest, rejected) = Bisection.Narrow(
            Math.Clamp(kept, Smallest, 1 - Smallest),
            end,
            IsKept,
            mean => Precision * Math.Min(mean, 1 - mean) + Smallest
        );
        return rejected == end ? end : nearest;

        bool IsKept(double mean)
        {
            var bets = new RunMeanBets(mean, above);
            for (var run = 0; run < count; run++)
                if (value(run, mean) is var one && double.IsFinite(one))
                    bets.Add(one, copies);
                else
                    bets.AddUnknown();
            return bets.LogWealth < bound;
        }
    }
}
