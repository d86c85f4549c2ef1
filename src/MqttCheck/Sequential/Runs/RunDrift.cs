using MathNet.Numerics.Distributions;
using MqttCheck.Clients;

namespace MqttCheck.Sequential.Runs;

/// <summary>
/// How the share in time changes from run to run: where it goes up or down all the way, the broker had not settled, and
/// what is seen depends on when one looks.
/// </summary>
/// <param name="Change">
/// How much it changes from the first run to the last, on the straight line that fits the runs best; positive where the
/// broker becomes faster. 0 with fewer than three runs.
/// </param>
/// <param name="Correlation">
/// The correlation between the number of a run and its share, -1 .. 1; 0 with fewer than three runs or without
/// differences.
/// </param>
/// <param name="Runs">How many runs.</param>
public readonly record struct RunDrift(double Change, double Correlation, int Runs)
{
    // Two-sided, of Student's test of a correlation, which is exact for independent runs with normal shares: one of a
    // hundred steady brokers at most seems to drift.
    private const double Significance = .01;

    /// <summary>Whether there is a trend that chance rarely makes.</summary>
    public bool IsClear =>
        Runs >= 3
        && Math.Abs(Correlation) * Math.Sqrt((Runs - 2) / Math.Max(1e-12, 1 - Correlation * Correlation))
            >= StudentT.InvCDF(0, 1, Runs - 2, 1 - Significance / 2);

    /// <summary>Whether there is a clear trend, and by what matters.</summary>
    /// <param name="smallest">The smallest change over the runs that matters.</param>
    public bool Matters(double smallest) => Math.Abs(Change) >= smallest && IsClear;

    /// <summary>The drift of some runs.</summary>
    /// <param name="runs">The runs, in the order in which they were made.</param>
    public static RunDrift Of(IReadOnlyList<RunCount> runs)
    {
        if (runs.Count < 3)
            return new(0, 0, runs.Count);
        double middle = (runs.Count - 1) / 2.0,
            mean = runs.Average(run => run.Share),
            product = 0,
            indexSquares = 0,
            shareSquares = 0;
        for (var i = 0; i < runs.Count; i++)
        {
            var deviation = runs[i].Share - mean;
            product += (i - middle) * deviation;
            indexSquares += (i - middle) * (i - middle);
            shareSquares += deviation * deviation;
        }
        return new(
            product / indexSquares * (runs.Count - 1),
            shareSquares > 0 ? product / Math.Sqrt(indexSquares * shareSquares) : 0,
            runs.Count
        );
    }
}
