using MathNet.Numerics.Distributions;

namespace MqttCheck.Checking;

/// <summary>How much runs differ from each other.</summary>
/// <param name="Inflation">k: the variance between runs, relative to the binomial variance of a run of independent sequences; at least 1.</param>
/// <param name="InflationBound">The upper 90 % bound of k, (R - 1) k / chi2(.1; R - 1), at least 1; infinite for a single run.</param>
/// <param name="Rho">The correlation of two sequences of one run, (k - 1) / (m - 1) for runs of m sequences; unlike k it does not grow with the length of the runs.</param>
/// <param name="Trend">Correlation between the number of a run and its share of successes, -1 .. 1; 0 with fewer than three runs or without differences.</param>
public readonly record struct RunVariation(double Inflation, double InflationBound, double Rho, double Trend)
{
    /// <summary>The variation of some runs.</summary>
    /// <param name="runs">At least one run, in the order in which they were made.</param>
    public static RunVariation Of(IReadOnlyList<RunCount> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        double samples = runs.Sum(run => (double)run.Samples), share = runs.Sum(run => (double)run.Successes) / samples;
        if (runs.Count < 2) return new(1, double.PositiveInfinity, 0, 0);
        var variance = share * (1 - share);
        // Without any variance the chi-square statistic says nothing, and k counts as 1.
        var raw = variance > 0
            ? runs.Sum(run => run.Samples * Square((double)run.Successes / run.Samples - share)) / variance / (runs.Count - 1)
            : 1;
        var bound = (runs.Count - 1) * raw / ChiSquared.InvCDF(runs.Count - 1, .1);
        var inflation = Math.Max(1, raw);
        var meanSize = samples / runs.Count;
        return new(inflation, Math.Max(1, bound), meanSize > 1 ? (inflation - 1) / (meanSize - 1) : 0, TrendOf(runs));
    }

    private static double TrendOf(IReadOnlyList<RunCount> runs)
    {
        if (runs.Count < 3) return 0;
        double meanIndex = (runs.Count - 1) / 2.0, meanShare = runs.Average(run => (double)run.Successes / run.Samples);
        double product = 0, indexSquares = 0, shareSquares = 0;
        for (var i = 0; i < runs.Count; i++)
        {
            var share = (double)runs[i].Successes / runs[i].Samples - meanShare;
            product += (i - meanIndex) * share;
            indexSquares += Square(i - meanIndex);
            shareSquares += Square(share);
        }
        return shareSquares > 0 ? product / Math.Sqrt(indexSquares * shareSquares) : 0;
    }

    private static double Square(double value) => value * value;
}
