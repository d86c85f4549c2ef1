using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;

namespace MqttCheck.Comparison;

/// <summary>The knowledge about the difference of two probabilities after some runs.</summary>
internal sealed record TwoSampleResult
{
    /// <summary>The verdict.</summary>
    public required TwoSampleVerdict Verdict { get; init; }

    /// <summary>The error, the indifference, and under which assumption the error holds.</summary>
    public required TwoSampleOptions Options { get; init; }

    /// <summary>The runs of the first, in the order in which they were made.</summary>
    public required IReadOnlyList<RunCount> First { get; init; }

    /// <summary>The runs of the second.</summary>
    public required IReadOnlyList<RunCount> Second { get; init; }

    /// <summary>
    /// Whether runs of the two were made in turns, so that differences of neighbours were tested; otherwise the two are
    /// independent samples of runs.
    /// </summary>
    public required bool IsPaired { get; init; }

    /// <summary>
    /// Mean over the runs of the share in time, the first minus the second; NaN before the first runs.
    /// </summary>
    public required double Difference { get; init; }

    /// <summary>
    /// The standard error of <see cref="Difference"/>, at least that of independent sequences; NaN before the second
    /// run of each.
    /// </summary>
    public required double StandardError { get; init; }

    /// <summary>The 95 % interval of the difference over these runs; [-1, 1] before the second run of each.</summary>
    public required Interval Interval { get; init; }

    /// <summary>
    /// The interval on which the verdict rests: at all looks together each of its ends is missed with half of the
    /// stated error at most; [-1, 1] before the smallest number of runs.
    /// </summary>
    public required Interval VerdictInterval { get; init; }

    /// <summary>After how many runs of each the verdict was given; null without one.</summary>
    public int? DecidedAfterRuns { get; init; }

    /// <summary>
    /// Why there is this verdict, or none: one or two sentences for the user, with the words "the first" and "the
    /// second".
    /// </summary>
    public required string Reason { get; init; }

    /// <summary>The runs that do not count, in a sentence; null where all do, or nobody judged them.</summary>
    public string? InvalidRuns { get; init; }

    /// <summary>The run that refutes the worst run that the user vouched for; null while none does.</summary>
    public RunBelowWorst? BelowWorst { get; init; }

    /// <summary>
    /// The verdict of the pairs that count and that of all pairs, if they differ and so neither is given; otherwise
    /// null.
    /// </summary>
    public TwoAnswers<TwoSampleVerdict>? Differing { get; init; }

    /// <summary>Whether there is a verdict, or no run can bring one.</summary>
    public bool IsOver => IsDecided || BelowWorst is not null;

    /// <summary>Whether there is a verdict.</summary>
    public bool IsDecided =>
        Verdict is TwoSampleVerdict.NoDifference or TwoSampleVerdict.FirstFaster or TwoSampleVerdict.SecondFaster;

    /// <summary>The mean share in time of the first, or of the second.</summary>
    /// <param name="runs"><see cref="First"/> or <see cref="Second"/>; NaN when there is none.</param>
    public static double Mean(IReadOnlyList<RunCount> runs)
    {
        return runs.Count == 0 ? double.NaN : runs.Average(run => (double)run.Successes / run.Samples);
    }
}
