using MqttCheck.Predictions;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises;

/// <summary>
/// The promises of verdicts on predictions: that a right prediction is not refuted, that a wrong one is not confirmed,
/// and that a right one is confirmed at the planned number of runs.
/// </summary>
internal sealed class VerdictPromiseAudit : IPromiseAudit
{
    /// <summary>
    /// A right prediction stays without its confirmation in at most this share of simulations, at the planned number of
    /// runs.
    /// </summary>
    public const double LargestMissed = .1;

    private const double Predicted = .85,
        Narrow = .02;

    private static readonly double[] s_halfWidths = [.02, .05, .08, .12, .18, .25];

    private static readonly int[] s_runs = [3, 5, 8, 11, 14];

    /// <inheritdoc/>
    public string Title => "Verdicts on predictions";

    /// <inheritdoc/>
    public string Description =>
        "A verdict that contradicts the truth is wrong: confirmed where "
        + "the truth is worse or better, worse or better where it is not. "
        + "*Not worse* is wrong where the truth is worse. The prediction is .85 with "
        + "an interval of its own; L is its lower end, e the larger of d and p - L. "
        + "Power is about right predictions, at the number of runs that is planned "
        + "for so much variance between runs: how often one stays unconfirmed.";

    /// <inheritdoc/>
    public IReadOnlyList<PromiseCell> Cells { get; } = [.. Wrong(), .. InsideTheInterval(), .. Missed()];

    /// <summary>The plans of 'run', of 'run --quick', and of eight runs with three more looks.</summary>
    internal static IReadOnlyList<VerdictPlan> Plans { get; } =
    [
        new("run", new() { Error = .01, Indifference = .1 }, 0),
        new(
            "run --quick",
            new()
            {
                Error = .1,
                Indifference = .15,
                MinimumRuns = 3,
            },
            0
        ),
        new("8 to 11 runs", new() { Error = .01, Indifference = .1 }, 3),
    ];

    /// <summary>
    /// Whether a guarantee promises its error under a law; a rare state adds its <see cref="RunLaw.Silence"/> to what
    /// is allowed where the promise rests on a model.
    /// </summary>
    /// <param name="guarantee">The guarantee.</param>
    /// <param name="law">The law.</param>
    public static bool Promised(Guarantee guarantee, RunLaw law)
    {
        return guarantee == Guarantee.Any ? law.AreRunsIndependent : law.IsModelled || law.RareShare > 0;
    }

    private static IEnumerable<PromiseCell> Wrong()
    {
        foreach (var guarantee in Enum.GetValues<Guarantee>())
        {
            foreach (var plan in Plans)
            {
                var point = Point(Narrow);
                var (options, budget, sequences) = plan.For(point, guarantee);
                var d = options.Indifference;
                foreach (
                    var (name, truth) in new[]
                    {
                        ("p", Predicted),
                        ("p - d", Predicted - d),
                        ("p + d", Math.Min(.99, Predicted + d)),
                    }
                )
                foreach (var law in RunLaw.All.Where(law => law.CanHave(truth)))
                    yield return Cell(plan.Name, "", name, point, options, budget, sequences, law, truth, both: true);
            }
        }
    }

    // If the interval is wider than the indifference, every truth inside it counts as predicted.
    private static IEnumerable<PromiseCell> InsideTheInterval()
    {
        RunLaw[] laws =
        [
            RunLaw.BetaBinomial(1.2),
            RunLaw.BetaBinomial(8),
            RunLaw.BetaBinomial(180),
            RunLaw.RareRuns(.3, .5),
            RunLaw.LogNormalMisses(.8),
        ];
        foreach (var runs in s_runs)
        {
            foreach (var halfWidth in s_halfWidths)
            {
                var point = Point(halfWidth);
                var options = new VerificationOptions { MinimumRuns = runs, PlannedRuns = runs };
                var sequences = VerificationPlan.SequencesNeeded(point, options, runs);
                double low = point.Interval.Lower,
                    reach = Math.Max(options.Indifference, halfWidth);
                (string Name, double Truth)[] truths =
                [
                    ("p", Predicted),
                    ("L", low),
                    ("between p and L", (Predicted + low) / 2),
                    ("p - d", Predicted - options.Indifference),
                    ("p - e", Predicted - reach),
                ];
                foreach (var (name, truth) in truths.DistinctBy(pair => Math.Round(pair.Truth, 9)))
                foreach (var law in laws.Where(law => law.CanHave(truth)))
                    yield return Cell(
                        Invariant($"{runs} runs, worse or better"),
                        Invariant($"±{halfWidth}"),
                        name,
                        point,
                        options,
                        runs,
                        sequences,
                        law,
                        truth,
                        both: false
                    );
            }
        }
    }

