using System.Diagnostics;
using MqttCheck.Properties.Traces;
using MqttCheck.Requirements;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Properties.Live;

/// <summary>The result of a test of a property by live runs.</summary>
public sealed record LivePropertyResult
{
    /// <summary>The property.</summary>
    public required LiveProperty Property { get; init; }

    /// <summary>The requirement and the error.</summary>
    public required RequirementOptions Options { get; init; }

    /// <summary>After how many runs there may be a verdict.</summary>
    public required RequirementPlan Plan { get; init; }

    /// <summary>The runs, in the order in which they were made.</summary>
    public required IReadOnlyList<LiveRun> Runs { get; init; }

    /// <summary>
    /// The result of the test; null before the first run with a trace about which the property says something.
    /// </summary>
    public required RequirementResult? Requirement { get; init; }

    /// <summary>Why these runs must not decide, in a sentence; null where they can be used.</summary>
    public string? Unusable { get; init; }

    /// <summary>The runs that do not count, in a sentence; null where all do.</summary>
    public string? InvalidRuns { get; init; }

    /// <summary>Whether it holds; null while neither can be said with the stated error.</summary>
    public bool? Holds => Unusable is null ? HoldsByTest : null;

    private bool? HoldsByTest =>
        Requirement?.Verdict switch
        {
            RequirementVerdict.Met => true,
            RequirementVerdict.Violated => false,
            null or RequirementVerdict.Withheld => null,
            _ => throw new UnreachableException(),
        };

    /// <summary>All counted traces.</summary>
    public long Traces => Runs.Sum(run => (long)run.Traces);

    /// <summary>Traces that fulfil the property.</summary>
    public long Fulfilling => Runs.Sum(run => (long)run.Fulfilling);

    /// <summary>Traces about which it says nothing.</summary>
    public long Silent => Runs.Sum(run => (long)run.Silent);

    /// <summary>
    /// The share of the traces and the groups of clients that the verdict is about, in words; null where it is about
    /// every trace, or about none.
    /// </summary>
    public string? JudgedOn => Judged.InWords;

    /// <summary>
    /// The share of traces that fulfil it, among those about which it says something; null where there are none.
    /// </summary>
    public double? Observed => Traces > Silent ? (double)Fulfilling / (Traces - Silent) : null;

    /// <summary>The 95 % interval of the probability, the run being the sampling unit.</summary>
    public Interval Interval => Requirement?.Interval ?? new(0, 1);

    /// <summary>Why the verdict is what it is, in one sentence.</summary>
    public string Reason
    {
        get
        {
            var word = Word(Requirement?.Verdict ?? RequirementVerdict.Withheld);
            return Unusable is { } why ? RunJudgement.Withheld(why, $"{word}, {ReasonByTest}") : ReasonByTest;
        }
    }

    internal JudgedTraces Judged => JudgedTraces.Sum(Runs.Select(run => run.Judged));

    private static string Word(RequirementVerdict verdict) =>
        verdict switch
        {
            RequirementVerdict.Met => "holds",
            RequirementVerdict.Violated => "violated",
            RequirementVerdict.Withheld => "withheld",
            _ => throw new UnreachableException(),
        };

    private string ReasonByTest
    {
        get
        {
            if (Requirement is not { } result)
                return Traces == 0
                    ? "no trace was finished"
                    : "the property says nothing about "
                        + Invariant($"{(Traces == 1 ? "the one trace" : $"any of the {Traces} traces")}: none has ")
                        + "a message that it asks about";
            if (result.WhyHeldBack(Word) is { } why)
                return why;
            var low = Options.Probability - Options.EffectiveIndifference;
            return result.Verdict switch
            {
                RequirementVerdict.Met => Invariant($"a probability of {low:0.####} or less is rejected"),
                RequirementVerdict.Violated => Invariant(
                    $"a probability of {Options.Probability:0.####} or more is rejected"
                ),
                RequirementVerdict.Withheld when Options.Guarantee == Guarantee.Any => Invariant(
                    $"{Made(result.Runs.Count)}; without an assumption on their law it takes "
                )
                    + Invariant($"{Plan.FirstMetLook} if all traces fulfil it, and {Plan.Runs} if just the ")
                    + "required share does: allow more time, or a larger indifference than "
                    + Invariant($"{Options.EffectiveIndifference:0.####}"),
                _ when result.Runs.Count < Plan.FirstMetLook => Invariant(
                    $"{Made(result.Runs.Count)}; that it holds takes {Plan.FirstMetLook} at least, "
                ) + Invariant($"that it is violated {Plan.FirstViolatedLook}: allow more time"),
                _ when result.Variation.Inflation > 3 => Invariant(
                    $"the runs differ {result.Variation.Inflation:0.#} times more than chance makes "
                ) + "them: allow more time, or let the broker settle",
                _ when !result.AreRareBadRunsExcluded && Math.Abs(result.Evidence) >= result.Bound =>
                    "these runs do not exclude a broker that fails rarely but then for a whole run: allow more time",
                _ when Math.Abs(result.Evidence) >= result.Bound && result.Runs.Count < Plan.Runs => Invariant(
                    $"{Made(result.Runs.Count)}; the next verdict is due after {Plan.Runs}: allow more time"
                ),
                RequirementVerdict.Withheld => Invariant(
                    $"the probability lies near {Options.Probability:0.####}: allow more time, or a "
                ) + Invariant($"larger indifference than {Options.EffectiveIndifference:0.####}"),
                _ => throw new UnreachableException(),
            };
        }
    }

    /// <summary>Describes the observed traces, in one sentence without a full stop.</summary>
    public string Seen
    {
        get
        {
            var seen = Invariant($"{Fulfilling} of {Traces - Silent} traces fulfil '{Property.Meaning}'");
            if (Observed is { } share)
                seen += Invariant($" ({share:0.000}, 95 % interval {Interval.Lower:0.000} to {Interval.Upper:0.000})");
            seen += Invariant($" in {Counted.Of(Runs.Count, "run")}");
            if (Silent > 0)
                seen +=
                    Invariant($"; about {Silent} of all {Traces} ({(double)Silent / Traces:0.0%}) it says ")
                    + "nothing, they are left out";
            if (Runs.Sum(run => (long)run.CutShort) is > 0 and var cut)
                seen += Invariant($"; {cut} ended before they decided and count as they stood");
            return seen;
        }
    }

    /// <summary>Explains the error, in one sentence without a full stop.</summary>
    public string Promise =>
        RequirementPromise.Error(Options, "the property is said to hold", "to be violated")
        + (
            Silent > 0 && Options.Guarantee == Guarantee.Model
                ? ", and bad runs have no more and no fewer traces about which it says nothing than good ones"
                : ""
        );

    /// <summary>
    /// Names the possibilities that the runs cannot exclude, in one sentence without a full stop. It is null before the
    /// first run that says something.
    /// </summary>
    public string? NotExcluded => Requirement is { } result ? RequirementPromise.NotExcluded(result) : null;

    private static string Made(int runs) => $"{Counted.Of(runs, "run")} {(runs == 1 ? "was" : "were")} made";
}
