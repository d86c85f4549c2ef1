using MathNet.Numerics.Distributions;
using MqttCheck.Clients;

namespace MqttCheck.Sequential.Runs;

/// <summary>How much runs differ from each other.</summary>
/// <param name="Inflation">
/// k: the variance between runs, relative to the binomial variance of a run of independent sequences; at least 1.
/// </param>
/// <param name="InflationBound">
/// The upper 90 % bound of k, (R - 1) k / chi2(.1; R - 1), at least 1; null for a single run, which does not bound it.
/// </param>
/// <param name="Rho">
/// The correlation of two sequences of one run, (k - 1) / (m - 1) for runs of m sequences; unlike k it does not grow
/// with the length of the runs.
/// </param>
public readonly record struct RunVariation(double Inflation, double? InflationBound, double Rho)
{
    /// <summary>The variation of some runs.</summary>
    /// <param name="runs">At least one run, in the order in which they were made.</param>
    public static RunVariation Of(IReadOnlyList<RunCount> runs)
    {
        double samples = runs.Sum(run => (double)run.Samples),
            share = runs.Sum(run => (double)run.Successes) / samples;
        if (runs.Count < 2)
            return new(1, null, 0);
        var variance = share * (1 - share);
        // Without any variance the chi-square statistic says nothing, and k counts as 1.
        var raw =
            variance > 0
                ? runs.Sum(run => run.Samples * Square((double)run.Successes / run.Samples - share))
                    / variance
                    / (runs.Count - 1)
                : 1;
        var bound = (runs.Count - 1) * raw / ChiSquared.InvCDF(runs.Count - 1, .1);
        var inflation = Math.Max(1, raw);
        var meanSize = samples / runs.Count;
        return new(inflation, Math.Max(1, bound), meanSize > 1 ? (inflation - 1) / (meanSize - 1) : 0);
    }

    private static double Square(double value) => value * value;
}
