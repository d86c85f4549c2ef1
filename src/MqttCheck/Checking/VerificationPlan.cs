using MathNet.Numerics.Distributions;

namespace MqttCheck.Checking;

/// <summary>How large the runs of a verification must be.</summary>
public static class VerificationPlan
{
    /// <summary>With the runs of a quiet broker, whose variance is this many times the binomial one, a right prediction is to be confirmed.</summary>
    public const double QuietInflation = 1.2;

    private const int LargestRun = 1 << 20;

    // Quantiles of the variance between runs, with how far the mean is off in standard deviations: points of the curve beyond which lie 5 % of all cases.
    private static readonly (double SpreadQuantile, double MeanDeviation)[] s_scenarios = [(.99, 0), (.93, 1), (.6, 2)];

    /// <summary>
    /// The number of sequences in each run after which a right prediction is confirmed with probability of about .95 on a quiet broker. "Right" includes a truth that is off by a fifth of the
    /// indifference, to the less favourable side. Runs in which nearly all sequences, or hardly any, are in time decide as well.
    /// </summary>
    /// <param name="point">The prediction.</param>
    /// <param name="options">The error, the indifference and the number of runs of the first look.</param>
    /// <param name="runs">The number of runs in the budget, at least <see cref="VerificationOptions.MinimumRuns"/>.</param>
    /// <returns>Sequences per run, over all clients; at most 1 048 576.</returns>
    public static int SequencesNeeded(PredictedPoint point, VerificationOptions options, int runs)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfLessThan(runs, options.MinimumRuns);
        var plan = PredictionTest.PlanFor(point, options);
        if (options.Test == VerdictTest.Clients) return EachClient(point, options, runs);
        int tooFew = 1, enough = LargestRun;
        while (enough - tooFew > 1)
        {
            var middle = (int)Math.Sqrt((double)tooFew * enough);
            middle = Math.Clamp(middle, tooFew + 1, enough - 1);
            if (ConfirmsByThen(middle)) enough = middle;
            else tooFew = middle;
        }
        return enough;

        // Looks share the error, so the last one is not always the best one.
        bool ConfirmsByThen(int sequences)
        {
            for (var look = options.MinimumRuns; look <= runs; look++)
                if (Confirms(plan, options.Indifference / 5, look, PredictionTest.BoundAfter(look, options), sequences)) return true;
            return false;
        }
    }

    // Twice what a client's test takes on average.
    private static int EachClient(PredictedPoint point, VerificationOptions options, int runs)
    {
        var plan = ClientVerdicts.PlanOf(point, options.Indifference, options.PointError);
        return plan is null ? 1 : point.Clients * (int)Math.Ceiling(2 * SprtAudit.Compute(plan, plan.P1).ExpectedSamples / runs);
    }

    // Whether a look confirms the prediction in every scenario, for a truth that is off to either side.
    private static bool Confirms(TwoSidedPlan plan, double off, int runs, double bound, int sequences)
    {
        var counts = new RunCount[runs];
        // Runs with hardly a miss tell little where the broker may have moods: the likelihood of rare runs full of misses falls slowly with the length of the others.
        for (var few = 0; few <= runs; few++)
        {
            for (var run = 0; run < runs; run++) counts[run] = new(sequences - (run < few ? 1 : 0), sequences);
            if (!Decides(plan.Upper ?? plan.Lower)) return false;
            for (var run = 0; run < runs; run++) counts[run] = new(run < few ? 1 : 0, sequences);
            if (!Decides(plan.Lower ?? plan.Upper)) return false;
        }
        foreach (var (spreadQuantile, meanDeviation) in s_scenarios)
        {
            var spread = Math.Sqrt(ChiSquared.InvCDF(runs - 1, spreadQuantile) / runs);
            if (plan.Lower is not null && !AcceptsAt(Math.Max(plan.Tested - off, TwoSidedPlan.Margin), -meanDeviation)) return false;
            if (plan.Upper is not null && !AcceptsAt(Math.Min(plan.Tested + off, 1 - TwoSidedPlan.Margin), meanDeviation)) return false;

            bool AcceptsAt(double truth, double deviation)
            {
                var runDeviation = Math.Sqrt(QuietInflation * truth * (1 - truth) / sequences);
                FillRuns(counts, sequences, truth + deviation * runDeviation / Math.Sqrt(runs), spread * runDeviation);
                return (PredictionTest.Evidence(counts, plan.Lower) ?? bound) >= bound && (PredictionTest.Evidence(counts, plan.Upper) ?? -bound) <= -bound;
            }
        }
        return true;

        bool Decides(SprtPlan? side) => Math.Abs(PredictionTest.Evidence(counts, side) ?? bound) >= bound;
    }

    // Runs with a given mean and standard deviation (divisor R) of their shares, placed like the quantiles of a normal law.
    private static void FillRuns(RunCount[] counts, int sequences, double mean, double deviation)
    {
        var squares = 0.0;
        for (var i = 0; i < counts.Length; i++) squares += Score(i) * Score(i);
        var scale = deviation / Math.Sqrt(squares / counts.Length);
        for (var i = 0; i < counts.Length; i++)
            counts[i] = new((int)Math.Round(Math.Clamp(mean + scale * Score(i), 0, 1) * sequences), sequences);

        double Score(int i) => Normal.InvCDF(0, 1, (i + .5) / counts.Length);
    }
}
