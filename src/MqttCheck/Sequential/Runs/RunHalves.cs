using MathNet.Numerics.Distributions;

namespace MqttCheck.Sequential.Runs;

/// <summary>
/// The shares in time of the first and the second half of the runs: where they differ, the broker had not settled, and
/// what a run says depends on how long it was.
/// </summary>
/// <param name="First">The mean share of the first halves.</param>
/// <param name="Second">The mean share of the second halves.</param>
/// <param name="Evidence">
/// Standard errors between the two, the run being the sampling unit; 0 with fewer than three runs.
/// </param>
/// <param name="Runs">How many runs were long enough to have halves.</param>
public readonly record struct RunHalves(double First, double Second, double Evidence, int Runs)
{
    // Two-sided: a steady broker is called unsteady in one of a thousand verifications at most.
    private const double Significance = .001;

    // Shorter ones have no halves to speak of.
    private const int SmallestRun = 20;

    /// <summary>Whether the halves surely differ, and by what matters.</summary>
    /// <param name="smallest">The smallest difference of two probabilities that matters.</param>
    public bool Differ(double smallest) =>
        Runs >= 3
        && Math.Abs(Second - First) >= smallest
        && Math.Abs(Evidence) >= StudentT.InvCDF(0, 1, Runs - 1, 1 - Significance / 2);

    /// <summary>The halves of some runs.</summary>
    /// <param name="runs">For each run whether its sequences were in time, in issue order.</param>
    internal static RunHalves Of(IReadOnlyList<bool[]> runs)
    {
        double first = 0,
            second = 0,
            squares = 0,
            chance = 0;
        var count = 0;
        foreach (var run in runs.Where(run => run.Length >= SmallestRun))
        {
            var middle = run.Length / 2;
            double early = Share(run.AsSpan(..middle)),
                late = Share(run.AsSpan(middle..)),
                pooled = (early + late) / 2;
            first += early;
            second += late;
            squares += (late - early) * (late - early);
            chance += 2 * pooled * (1 - pooled) / middle;
            count++;
        }
        if (count < 3)
            return new(double.NaN, double.NaN, 0, count);
        var difference = (second - first) / count;
        // Differences that happen to be alike are not credited with less than chance.
        var variance = Math.Max((squares - count * difference * difference) / (count - 1), chance / count);
        return new(first / count, second / count, variance > 0 ? difference / Math.Sqrt(variance / count) : 0, count);
    }

    private static double Share(ReadOnlySpan<bool> hits) => (double)hits.Count(true) / hits.Length;
}
