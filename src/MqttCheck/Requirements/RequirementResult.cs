using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;

namespace MqttCheck.Requirements;

/// <summary>The knowledge about a requirement after some runs.</summary>
public sealed record RequirementResult
{
    /// <summary>The verdict.</summary>
    public required RequirementVerdict Verdict { get; init; }

    /// <summary>The requirement, the error, and under which assumption it holds.</summary>
    public required RequirementOptions Options { get; init; }

    /// <summary>The runs, in the order in which they were made.</summary>
    public required IReadOnlyList<RunCount> Runs { get; init; }

    /// <summary>How much the runs differ.</summary>
    public required RunVariation Variation { get; init; }

    /// <summary>
    /// The 95 % interval of the probability over these runs, the run being the sampling unit; [0, 1] before the second
    /// run.
    /// </summary>
    public required Interval Interval { get; init; }

    /// <summary>
    /// Positive: by how many standard errors the observed share lies above p - d; negative: by how many below p. The
    /// hypothesis farther away counts. With <see cref="Guarantee.Any"/> it is the logarithm of what the bets have won:
    /// positive for met, negative for violated.
    /// </summary>
    public required double Evidence { get; init; }

    /// <summary>The evidence, or its negative, that decides.</summary>
    public required double Bound { get; init; }

    /// <summary>
    /// Whether the likelihood rejects the hypothesis farther away also for a broker whose runs are all good or all bad,
    /// as far as the largest correlation allows. With <see cref="Guarantee.Any"/>: whether there is a verdict.
    /// </summary>
    public required bool AreRareBadRunsExcluded { get; init; }

    /// <summary>After how many runs there may be a verdict.</summary>
    public required RequirementPlan Plan { get; init; }

    /// <summary>After how many runs the verdict was given; null without one.</summary>
    public int? DecidedAfterRuns { get; init; }

    /// <summary>Why these runs must not decide, in a sentence; null where they can be used.</summary>
    public string? Unusable { get; init; }

    /// <summary>The runs that do not count, in a sentence; null where all do.</summary>
    public string? InvalidRuns { get; init; }

    /// <summary>The run that refutes the worst run that the user vouched for; null while none does.</summary>
    public RunBelowWorst? BelowWorst { get; init; }

    /// <summary>
    /// The verdict of the runs that count and that of all runs, if they differ and so neither is given; otherwise null.
    /// </summary>
    public TwoAnswers<RequirementVerdict>? Differing { get; init; }

    /// <summary>Whether there is a verdict, or no run can bring one.</summary>
    public bool IsOver => Verdict != RequirementVerdict.Withheld || BelowWorst is not null;

    /// <summary>
    /// Why there is no verdict whatever the evidence, in one sentence or two: a run below the vouched worst one, or two
    /// answers. Null where neither stands in the way.
    /// </summary>
    /// <param name="word">A verdict in a word.</param>
    public string? WhyHeldBack(Func<RequirementVerdict, string> word) =>
        BelowWorst is { } below ? VouchedWorst.Refuted(Options.WorstRun ?? 0, below) : Differing?.InWords(word);

    /// <summary>Samples in all runs.</summary>
    public long Samples => Runs.Sum(run => (long)run.Samples);

    /// <summary>Samples in time.</summary>
    public long Successes => Runs.Sum(run => (long)run.Successes);

    /// <summary>The observed share in time; NaN without a sample.</summary>
    public double Observed => Samples == 0 ? double.NaN : (double)Successes / Samples;
}
