using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Statistics;

namespace MqttCheck.Comparison;

/// <summary>How the shares of runs vary, and vary together.</summary>
internal static class RunShares
{
    // One-sided error: independent runs seem to go up and down together with this probability.
    private const double Togetherness = .005;

    // Whether the runs of a pair are good and bad together, as on a machine with better and worse times: Pearson's
    // correlation, with Student's test.
    public static bool MoveTogether(IReadOnlyList<RunCount> firsts, IReadOnlyList<RunCount> seconds)
    {
        double first = TwoSampleResult.Mean(firsts),
            second = TwoSampleResult.Mean(seconds),
            product = 0,
            firstSquares = 0,
            secondSquares = 0;
        for (var run = 0; run < seconds.Count; run++)
        {
            double x = firsts[run].Share - first,
                y = seconds[run].Share - second;
            (product, firstSquares, secondSquares) = (product + x * y, firstSquares + x * x, secondSquares + y * y);
        }
        if (!(firstSquares > 0 && secondSquares > 0))
            return false;
        var correlation = product / Math.Sqrt(firstSquares * secondSquares);
        return correlation * Math.Sqrt((seconds.Count - 2) / Math.Max(1e-12, 1 - correlation * correlation))
            >= StudentT.InvCDF(0, 1, seconds.Count - 2, 1 - Togetherness);
    }

    public static double VarianceOfMean(IReadOnlyList<RunCount> runs)
    {
        var (_, variance) = SampleMoments.Of([.. runs.Select(run => run.Share)]);
        return Math.Max(variance, BinomialVariance(runs)) / runs.Count;
    }

    // The variance of a run's share if its sequences were independent, at a probability kept off 0 and 1 by half a
    // sequence.
    public static double BinomialVariance(IReadOnlyList<RunCount> runs)
    {
        double successes = 0,
            samples = 0,
            inverses = 0;
        foreach (var run in runs)
            (successes, samples, inverses) = (
                successes + run.Successes,
                samples + run.Samples,
                inverses + 1.0 / run.Samples
            );
        var p = (successes + .5) / (samples + 1);
        return p * (1 - p) * inverses / runs.Count;
    }
}
