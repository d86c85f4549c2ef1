using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises;

/// <summary>
/// Simulates the true error of a requirement under every law of runs. A broker whose truth is p - d must not pass, and
/// one whose truth is p must not fail. Each measurement goes on until a verdict, or until a few runs more than planned.
/// </summary>
/// <param name="guarantee">Under which assumption.</param>
/// <param name="plans">Requirements, with the samples that a round has.</param>
internal sealed class RequirementAudit(
    Guarantee guarantee,
    IReadOnlyList<(RequirementOptions Options, double SamplesPerRound)> plans
) : IPromiseAudit
{
    // This many runs follow the planned ones, because each later look may give a verdict too.
    internal const int FurtherRuns = 4;

    /// <summary>
    /// The audit of three plans: 60 clients with requirements of .85, .9 and .95, the last with an error of .05 and
    /// short runs.
    /// </summary>
    /// <param name="guarantee">Under which assumption.</param>
    public RequirementAudit(Guarantee guarantee)
        : this(
            guarantee,
            [
                (new() { Probability = .9 }, 60),
                (new() { Probability = .95 }, 60),
                (
                    new()
                    {
                        Probability = .85,
                        Error = .05,
                        MinimumRuns = 8,
                    },
                    30
                ),
            ]
        ) { }

    /// <inheritdoc/>
    public string Title =>
        guarantee == Guarantee.Any ? "Requirements, independent runs of any law" : "Requirements, model of the runs";

    /// <inheritdoc/>
    public string Description =>
        "A requirement of p is measured on two brokers. One has the truth p - "
        + "d, where passing is wrong; the other has p, where failing is wrong. "
        + "Runs are planned as in a test project. A measurement ends with "
        + string.Create(CultureInfo.InvariantCulture, $"its verdict, or {FurtherRuns} runs after the planned number.");

    /// <inheritdoc/>
    public IReadOnlyList<PromiseCell> Cells { get; } =
    [.. plans.SelectMany(plan => Of(plan.Options with { Guarantee = guarantee }, plan.SamplesPerRound))];

    private static IEnumerable<PromiseCell> Of(RequirementOptions options, double samplesPerRound)
    {
        var plan = RequirementPlan.For(options, samplesPerRound, 1);
        var low = options.Probability - options.EffectiveIndifference;
        foreach (var truth in new[] { low, options.Probability })
        {
            foreach (var law in RunLaw.All.Where(law => law.CanHave(truth)))
                yield return Wrong(options, samplesPerRound, plan, truth, law);
            yield return Missed(options, samplesPerRound, plan, truth);
        }
    }

    /// <summary>How often a broker whose truth is just p - d passes, or fails where it is just p.</summary>
    internal static PromiseCell Wrong(
        RequirementOptions options,
        double samplesPerRound,
        RequirementPlan plan,
        double truth,
        RunLaw law
    )
    {
        var samples = Samples(plan, samplesPerRound, law);
        var fill = law.Runs(truth, samples);
        var isMet = truth >= options.Probability;
        var wrong = isMet ? RequirementVerdict.Violated : RequirementVerdict.Met;
        return Cell(options, isMet, law) with
        {
            Detail = Invariant(
                $"{(isMet ? plan.FirstViolatedLook : plan.FirstMetLook)} to {plan.Runs + FurtherRuns} x {samples}"
            ),
            Promise = VerdictPromiseAudit.Promised(options.Guarantee, law) ? options.Error : null,
            Floor =
                options.Guarantee == Guarantee.Any
                    ? 0
                    : law.Silence(isMet ? plan.FirstViolatedLook : plan.FirstMetLook),
            Trial = random =>
            {
                var verdict = Measure(options, plan, fill, plan.Runs + FurtherRuns, random);
                return verdict == RequirementVerdict.Withheld ? TrialOutcome.Withheld
                    : verdict == wrong ? TrialOutcome.Wrong
                    : TrialOutcome.Right;
            },
        };
    }

    // This is one minus the power: how often a quiet broker lacks its right verdict after the planned number of runs.
    private static PromiseCell Missed(
        RequirementOptions options,
        double samplesPerRound,
        RequirementPlan plan,
        double truth
    )
    {
        var law = RunLaw.BetaBinomial(VerificationPlan.QuietInflation);
        var samples = Samples(plan, samplesPerRound, law);
        var fill = law.Runs(truth, samples);
        var right = truth >= options.Probability ? RequirementVerdict.Met : RequirementVerdict.Violated;
        var cell = Cell(options, right == RequirementVerdict.Met, law);
        return cell with
        {
            Subject = cell.Subject + ", power",
            Situation = "without the right verdict",
            Detail = Invariant($"{plan.Runs} x {samples}"),
            // Its upper bound must be below a tenth itself.
            Promise = VerdictPromiseAudit.LargestMissed / PromiseRule.Tolerance,
            Trial = random =>
                Measure(options, plan, fill, plan.Runs, random) == right ? TrialOutcome.Right : TrialOutcome.Wrong,
        };
    }

    private static PromiseCell Cell(RequirementOptions options, bool isMet, RunLaw law) =>
        new()
        {
            Subject = Invariant($"requirement {options.Probability}, error {options.Error}"),
            Variant = isMet ? "truth p" : "truth p - d",
            Situation = "wrong",
            Law = law,
            Guarantee = options.Guarantee,
            Promise = null,
            Trial = _ => TrialOutcome.Withheld,
        };

    private static int Samples(RequirementPlan plan, double samplesPerRound, RunLaw law) =>
        Math.Max(law.FewestSequences, (int)Math.Round(plan.Rounds * samplesPerRound));

    private static RequirementVerdict Measure(
        RequirementOptions options,
        RequirementPlan plan,
        RunFiller fill,
        int most,
        RandomStream random
    )
    {
        var runs = new RunCount[most];
        fill(runs, ref random);
        var test = new RequirementTest(options, plan);
        return runs.Select(run => test.Decide(run))
            .FirstOrDefault(verdict => verdict != RequirementVerdict.Withheld, RequirementVerdict.Withheld);
    }
}
