using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Statistics;

namespace MqttCheck.Sequential.Runs;

/// <summary>
/// The likelihood of a probability of success when the outcomes of one run are correlated: each run has its own
/// probability, drawn from a beta law around the common one, so that the successes of a run are beta-binomial with an
/// unknown correlation rho. For a given probability rho takes its most likely value (profile likelihood).
/// </summary>
/// <remarks>
/// Independent outcomes are the case rho = 0, so fewer differences between runs than chance makes are not credited. The
/// largest rho is <see cref="LargestCorrelation"/>: were every run allowed to be all hits or all misses, a handful of
/// runs without a miss could never refute anything.
/// </remarks>
public static class RunLikelihood
{
    /// <summary>
    /// The largest correlation of two sequences of one run that the likelihood considers: with 500 sequences in a run,
    /// 200 times the variance of independent ones.
    /// </summary>
    public const double LargestCorrelation = .4;

    // From .94 on the bound is that of the likelihood of runs without a miss.
    private const double MisslessShare = .06;

    private const int GridPieces = 16;

    /// <summary>The logarithm of the likelihood, largest over rho, without the terms that depend on neither.</summary>
    /// <param name="runs">The runs.</param>
    /// <param name="probability">The common probability, in (0, 1).</param>
    /// <param name="largestCorrelation">The largest rho, in (0, 1). Default <see cref="LargestCorrelation"/>.</param>
    public static double LogLikelihood(
        ReadOnlySpan<RunCount> runs,
        double probability,
        double largestCorrelation = LargestCorrelation
    )
    {
        var largestRun = 0;
        double successes = 0,
            failures = 0;
        foreach (var (hits, samples) in runs)
        {
            largestRun = Math.Max(largestRun, samples);
            successes += hits;
            failures += samples - hits;
        }
        var best = successes * Math.Log(probability) + failures * Math.Log(1 - probability);
        if (largestRun < 2)
            return best; // A run of one sequence says nothing about correlation.

        // A grid of log rho from a tenth of the binomial variance upwards, then golden section around its best point.
        double to = Math.Log(largestCorrelation),
            from = Math.Min(Math.Log(.1 / (largestRun - 1)), to - 1),
            step = (to - from) / GridPieces;
        double peak = double.NegativeInfinity,
            at = from;
        for (var i = 0; i <= GridPieces; i++)
        {
            var value = At(runs, probability, from + i * step);
            if (value > peak)
                (peak, at) = (value, from + i * step);
        }
        const double Ratio = 0.6180339887498949;
        double low = Math.Max(from, at - step),
            high = Math.Min(to, at + step);
        double left = high - Ratio * (high - low),
            right = low + Ratio * (high - low);
        double atLeft = At(runs, probability, left),
            atRight = At(runs, probability, right);
        for (var i = 0; i < 10; i++)
        {
            if (atLeft > atRight)
            {
                (high, right, atRight) = (right, left, atLeft);
                left = high - Ratio * (high - low);
                atLeft = At(runs, probability, left);
            }
            else
            {
                (low, left, atLeft) = (left, right, atRight);
                right = low + Ratio * (high - low);
                atRight = At(runs, probability, right);
            }
        }
        return Math.Max(best, Math.Max(peak, Math.Max(atLeft, atRight)));
    }

    /// <summary>
    /// How much less likely a probability is than the observed share: the logarithm of the ratio of their likelihoods,
    /// at least 0.
    /// </summary>
    /// <param name="runs">At least one run.</param>
    /// <param name="probability">In (0, 1).</param>
    /// <param name="largestCorrelation">The largest rho, in (0, 1). Default <see cref="LargestCorrelation"/>.</param>
    public static double Deviance(
        ReadOnlySpan<RunCount> runs,
        double probability,
        double largestCorrelation = LargestCorrelation
    ) => Deviance(runs, probability, largestCorrelation, LogLikelihood(runs, Estimate(runs), largestCorrelation));

    /// <summary>
    /// The deviance of a threshold, with the sign of the side on which the observed share lies: positive above.
    /// </summary>
    /// <param name="runs">At least one run.</param>
    /// <param name="threshold">In (0, 1).</param>
    public static double SignedDeviance(ReadOnlySpan<RunCount> runs, double threshold) =>
        SignedDeviance(runs, threshold, Largest(runs));

    /// <summary>
    /// The same with the likelihood of the observed share, which is the same for all thresholds: see
    /// <see cref="Largest"/>.
    /// </summary>
    internal static double SignedDeviance(ReadOnlySpan<RunCount> runs, double threshold, double largest)
    {
        var (successes, samples) = SampleCount.Sum(runs);
        var deviance = Deviance(runs, threshold, LargestCorrelation, largest);
        return successes >= threshold * samples ? deviance : -deviance;
    }

    /// <summary>The logarithm of the likelihood of the observed share.</summary>
    internal static double Largest(ReadOnlySpan<RunCount> runs) => LogLikelihood(runs, Estimate(runs));

    private static double Deviance(
        ReadOnlySpan<RunCount> runs,
        double probability,
        double largestCorrelation,
        double largest
    ) => Math.Max(0, largest - LogLikelihood(runs, probability, largestCorrelation));

