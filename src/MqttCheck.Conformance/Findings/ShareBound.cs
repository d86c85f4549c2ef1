using MathNet.Numerics.Distributions;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance.Findings;

/// <summary>The share of runs of a scenario that show a deviation at least, with 95 % confidence.</summary>
internal static class ShareBound
{
    /// <summary>A deviation that came in each of so many first repetitions is repeated no more.</summary>
    public const int FirstRuns = 5;

    private const double Error = .05;

    /// <summary>
    /// The bound. Repeating ends early where all of the first runs show it. That outcome ranks above all others, so a
    /// bound of theirs counts it as well: one of Clopper and Pearson, for this design.
    /// </summary>
    /// <param name="hits">In how many repetitions it came.</param>
    /// <param name="replays">How many there were.</param>
    public static double Lower(int hits, int replays)
    {
        var plain = BinomialIntervals.LowerBound(hits, replays, Error);
        if (hits == replays || replays <= FirstRuns)
            return plain;
        var (low, high) = (0.0, plain);
        while (high - low > 1e-9)
        {
            var middle = (low + high) / 2;
            if (AtLeast(middle, hits, replays) > Error)
                high = middle;
            else
                low = middle;
        }
        return low;
    }

    // The probability that so many runs show it, or that all of the first ones do.
    private static double AtLeast(double share, int hits, int replays)
    {
        var sum = Math.Pow(share, FirstRuns);
        for (var first = 0; first < FirstRuns; first++)
            sum +=
                Binomial.PMF(share, FirstRuns, first)
                * (first >= hits ? 1 : 1 - Binomial.CDF(share, replays - FirstRuns, hits - first - 1));
        return sum;
    }
}
