using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Predictions;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises;

/// <summary>
/// Simulates verdicts where bad runs are judged invalid more often than good ones. This happens when the load that
/// slows the broker down also slows the generator down. A verdict must not follow from the choice of the runs that
/// count.
/// </summary>
internal sealed class DroppedRunsAudit : IPromiseAudit
{
    // The rare state of the law, whose runs may be judged invalid.
    private const double BadLevel = .4,
        BadShare = .22;

    // The share of a run lies below this level in the bad state, and above it in the other one.
    private const double Between = .6;

    // Each run has this many sequences, and this many runs follow the planned ones.
    private const int Sequences = 200,
        FurtherRuns = 4;

    private const double Level = .85;

    private static readonly double[] s_dropped = [.5, .9, 1];

    private static readonly RunLaw s_law = RunLaw.RareRuns(BadShare, BadLevel);

    /// <inheritdoc/>
    public string Title => "Runs that do not count";

    /// <inheritdoc/>
    public string Description =>
        Invariant($"A bad run is in time at {BadLevel}, in {BadShare} of the runs, and is judged invalid with some ")
        + "probability; other runs always count. An error that holds for any law is the stated one. With the "
        + "model, the runs may also show nothing of the bad state; the choice of runs must add nothing to that.";

    /// <inheritdoc/>
    public IReadOnlyList<PromiseCell> Cells { get; } =
    [
        .. Enum.GetValues<Guarantee>()
            .SelectMany(guarantee => s_dropped.SelectMany(dropped => CellsOf(guarantee, dropped))),
    ];

    private static IEnumerable<PromiseCell> CellsOf(Guarantee guarantee, double dropped)
    {
        yield return Prediction(guarantee, dropped);
        yield return RequirementCell(guarantee, dropped);
        yield return Comparison(guarantee, dropped);
    }

    // The truth is p - d.
    private static PromiseCell Prediction(Guarantee guarantee, double dropped)
    {
        var options = new VerificationOptions { Guarantee = guarantee };
        var most = MostRuns(guarantee, options.MinimumRuns);
        options = options with { PlannedRuns = most };
        var point = new PredictedPoint("audit", 1, 1, Level, new(Level, Level));
        var plan = PredictionTest.PlanFor(point, options);
        var fill = s_law.Runs(Math.Round(plan.Worse!.Value, 9), Sequences);
        return Cell(guarantee, "prediction .85, truth p - d", dropped, options.Error, options.MinimumRuns) with
        {
            Trial = random =>
            {
                var looks = new PredictionLooks(plan, options, isVague: false);
                var (runs, isInvalid) = Draw(fill, most, dropped, random);
                for (var run = 0; run < most; run++)
                {
                    if (isInvalid[run])
                        looks.AddInvalid(runs[run]);
                    else
                        looks.Add(runs[run]);
                    if (looks.Look() is { } kind)
                        return kind == VerdictKind.Worse ? TrialOutcome.Right : TrialOutcome.Wrong;
                }
                return TrialOutcome.Withheld;
            },
        };
    }

    private static PromiseCell RequirementCell(Guarantee guarantee, double dropped)
    {
        var options = new RequirementOptions { Probability = Level, Guarantee = guarantee };
        var plan = RequirementPlan.For(options, Sequences, 1, 1);
        var most = plan.Runs + FurtherRuns;
        var fill = s_law.Runs(Math.Round(Level - options.EffectiveIndifference, 9), Sequences);
        return Cell(guarantee, "requirement .85, truth p - d", dropped, options.Error, plan.FirstMetLook) with
        {
            Trial = random =>
            {
                var test = new RequirementTest(options, plan);
                var (runs, isInvalid) = Draw(fill, most, dropped, random);
                for (var run = 0; run < most; run++)
                {
                    var verdict = isInvalid[run] ? test.DecideInvalid(runs[run]) : test.Decide(runs[run]);
                    if (verdict != RequirementVerdict.Withheld)
                        return verdict == RequirementVerdict.Violated ? TrialOutcome.Right : TrialOutcome.Wrong;
                }
                return TrialOutcome.Withheld;
            },
        };
    }

    // The second has the bad runs, and is as fast as the first on the whole: without them it looks faster.
    private static PromiseCell Comparison(Guarantee guarantee, double dropped)
    {
        var options = new TwoSampleOptions { Guarantee = guarantee };
        var most = MostRuns(guarantee, options.MinimumRuns);
        options = options with { PlannedRuns = most };
        var steady = RunLaw.Independent.Runs(Level - options.Indifference, Sequences);
        var fill = s_law.Runs(Math.Round(Level - options.Indifference, 9), Sequences);
        return Cell(guarantee, "comparison, equal, the first steady", dropped, options.Error, options.MinimumRuns) with
        {
            Trial = random =>
            {
                var test = new TwoSampleTest(options);
                var first = new RunCount[most];
                steady(first, ref random);
                var (runs, isInvalid) = Draw(fill, most, dropped, random);
                for (var run = 0; run < most; run++)
                {
                    var verdict = isInvalid[run]
                        ? test.DecideInvalid(first[run], runs[run])
                        : test.Decide(first[run], runs[run]);
                    if (verdict != TwoSampleVerdict.Withheld)
                        return verdict == TwoSampleVerdict.NoDifference ? TrialOutcome.Right : TrialOutcome.Wrong;
                }
                return TrialOutcome.Withheld;
            },
        };
    }

    private static PromiseCell Cell(Guarantee guarantee, string subject, double dropped, double error, int runs) =>
        new()
        {
            Subject = subject,
            Variant = Invariant($"{100 * dropped:0} % of the bad runs invalid"),
            Situation = "wrong",
            Law = s_law,
            Guarantee = guarantee,
            Promise = error,
            Floor = guarantee == Guarantee.Any ? 0 : s_law.Silence(runs),
            Trial = _ => TrialOutcome.Withheld,
        };

    private static int MostRuns(Guarantee guarantee, int least) =>
        guarantee == Guarantee.Any ? 60 : least + FurtherRuns;

    private static (RunCount[] Runs, bool[] IsInvalid) Draw(
        RunFiller fill,
        int most,
        double dropped,
        RandomStream random
    )
    {
        var runs = new RunCount[most];
        fill(runs, ref random);
        var isInvalid = new bool[most];
        for (var run = 0; run < most; run++)
            isInvalid[run] = runs[run].Share < Between && random.NextDouble() < dropped;
        return (runs, isInvalid);
    }
}