    /// <summary>The probabilities that runs do not reject, with an error for each end.</summary>
    /// <param name="runs">At least two runs.</param>
    /// <param name="error">
    /// The probability that the truth lies below the interval, and that it lies above, in (0, .5).
    /// </param>
    public static Interval Interval(ReadOnlySpan<RunCount> runs, double error)
    {
        var estimate = Estimate(runs);
        var largest = LogLikelihood(runs, estimate);
        return new(End(runs, 0, estimate, largest, error), End(runs, 1, estimate, largest, error));
    }

    /// <summary>
    /// The deviance at which runs reject a threshold on one given side: a broker whose probability is the threshold
    /// exceeds it with a given probability at most.
    /// </summary>
    /// <remarks>
    /// For runs with normal means, the deviance is (R/2) ln(1 + t^2 / (R - 1)) with Student's t of R - 1 degrees of
    /// freedom; so few runs ask for much. Two things make that too little where runs lie above a high threshold, and,
    /// mirrored, below a low one. Nearly missless runs are then the rule, and say less than normal means do. And a
    /// correlation near <see cref="LargestCorrelation"/> cannot be overestimated. By simulation the error is up to
    /// about 1 + 2 u^3 times the one of normal means in all looks together, for any number of runs; u is the threshold,
    /// or, from below, 1 less the threshold. So the error is divided by that (docs/evidence/looks.md).
    /// <para>
    /// Near 1, runs without a miss are what rejects a threshold, and their deviance is -ln of their probability.
    /// So the bound is at least -ln of the error, from u = .94 on, and less for a lower u.
    /// </para>
    /// </remarks>
    /// <param name="runs">R, the number of runs, at least 2.</param>
    /// <param name="error">The probability of exceeding the bound on one side, in (0, .5).</param>
    /// <param name="threshold">In [0, 1].</param>
    /// <param name="areAbove">Whether the runs lie above the threshold; otherwise below.</param>
    public static double DevianceBound(int runs, double error, double threshold, bool areAbove)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(runs, 2);
        var u = areAbove ? threshold : 1 - threshold;
        // 1 / (1 + t^2 / (R - 1)) has a beta law: its quantile is known where that of t is too large to find.
        var part = Beta.InvCDF((runs - 1) / 2.0, .5, 2 * error / (1 + 2 * u * u * u));
        return Math.Max(-runs / 2.0 * Math.Log(part), -Math.Log(error * Math.Max(1, (1 - u) / MisslessShare)));
    }

    // The share of successes, kept off 0 and 1 by half an outcome.
    internal static double Estimate(ReadOnlySpan<RunCount> runs)
    {
        var sum = SampleCount.Sum(runs);
        return Math.Clamp(sum.Share, .5 / sum.Samples, 1 - .5 / sum.Samples);
    }

    // Runs are mostly of one length, and neighbours are often equal: what they share is computed once.
    private static double At(ReadOnlySpan<RunCount> runs, double probability, double logRho)
    {
        var concentration = Math.Exp(-logRho) - 1;
        double a = probability * concentration,
            b = (1 - probability) * concentration,
            sum = 0,
            ofRun = 0,
            ofLength = 0;
        var (before, length) = (default(RunCount), -1);
        foreach (var run in runs)
        {
            if (run.Samples != length)
                (length, ofLength) = (run.Samples, LogGamma.Of(run.Samples + concentration));
            if (run != before)
                (before, ofRun) = (run, LogGamma.Of(run.Successes + a) + LogGamma.Of(length - run.Successes + b));
            sum += ofRun - ofLength;
        }
        return sum - runs.Length * (LogGamma.Of(a) + LogGamma.Of(b) - LogGamma.Of(concentration));
    }

    // The root of the deviance is nearly linear in the probability: false position with the Illinois rule, to four
    // digits, which is more than anybody reads.
    private static double End(ReadOnlySpan<RunCount> runs, double outside, double inside, double largest, double error)
    {
        var end = outside;
        var areAbove = outside < inside;
        outside = Math.Clamp(outside, 1e-9, 1 - 1e-9);
        var excessOutside = Excess(runs, outside, largest, error, areAbove);
        if (excessOutside <= 0)
            return end;
        var excessInside = -Math.Sqrt(DevianceBound(runs.Length, error, inside, areAbove));
        var lastSide = 0;
        while (Math.Abs(outside - inside) > 5e-5)
        {
            var next = (inside * excessOutside - outside * excessInside) / (excessOutside - excessInside);
            var excess = Excess(runs, next, largest, error, areAbove);
            if (Math.Abs(excess) < 1e-5)
                return next;
            if (excess > 0)
            {
                (outside, excessOutside) = (next, excess);
                if (lastSide == 1)
                    excessInside /= 2;
                lastSide = 1;
            }
            else
            {
                (inside, excessInside) = (next, excess);
                if (lastSide == -1)
                    excessOutside /= 2;
                lastSide = -1;
            }
        }
        return inside;
    }

    private static double Excess(
        ReadOnlySpan<RunCount> runs,
        double probability,
        double largest,
        double error,
        bool areAbove
    ) =>
        Math.Sqrt(Deviance(runs, probability, LargestCorrelation, largest))
        - Math.Sqrt(DevianceBound(runs.Length, error, probability, areAbove));
}
