using MathNet.Numerics.Distributions;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Comparison;

/// <summary>How two brokers are compared: how many runs of each there are, and how long they are.</summary>
/// <param name="Runs">
/// Runs of each broker. <see cref="Guarantee.Model"/>: up to the first look. <see cref="Guarantee.Any"/>: as many as
/// two equal brokers take, or two that differ by the indifference; there may be a verdict before.
/// </param>
/// <param name="Rounds">How long each run is, in rounds: one sequence of every client; at least 1.</param>
public sealed record TwoSamplePlan(int Runs, int Rounds)
{
    /// <summary>
    /// More runs than these are not planned: what they would add to the safety against rare bad runs takes more time
    /// than it is worth.
    /// </summary>
    public const int MostRuns = 20;

    private const int LargestRun = 1 << 20,
        MostRunsOfAnyLaw = 5000;

    // A plan may take this much more time to have more and shorter runs.
    private const double WorthOfRuns = .15;

    // One run in ten spreads more than this; one mean in forty lies farther off.
    private const double SpreadConfidence = .9,
        LargestDeviation = 1.96;

    /// <summary>
    /// A plan that takes little time to find two equal, quiet brokers (variance 1.2 times binomial) equal with a
    /// probability of about .9. Among the plans that take up to 15 % more than the fastest, the one with most runs is
    /// taken. It is more likely to see a rare bad state.
    /// </summary>
    /// <param name="probability">The probability of a sequence to be in time, 0 .. 1; .5 takes most.</param>
    /// <param name="options">The error and the indifference; its number of runs is the smallest one.</param>
    /// <param name="setups">The setups to compare: the samples of a round, and the relative time that a round takes.
    /// All have the same number of runs.</param>
    /// <param name="overheadRounds">
    /// How long the part of a run takes that yields no samples, relative to a round.
    /// </param>
    /// <param name="runs">The number of runs where that is given; null to choose it.</param>
    /// <returns>The length of the runs of each setup, with one number of runs for all.</returns>
    public static IReadOnlyList<TwoSamplePlan> For(
        double probability,
        TwoSampleOptions options,
        IReadOnlyList<(double SamplesPerRound, double RoundTime)> setups,
        double overheadRounds,
        int? runs = null
    )
    {
        if (options.Guarantee == Guarantee.Any)
            return [.. setups.Select(setup => OfAnyLaw(probability, options, setup.SamplesPerRound, overheadRounds))];
        var candidates = runs is { } given
            ? [given]
            : Enumerable.Range(options.MinimumRuns, Math.Max(1, MostRuns - options.MinimumRuns + 1));
        var plans = candidates
            .Select(number =>
                setups.Select(setup => new TwoSamplePlan(number, RoundsOf(number, setup.SamplesPerRound))).ToArray()
            )
            .ToList();
        var times = plans
            .Select(plan =>
                plan.Zip(setups, (one, setup) => one.Runs * (one.Rounds + overheadRounds) * setup.RoundTime).Sum()
            )
            .ToList();
        return plans[times.FindLastIndex(time => time <= times.Min() * (1 + WorthOfRuns))];

        int RoundsOf(int number, double samplesPerRound) =>
            (int)
                Math.Max(
                    1,
                    Math.Ceiling(
                        SequencesNeeded(probability, options with { MinimumRuns = number, PlannedRuns = number })
                            / samplesPerRound
                    )
                );
    }

    /// <summary>
    /// The number of sequences in each run of each broker after which two equal, quiet brokers (variance 1.2 times
    /// binomial) are found equal with probability of about .9 at the first look.
    /// </summary>
    /// <param name="probability">The probability of a sequence to be in time, 0 .. 1; .5 takes most.</param>
    /// <param name="options">The error, the indifference and the number of runs of the first look.</param>
    /// <returns>Sequences per run, over all clients; 1 .. 1 048 576.</returns>
    public static int SequencesNeeded(double probability, TwoSampleOptions options)
    {
        // Nearer to 0 or 1 a few correlated runs say less than their variance does.
        var p = Math.Clamp(probability, .1, .9);
        int runs = options.MinimumRuns;
        var error = options.ComparisonError / 2 * options.Looks.ErrorShare(runs);
        // Both samples bear on the spread that the likelihood sees.
        var reach =
            LargestDeviation
            + Math.Max(
                Quantile(runs, error) * Spread(runs - 1),
                LikelihoodQuantile(runs, error, Math.Max(p, 1 - p)) * Spread(2 * (runs - 1))
            );
        var sequences =
            2 * VerificationPlan.QuietInflation * p * (1 - p) / runs * Math.Pow(reach / options.Indifference, 2);
        return (int)Math.Clamp(Math.Ceiling(sequences), 1, LargestRun);
    }

