using MathNet.Numerics.Distributions;

namespace MqttCheck.Checking;

/// <summary>How large the runs of a verification must be.</summary>
public static class VerificationPlan
{
    /// <summary>With the runs of a quiet broker, whose variance is this many times the binomial one, a right prediction is to be confirmed.</summary>
    public const double QuietInflation = 1.2;

    private const int LargestRun = 1 << 20;
    private const int SpreadSteps = 40;
    private const int MeanSteps = 60;

    /// <summary>
    /// The number of sequences in each run after which a right prediction is confirmed with a wanted probability on a quiet broker. "Right" includes a truth that is off by a fifth of the
    /// indifference, to the less favourable side. The deviance is approximated by that of normal run means whose variance is at least binomial.
    /// </summary>
    /// <param name="point">The prediction.</param>
    /// <param name="options">The error, the indifference and the number of runs of the first look.</param>
    /// <param name="runs">The number of runs in the budget, at least <see cref="VerificationOptions.MinimumRuns"/>.</param>
    /// <param name="probability">The wanted probability of confirming, in (0, 1). Default .95.</param>
    /// <returns>Sequences per run, over all clients; at most 1 048 576.</returns>
    public static int SequencesNeeded(PredictedPoint point, VerificationOptions options, int runs, double probability = .95)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentOutOfRangeException.ThrowIfLessThan(runs, options.MinimumRuns);
        if (!(probability is > 0 and < 1)) throw new ArgumentOutOfRangeException(nameof(probability), probability, "must be in (0, 1)");
        var plan = PredictionTest.PlanFor(point, options);
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
                if (Confirms(plan, look, PredictionTest.BoundAfter(look, options), sequences) >= probability) return true;
            return false;
        }
    }

    /// <summary>The approximate probability that one look confirms a prediction that is off by a fifth of the indifference.</summary>
    private static double Confirms(TwoSidedPlan plan, int runs, double bound, int sequences)
    {
        var below = plan.Lower is null ? 1 : ConfirmsAt(plan, plan.Tested - plan.LowerIndifference / 5, runs, bound, sequences);
        var above = plan.Upper is null ? 1 : ConfirmsAt(plan, plan.Tested + plan.UpperIndifference / 5, runs, bound, sequences);
        return Math.Min(below, above);
    }

    private static double ConfirmsAt(TwoSidedPlan plan, double truth, int runs, double bound, int sequences)
    {
        var variance = QuietInflation * truth * (1 - truth) / sequences;
        var sum = 0.0;
        for (var i = 0; i < SpreadSteps; i++)
        {
            var spread = variance * ChiSquared.InvCDF(runs - 1, (i + .5) / SpreadSteps) / runs;
            for (var j = 0; j < MeanSteps; j++)
            {
                var mean = truth + Math.Sqrt(variance / runs) * Normal.InvCDF(0, 1, (j + .5) / MeanSteps);
                if (Accepts(mean, spread)) sum++;
            }
        }
        return sum / (SpreadSteps * MeanSteps);

        bool Accepts(double mean, double spread) =>
            mean is > 0 and < 1
            && (plan.Lower is null || (mean > (plan.Lower.P0 + plan.Tested) / 2 && Deviance(mean, spread, plan.Lower.P0) >= bound))
            && (plan.Upper is null || (mean < (plan.Upper.P1 + plan.Tested) / 2 && Deviance(mean, spread, plan.Upper.P1) >= bound));

        double Deviance(double mean, double spread, double hypothesis)
        {
            var distance = spread + (mean - hypothesis) * (mean - hypothesis);
            return runs / 2.0 * (Cost(distance, hypothesis) - Cost(spread, mean));
        }

        // -2/R times the log-likelihood of run means with this mean square, with the most likely variance that is at least binomial.
        double Cost(double meanSquare, double centre)
        {
            var fitted = Math.Max(meanSquare, centre * (1 - centre) / sequences);
            return Math.Log(fitted) + meanSquare / fitted;
        }
    }
}