    private static IEnumerable<PromiseCell> Missed()
    {
        foreach (var guarantee in Enum.GetValues<Guarantee>())
        {
            foreach (var plan in Plans.Take(2))
            {
                var point = Point(Narrow);
                var (options, _, sequences) = plan.For(point, guarantee);
                foreach (var inflation in new[] { 1.2, 8 })
                {
                    var law = RunLaw.BetaBinomial(inflation);
                    if (VerificationPlan.RunsNeeded(point, options, sequences, inflation) is { } runs)
                        yield return Power(
                            plan.Name,
                            "planned for so much variance",
                            point,
                            guarantee == Guarantee.Model ? options with { PlannedRuns = runs } : options,
                            runs,
                            sequences,
                            law,
                            isPromised: true
                        );
                    if (
                        inflation > VerificationPlan.QuietInflation
                        && VerificationPlan.RunsNeeded(point, options, sequences) is { } quiet
                    )
                        yield return Power(
                            plan.Name,
                            "planned for a quiet broker",
                            point,
                            options,
                            quiet,
                            sequences,
                            law,
                            isPromised: false
                        );
                }
            }
        }
    }

    private static PromiseCell Power(
        string name,
        string variant,
        PredictedPoint point,
        VerificationOptions options,
        int runs,
        int sequences,
        RunLaw law,
        bool isPromised
    )
    {
        var fill = law.Runs(Predicted, sequences);
        var plan = PredictionTest.PlanFor(point, options);
        return new()
        {
            Subject = name + ", power",
            Variant = variant,
            Situation = "p, not confirmed",
            Detail = Invariant($"{runs} x {sequences}"),
            Law = law,
            Guarantee = options.Guarantee,
            // Its upper bound must be below a tenth itself.
            Promise = isPromised ? LargestMissed / PromiseRule.Tolerance : null,
            Trial = random =>
                VerificationAudit.Verify(plan, options, false, fill, runs, ref random).Kind.IsPassed()
                    ? TrialOutcome.Right
                    : TrialOutcome.Wrong,
        };
    }

    /// <summary>One truth under one law; what the name of a cell is made of comes first.</summary>
    internal static PromiseCell Cell(
        string subject,
        string variant,
        string situation,
        PredictedPoint point,
        VerificationOptions options,
        int budget,
        int sequences,
        RunLaw law,
        double truth,
        bool both
    )
    {
        truth = Math.Round(truth, 9);
        var plan = PredictionTest.PlanFor(point, options);
        var fill = law.Runs(truth, Math.Max(sequences, law.FewestSequences));
        var isVague = point.IsVague(options.Indifference);
        return new()
        {
            Subject = subject,
            Variant = variant,
            Situation = situation,
            Detail =
                (
                    budget == options.MinimumRuns || options.Guarantee == Guarantee.Any
                        ? ""
                        : Invariant($"{options.MinimumRuns} to ")
                ) + Invariant($"{budget} x {Math.Max(sequences, law.FewestSequences)}"),
            Law = law,
            Guarantee = options.Guarantee,
            Promise = Promised(options.Guarantee, law) ? options.PointError : null,
            Floor = options.Guarantee == Guarantee.Model ? law.Silence(options.MinimumRuns) : 0,
            Trial = random =>
            {
                var kind = VerificationAudit.Verify(plan, options, isVague, fill, budget, ref random).Kind;
                return kind == VerdictKind.Withheld ? TrialOutcome.Withheld
                    : VerificationAudit.IsWrong(kind, truth, plan) && (both || !kind.IsPassed()) ? TrialOutcome.Wrong
                    : TrialOutcome.Right;
            },
        };
    }

    private static PredictedPoint Point(double halfWidth) =>
        new("audit", 1, 1, Predicted, new(Math.Max(0, Predicted - halfWidth), Math.Min(1, Predicted + halfWidth)));
}