    /// <summary>
    /// The number of pairs of runs after which bets find two equal, quiet brokers equal, and two that differ by the
    /// indifference different, with probability of about .9 each (variance 1.2 times binomial).
    /// </summary>
    /// <param name="options">The error and the indifference.</param>
    /// <param name="probability">The probability of a sequence to be in time.</param>
    /// <param name="sequences">
    /// Sequences in each run, at least 1; the largest number for runs without chance in them.
    /// </param>
    /// <returns>At most 5000.</returns>
    public static int RunsOfAnyLaw(TwoSampleOptions options, double probability, int sequences)
    {
        return IntegerSearch.Smallest(2, MostRunsOfAnyLaw, Decides);

        bool Decides(int runs)
        {
            double Variance(double p) => VerificationPlan.QuietInflation * p * (1 - p) / sequences;
            var lower = Math.Max(.01, probability - options.Indifference);
            var equal = Math.Sqrt(2 * Variance(probability));
            var different = Math.Sqrt(Variance(probability) + Variance(lower));
            // One mean in twenty lies farther off to one side.
            const double MeanDeviation = 1.64;
            return IsRejected(
                    runs,
                    options.Indifference,
                    -options.Indifference + MeanDeviation * equal / Math.Sqrt(runs),
                    equal
                )
                && IsRejected(runs, 0, -options.Indifference + MeanDeviation * different / Math.Sqrt(runs), different);
        }

        // Whether bets reject a difference of so much or more. The scaled differences lie at the quantiles of a normal
        // law.
        bool IsRejected(int runs, double hypothesis, double below, double deviation)
        {
            var (least, most) = TwoSampleBets.RangeOfPairs(options);
            var bets = new RunMeanBets((1 + hypothesis) / 2, above: false, least, most);
            for (var i = 0; i < runs; i++)
                bets.Add(
                    Math.Clamp(
                        (1 + hypothesis + below + deviation * Normal.InvCDF(0, 1, (i + .5) / runs)) / 2,
                        least,
                        most
                    )
                );
            return bets.LogWealth >= -Math.Log(options.ComparisonError / 2);
        }
    }

    /// <summary>
    /// With <see cref="Guarantee.Any"/>: how many pairs that do not count a verdict can bear. With so many two equal
    /// brokers are still found equal, within the planned pairs and a quarter more.
    /// </summary>
    /// <param name="options">The error and the indifference.</param>
    public int InvalidRunsBorne(TwoSampleOptions options)
    {
        var (least, most) = TwoSampleBets.RangeOfPairs(options);
        return BetPlan.InvalidBorne(
            (int)(Runs * TimeBudget.Grace),
            -Math.Log(options.ComparisonError / 2),
            (() => new((1 + options.Indifference) / 2, above: false, least, most), .5)
        );
    }

    /// <summary>
    /// The number of stored runs from which on bets can tell an equal broker from one that differs by the indifference:
    /// from so many alike ones the stored mean is known to half of the indifference. Fewer stored runs do not suffice,
    /// however many are compared with them.
    /// </summary>
    /// <param name="options">The error and the indifference.</param>
    /// <param name="probability">The probability of a sequence to be in time, in (0, 1).</param>
    public static int StoredRunsOfAnyLaw(TwoSampleOptions options, double probability)
    {
        var least = options.WorstRun ?? 0;
        probability = Math.Max(probability, least);
        var bets = new RunMeanBets(Math.Max(least + .001, probability - options.Indifference / 2), above: true, least);
        for (var runs = 1; runs < MostRunsOfAnyLaw; runs++)
            if (bets.Add(probability) >= -Math.Log(options.ComparisonError / 4))
                return runs;
        return MostRunsOfAnyLaw;
    }

    /// <summary>The number of standard errors that reject a difference at a look.</summary>
    /// <param name="runs">Runs of the smaller sample, at least 2.</param>
    /// <param name="error">The error of a side at this look.</param>
    internal static double Quantile(int runs, double error) => StudentT.InvCDF(0, 1, runs - 1, 1 - error);

    // The same for the likelihood of two samples. Its deviance is R ln(1 + t^2 / (2 (R - 1))), where runs have normal
    // means.
    private static double LikelihoodQuantile(int runs, double error, double extreme) =>
        Math.Sqrt(
            2 * (runs - 1) * (Math.Exp(RunLikelihood.DevianceBound(runs, error, extreme, areAbove: true) / runs) - 1)
        );

    private static double Spread(int degreesOfFreedom) =>
        Math.Sqrt(ChiSquared.InvCDF(degreesOfFreedom, SpreadConfidence) / degreesOfFreedom);

    private static TwoSamplePlan OfAnyLaw(
        double probability,
        TwoSampleOptions options,
        double samplesPerRound,
        double overheadRounds
    )
    {
        var fewest = RunsOfAnyLaw(options, probability, int.MaxValue);
        var (best, leastTime) = (new TwoSamplePlan(0, 0), double.PositiveInfinity);
        for (
            var length = 1;
            fewest * (length + overheadRounds) < leastTime;
            length = Math.Max(length + 1, length * 5 / 4)
        )
        {
            var runs = Math.Max(
                options.MinimumRuns,
                RunsOfAnyLaw(options, probability, (int)Math.Clamp(length * samplesPerRound, 1, LargestRun))
            );
            if (runs * (length + overheadRounds) is var time && time < leastTime)
                (best, leastTime) = (new(runs, length), time);
        }
        return best;
    }
}
