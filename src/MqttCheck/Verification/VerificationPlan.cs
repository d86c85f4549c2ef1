using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Verification;

/// <summary>How large the runs of a verification must be.</summary>
public static class VerificationPlan
{
    /// <summary>
    /// With the runs of a quiet broker, whose variance is this many times the binomial one, a right prediction is to be
    /// confirmed.
    /// </summary>
    public const double QuietInflation = 1.2;

    /// <summary>More runs than this nobody makes.</summary>
    public const int MostRuns = 1000;

    // The likelihood of so many runs takes long, and they never pay: bets take fewer.
    private const int MostRunsOfLikelihood = 128;

    private const int LargestRun = 1 << 20;

    // Quantiles of the variance between runs, with how far the mean is off in standard deviations: points of the curve
    // beyond which lie 5 % of all cases.
    private static readonly (double SpreadQuantile, double MeanDeviation)[] s_scenarios = [(.99, 0), (.93, 1), (.6, 2)];

    /// <summary>
    /// The smallest number of runs that show a state which half of the runs are in, but for a probability below the
    /// error of a side: .5^R. Fewer leave much unsaid, see <see cref="UnseenShare"/>.
    /// </summary>
    /// <param name="options">The error and the points that share it.</param>
    public static int RunsThatShowHalf(VerificationOptions options) =>
        (int)
            Math.Ceiling(
                Math.Log(options.Test == VerdictTest.TwoSided ? options.PointError / 2 : options.PointError)
                    / Math.Log(.5)
            );

    /// <summary>
    /// The number of sequences in each run after which a right prediction is confirmed with probability of about .95 on
    /// a quiet broker. "Right" includes a truth that is off by a fifth of the indifference, to the less favourable
    /// side. Runs in which nearly all sequences, or hardly any, are in time decide as well. Bets on run means depend on
    /// the number of runs more than on their length: see <see cref="RunsNeeded"/>.
    /// </summary>
    /// <param name="point">The prediction.</param>
    /// <param name="options">The error, the indifference and the number of runs of the first look.</param>
    /// <param name="runs">
    /// The number of runs in the budget, at least <see cref="VerificationOptions.MinimumRuns"/>.
    /// </param>
    /// <param name="inflation">
    /// The variance between runs relative to the binomial one. Default: that of a quiet broker.
    /// </param>
    /// <returns>Sequences per run, over all clients; at most 1 048 576.</returns>
    public static int SequencesNeeded(
        PredictedPoint point,
        VerificationOptions options,
        int runs,
        double inflation = QuietInflation
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(runs, options.MinimumRuns);
        var plan = PredictionTest.PlanFor(point, options);
        if (options.Test == VerdictTest.Clients)
            return EachClient(point, options, runs);
        int tooFew = 1,
            enough = LargestRun;
        while (enough - tooFew > 1)
        {
            var middle = (int)Math.Sqrt((double)tooFew * enough);
            middle = Math.Clamp(middle, tooFew + 1, enough - 1);
            if (ConfirmsByThen(middle))
                enough = middle;
            else
                tooFew = middle;
        }
        return enough;

        // Looks share the error, so the last one is not always the best one.
        bool ConfirmsByThen(int sequences)
        {
            var when = options.Looks;
            for (var look = when.NextLook(0); look <= runs; look = when.NextLook(look + 1))
                if (Confirms(plan, options, look, sequences, inflation))
                    return true;
            return false;
        }
    }

    /// <summary>
    /// The number of runs, planned beforehand, after which a right prediction is confirmed with probability of about
    /// .95.
    /// </summary>
    /// <param name="point">The prediction.</param>
    /// <param name="options">The error, the indifference, the guarantee and the smallest number of runs.</param>
    /// <param name="sequences">Sequences in each run, at least 1.</param>
    /// <param name="inflation">
    /// The variance between runs relative to the binomial one. Default: that of a quiet broker.
    /// </param>
    /// <returns>
    /// At least the smallest number of runs; null where <see cref="MostRuns"/> do not suffice, or 128 of a likelihood.
    /// </returns>
    public static int? RunsNeeded(
        PredictedPoint point,
        VerificationOptions options,
        int sequences,
        double inflation = QuietInflation
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(sequences, 1);
        var plan = PredictionTest.PlanFor(point, options);
        if (options.Guarantee == Guarantee.Any)
            return BetPlan.RunsNeeded(plan, options, sequences, inflation, Math.Max(options.MinimumRuns, MostRuns));
        int tooFew = options.MinimumRuns - 1,
            enough = options.MinimumRuns,
            most = Math.Max(enough, MostRunsOfLikelihood);
        while (!ConfirmsAfter(enough))
        {
            if (enough == most)
                return null;
            (tooFew, enough) = (enough, Math.Min(most, 2 * enough));
        }
        while (enough - tooFew > 1)
        {
            var middle = (tooFew + enough) / 2;
            if (ConfirmsAfter(middle))
                enough = middle;
            else
                tooFew = middle;
        }
        return enough;

        bool ConfirmsAfter(int runs) => Confirms(plan, options with { PlannedRuns = runs }, runs, sequences, inflation);
    }

