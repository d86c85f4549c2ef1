using MqttCheck.Statistics;

namespace MqttCheck.Checking;

/// <summary>
/// What the stated error of a verification is worth: many simulated verifications of a right or wrong prediction, with outcomes that depend on each other. The test of runs assumes a law between
/// runs that is only nearly right, so its error is found by simulation; see <see cref="Audit"/> for the rules whose error can be computed.
/// </summary>
public static class VerificationAudit
{
    private const double ThresholdMilliseconds = 50;

    // Where variances are 180 times binomial, shorter runs would be all hits or all misses.
    private const int SmallestMoodyRun = 500;

    /// <summary>The dependences that an audit covers: independent outcomes, a quiet broker, a loaded one, one near saturation, and neighbours that are alike.</summary>
    public static IReadOnlyList<OutcomeDependence> Dependences { get; } =
        [OutcomeDependence.None, OutcomeDependence.BetweenRuns(1.2), OutcomeDependence.BetweenRuns(8), OutcomeDependence.BetweenRuns(180), OutcomeDependence.InsideRuns(.5)];

    /// <summary>
    /// Audits verifications of predictions that are right, off by .02, wrong by the indifference, and wrong by .15, in both directions, with runs as long as <see cref="VerificationPlan"/> says.
    /// </summary>
    /// <param name="predictions">Predicted probabilities, each in 0 .. 1.</param>
    /// <param name="options">How they are verified.</param>
    /// <param name="budgetRuns">The largest number of runs, at least <see cref="VerificationOptions.MinimumRuns"/>.</param>
    /// <param name="verifications">How many verifications make a line, at least 1.</param>
    /// <param name="seed">The seed.</param>
    /// <param name="threads">How many threads share the work, 1 or more; the result is the same for any number.</param>
    /// <param name="cancellation">Stops between two verifications.</param>
    /// <returns>One line as soon as it is computed.</returns>
    public static IEnumerable<VerificationAuditLine> Lines(
        IEnumerable<double> predictions, VerificationOptions options, int budgetRuns, int verifications, ulong seed, int threads = 1, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(predictions);
        ArgumentNullException.ThrowIfNull(options);
        foreach (var predicted in predictions)
        {
            var point = new PredictedPoint("audit", 1, ThresholdMilliseconds, predicted, new(predicted, predicted));
            var plan = PredictionTest.PlanFor(point, options);
            var planned = VerificationPlan.SequencesNeeded(point, options, options.MinimumRuns);
            double[] truths = [predicted - .15, plan.Lower?.P0 ?? predicted, predicted - .02, predicted, predicted + .02, plan.Upper?.P1 ?? predicted, predicted + .15];
            foreach (var truth in truths.Where(truth => truth is >= 0 and <= 1 + 1e-9).Select(truth => Math.Round(truth, 9)).Distinct())
            {
                foreach (var dependence in Dependences)
                {
                    var sequences = dependence.Inflation > 8 ? Math.Max(planned, SmallestMoodyRun) : planned;
                    var tally = Run(point, options, truth, dependence, sequences, budgetRuns, verifications, seed, threads, cancellation);
                    yield return new(options, predicted, truth, dependence, sequences, budgetRuns, tally);
                }
            }
        }
    }

    /// <summary>Verifies a prediction again and again, each time up to a verdict or to the end of the budget.</summary>
    /// <param name="point">The prediction.</param>
    /// <param name="options">How it is verified.</param>
    /// <param name="truth">The true probability, 0 .. 1.</param>
    /// <param name="dependence">How outcomes depend on each other.</param>
    /// <param name="sequences">Sequences in each run, over all clients; at least 1.</param>
    /// <param name="budgetRuns">The largest number of runs, at least <see cref="VerificationOptions.MinimumRuns"/>.</param>
    /// <param name="verifications">How many verifications, at least 1.</param>
    /// <param name="seed">The seed: verification i draws from the stream (seed, i).</param>
    /// <param name="threads">How many threads share the work, 1 or more; the result is the same for any number.</param>
    /// <param name="cancellation">Stops between two verifications.</param>
    public static VerificationTally Run(
        PredictedPoint point, VerificationOptions options, double truth, OutcomeDependence dependence, int sequences, int budgetRuns, int verifications, ulong seed,
        int threads = 1, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(dependence);
        ArgumentNullException.ThrowIfNull(options);
        if (!(truth is >= 0 and <= 1)) throw new ArgumentOutOfRangeException(nameof(truth), truth, "must be in 0 .. 1");
        ArgumentOutOfRangeException.ThrowIfLessThan(budgetRuns, options.MinimumRuns);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(verifications);
        var plan = PredictionTest.PlanFor(point, options);
        var results = new (VerdictKind Kind, int Runs)[verifications];
        Parallel.For(0, verifications, new ParallelOptions { MaxDegreeOfParallelism = threads, CancellationToken = cancellation }, i => results[i] = One((ulong)i));
        int Count(VerdictKind kind) => results.Count(result => result.Kind == kind);
        return new(
            Count(VerdictKind.Confirmed), Count(VerdictKind.Worse), Count(VerdictKind.Better), Count(VerdictKind.Withheld),
            results.Count(result => IsWrong(result.Kind, truth, plan)), results.Average(result => result.Runs));

        (VerdictKind, int) One(ulong number)
        {
            var random = RandomStream.For(seed, number);
            var test = new PredictionTest(point, options);
            for (var run = 1; ; run++)
            {
                var kind = test.Decide(dependence.Run(run, sequences, truth, point.ThresholdMilliseconds, ref random));
                if (kind != VerdictKind.Withheld || run == budgetRuns) return (kind, run);
            }
        }
    }

    /// <summary>Whether a verdict contradicts the truth. Between the prediction and a neighbouring hypothesis both may be accepted; no verdict is never wrong.</summary>
    /// <param name="kind">The verdict.</param>
    /// <param name="truth">The true probability.</param>
    /// <param name="plan">The hypotheses.</param>
    public static bool IsWrong(VerdictKind kind, double truth, TwoSidedPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        // Hypotheses are sums and differences of decimal numbers.
        const double Rounding = 1e-12;
        var isWorse = plan.Lower is not null && truth <= plan.Lower.P0 + Rounding;
        var isBetter = plan.Upper is not null && truth >= plan.Upper.P1 - Rounding;
        return kind switch
        {
            VerdictKind.Confirmed => isWorse || isBetter,
            VerdictKind.Worse => truth >= plan.Tested - Rounding,
            VerdictKind.Better => truth <= plan.Tested + Rounding,
            _ => false,
        };
    }
}
