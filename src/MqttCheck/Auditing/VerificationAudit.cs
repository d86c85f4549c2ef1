using System.Diagnostics;
using MqttCheck.Auditing.Promises;
using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Sequential;
using MqttCheck.Statistics;
using MqttCheck.Verification;

namespace MqttCheck.Auditing;

/// <summary>
/// Simulates many verifications of right and wrong predictions, with outcomes that depend on each other. The test of
/// runs assumes a law between runs that holds only approximately, so its error must be simulated. See
/// <see cref="RuleAudit"/> for the rules whose error can be computed.
/// </summary>
internal static class VerificationAudit
{
    /// <summary>
    /// Audits verifications of predictions that are right, off by .02, wrong by the indifference, and wrong by .15 and
    /// .2, in both directions, with runs as long as <see cref="VerificationPlan"/> says.
    /// </summary>
    /// <param name="predictions">Predicted probabilities, each in 0 .. 1.</param>
    /// <param name="options">How they are verified.</param>
    /// <param name="budgetRuns">
    /// The largest number of runs, at least <see cref="VerificationOptions.MinimumRuns"/>.
    /// </param>
    /// <param name="verifications">How many verifications make a line, at least 1.</param>
    /// <param name="seed">The seed.</param>
    /// <param name="threads">How many threads share the work, 1 or more; the result is the same for any number.</param>
    /// <param name="cancellation">Stops between two verifications.</param>
    /// <returns>One line as soon as it is computed.</returns>
    public static IEnumerable<VerificationAuditLine> Lines(
        IEnumerable<double> predictions,
        VerificationOptions options,
        int budgetRuns,
        int verifications,
        ulong seed,
        int threads = 1,
        CancellationToken cancellation = default
    )
    {
        foreach (var predicted in predictions)
        {
            var point = new PredictedPoint("audit", 1, 1, predicted, new(predicted, predicted));
            var plan = PredictionTest.PlanFor(point, options);
            var planned = VerificationPlan.SequencesNeeded(point, options, options.MinimumRuns);
            double[] truths =
            [
                predicted - .2,
                predicted - .15,
                plan.Worse ?? predicted,
                predicted - .02,
                predicted,
                predicted + .02,
                plan.Better ?? predicted,
                predicted + .15,
                predicted + .2,
            ];
            foreach (
                var truth in truths
                    .Where(truth => truth is >= 0 and <= 1 + 1e-9)
                    .Select(truth => Math.Round(truth, 9))
                    .Distinct()
            )
            {
                foreach (var law in RunLaw.All.Where(law => law.CanHave(truth)))
                {
                    var sequences = Math.Max(planned, law.FewestSequences);
                    var tally = Run(
                        point,
                        options,
                        truth,
                        law,
                        sequences,
                        budgetRuns,
                        verifications,
                        seed,
                        threads,
                        cancellation
                    );
                    yield return new(options, predicted, truth, law, sequences, budgetRuns, tally);
                }
            }
        }
    }

    /// <summary>Verifies a prediction again and again, each time up to a verdict or to the end of the budget.</summary>
    /// <param name="point">The prediction.</param>
    /// <param name="options">How it is verified.</param>
    /// <param name="truth">The true probability, 0 .. 1.</param>
    /// <param name="law">The law of the runs.</param>
    /// <param name="sequences">Sequences in each run, over all clients; at least 1.</param>
    /// <param name="budgetRuns">
    /// The largest number of runs, at least <see cref="VerificationOptions.MinimumRuns"/>.
    /// </param>
    /// <param name="verifications">How many verifications, at least 1.</param>
    /// <param name="seed">The seed: verification i draws from the stream (seed, i).</param>
    /// <param name="threads">How many threads share the work, 1 or more; the result is the same for any number.</param>
    /// <param name="cancellation">Stops between two verifications.</param>
    public static VerificationTally Run(
        PredictedPoint point,
        VerificationOptions options,
        double truth,
        RunLaw law,
        int sequences,
        int budgetRuns,
        int verifications,
        ulong seed,
        int threads = 1,
        CancellationToken cancellation = default
    )
    {
        Arguments.Require(truth is >= 0 and <= 1, truth, "must be in 0 .. 1");
        ArgumentOutOfRangeException.ThrowIfLessThan(budgetRuns, options.MinimumRuns);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(verifications);
        var plan = PredictionTest.PlanFor(point, options);
        var fill = law.Runs(truth, sequences);
        var results = new (VerdictKind Kind, int Runs)[verifications];
        Parallel.For(
            0,
            verifications,
            new ParallelOptions { MaxDegreeOfParallelism = threads, CancellationToken = cancellation },
            i => results[i] = One((ulong)i)
        );
        int Count(VerdictKind kind) => results.Count(result => result.Kind == kind);
        return new(
            results.Count(result => result.Kind.IsPassed()),
            Count(VerdictKind.Worse),
            Count(VerdictKind.Better),
            Count(VerdictKind.Withheld),
            results.Count(result => IsWrong(result.Kind, truth, plan)),
            results.Average(result => result.Runs)
        );

        (VerdictKind, int) One(ulong number)
        {
            var random = RandomStream.For(seed, number);
            return Verify(plan, options, point.IsVague(options.Indifference), fill, budgetRuns, ref random);
        }
    }

    /// <summary>
    /// One verification, up to a verdict or to the end of the budget, without the outcomes inside of runs: whether
    /// their halves differ is not asked, which could only withhold a verdict.
    /// </summary>
    internal static (VerdictKind Kind, int Runs) Verify(
        TwoSidedPlan plan,
        VerificationOptions options,
        bool isVague,
        RunFiller fill,
        int budgetRuns,
        ref RandomStream random
    )
    {
        var runs = new RunCount[budgetRuns];
        fill(runs, ref random);
        var looks = new PredictionLooks(plan, options, isVague);
        foreach (var run in runs)
        {
            looks.Add(run);
            if (looks.Look() is { } kind)
                return (kind, looks.Runs.Count);
        }
        return (VerdictKind.Withheld, budgetRuns);
    }

    /// <summary>
    /// Whether a verdict contradicts the truth; at a threshold both the prediction and its refutation do. No verdict is
    /// never wrong.
    /// </summary>
    /// <param name="kind">The verdict.</param>
    /// <param name="truth">The true probability.</param>
    /// <param name="plan">The hypotheses.</param>
    public static bool IsWrong(VerdictKind kind, double truth, TwoSidedPlan plan)
    {
        // Hypotheses are sums and differences of decimal numbers.
        const double Rounding = 1e-12;
        return kind switch
        {
            VerdictKind.Confirmed or VerdictKind.NotWorse => truth <= plan.Worse + Rounding
                || truth >= plan.Better - Rounding,
            VerdictKind.Worse => truth >= plan.Worse - Rounding,
            VerdictKind.Better => truth <= plan.Better + Rounding,
            VerdictKind.Withheld or VerdictKind.Partial => false,
            _ => throw new UnreachableException(),
        };
    }
}