    /// <summary>
    /// How many runs that do not count a verdict without an assumption on the law can bear: the largest number with
    /// which a right prediction is still confirmed, within the planned runs and the quarter more of the budget.
    /// </summary>
    /// <param name="point">The prediction; every run that counts shows just its probability.</param>
    /// <param name="options">The error, the indifference and the worst run; the guarantee is that for any law.</param>
    /// <param name="runs">The planned number of runs.</param>
    public static int InvalidRunsBorne(PredictedPoint point, VerificationOptions options, int runs)
    {
        var plan = PredictionTest.PlanFor(point, options);
        var worst = options.WorstRun ?? 0;
        var bets = new List<(Func<RunMeanBets>, double)>();
        if (plan.Worse is { } worse)
            bets.Add((() => new(worse, above: true, worst), plan.Tested));
        if (plan.Better is { } better)
            bets.Add((() => new(better, above: false, worst), plan.Tested));
        return BetPlan.InvalidBorne((int)(runs * TimeBudget.Grace), -Math.Log(options.SideError), [.. bets]);
    }

    // Twice what a client's test takes on average.
    private static int EachClient(PredictedPoint point, VerificationOptions options, int runs)
    {
        var plan = ClientVerdicts.PlanOf(point, options.Indifference, options.PointError);
        return plan is null
            ? 1
            : point.Clients * (int)Math.Ceiling(2 * SprtAudit.Compute(plan, plan.P1).ExpectedSamples / runs);
    }

    // Whether a look confirms the prediction in every scenario, for a truth that is off to either side. Bets take so
    // many runs that a truth which is off would take half as many again; for them it is exact.
    private static bool Confirms(
        TwoSidedPlan plan,
        VerificationOptions options,
        int runs,
        int sequences,
        double inflation
    )
    {
        var counts = new RunCount[runs];
        var error = PredictionLooks.SideErrorAfter(runs, options, options.Looks);
        double Bound(double threshold, bool areAbove) =>
            RunEvidence.Bound(runs, error, threshold, areAbove, options.Guarantee);
        var (above, below) = (
            plan.Worse is { } low ? Bound(low, true) : 0,
            plan.Better is { } high ? Bound(high, false) : 0
        );
        var off = options.Guarantee == Guarantee.Any ? 0 : options.Indifference / 5;
        if (options.Guarantee == Guarantee.Model && !DecidesNearTheEnds(plan, counts, sequences, above, below))
            return false;
        foreach (var (spreadQuantile, meanDeviation) in s_scenarios)
        {
            var spread = Math.Sqrt(ChiSquared.InvCDF(runs - 1, spreadQuantile) / runs);
            if (plan.Lower is not null && !AcceptsAt(Math.Max(plan.Tested - off, TwoSidedPlan.Margin), -meanDeviation))
                return false;
            if (
                plan.Upper is not null
                && !AcceptsAt(Math.Min(plan.Tested + off, 1 - TwoSidedPlan.Margin), meanDeviation)
            )
                return false;

            bool AcceptsAt(double truth, double deviation)
            {
                var runDeviation = Math.Sqrt(inflation * truth * (1 - truth) / sequences);
                FillRuns(counts, sequences, truth + deviation * runDeviation / Math.Sqrt(runs), spread * runDeviation);
                return (plan.Worse is not { } worse || Evidence(worse) >= above)
                    && (plan.Better is not { } better || Evidence(better) <= -below);
            }
        }
        return true;

        double Evidence(double threshold) => RunEvidence.Of(counts, threshold, options.Guarantee);
    }

    // Whether runs with hardly a miss are surely not worse, and those with hardly a hit not better. They tell little
    // where the broker may have states: the likelihood of rare runs full of misses falls slowly with the length of the
    // others.
    private static bool DecidesNearTheEnds(
        TwoSidedPlan plan,
        RunCount[] counts,
        int sequences,
        double above,
        double below
    )
    {
        // One run after the other is a smooth change; many runs do not need every step of it.
        var step = Math.Max(1, counts.Length / 12);
        for (var few = 0; few <= counts.Length; few += step)
        {
            for (var run = 0; run < counts.Length; run++)
                counts[run] = new(sequences - (run < few ? 1 : 0), sequences);
            if (plan.Worse is { } worse && RunLikelihood.SignedDeviance(counts, worse) < above)
                return false;
            for (var run = 0; run < counts.Length; run++)
                counts[run] = new(run < few ? 1 : 0, sequences);
            if (plan.Better is { } better && RunLikelihood.SignedDeviance(counts, better) > -below)
                return false;
        }
        return true;
    }

    // Runs with a given mean and standard deviation (divisor R) of their shares, placed like the quantiles of a normal
    // law.
    private static void FillRuns(RunCount[] counts, int sequences, double mean, double deviation)
    {
        var squares = 0.0;
        for (var i = 0; i < counts.Length; i++)
            squares += Score(i) * Score(i);
        var scale = deviation / Math.Sqrt(squares / counts.Length);
        for (var i = 0; i < counts.Length; i++)
            counts[i] = new((int)Math.Round(Math.Clamp(mean + scale * Score(i), 0, 1) * sequences), sequences);

        double Score(int i) => Normal.InvCDF(0, 1, (i + .5) / counts.Length);
    }
}
