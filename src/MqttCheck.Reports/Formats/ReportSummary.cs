using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Formats;

/// <summary>The summary of a report in one line, and the point that decides it.</summary>
internal sealed record ReportSummary
{
    // A refutation outweighs a missing verdict, which outweighs a confirmation.
    private static readonly VerdictKind[] ByWeight =
    [
        VerdictKind.Worse,
        VerdictKind.Better,
        VerdictKind.Partial,
        VerdictKind.Withheld,
        VerdictKind.NotWorse,
        VerdictKind.Confirmed,
    ];

    /// <summary>The verdict on all points together: the weightiest of them; null when no point was verified.</summary>
    public VerdictKind? Overall { get; private init; }

    /// <summary>How many verdicts a Monte Carlo estimate contradicts.</summary>
    public int Contradicted { get; private init; }

    /// <summary>The result in a few words, for example <c>As predicted</c>.</summary>
    public required string Headline { get; init; }

    /// <summary>
    /// The answer to the question of the report's title in a sentence, for example <c>200 clients, 16 ms: 85 of 100
    /// sequences in time, as predicted (87).</c>
    /// </summary>
    public required string Answer { get; init; }

    /// <summary>The result in a sentence, for example <c>4 of 5 points as predicted, 1 without a verdict.</c></summary>
    public required string Detail { get; init; }

    /// <summary>
    /// The verdict that decides; among equals the one with the most clients. Null when no point was verified.
    /// </summary>
    public VerdictReport? Decisive { get; private init; }

    /// <summary>
    /// The verdict with the largest distance between predicted and measured probability; null when nothing was
    /// measured.
    /// </summary>
    public VerdictReport? LargestGap { get; private init; }

    /// <summary>Sums up a report.</summary>
    /// <param name="input">The report.</param>
    public static ReportSummary Of(ReportInput input)
    {
        if (input.Verdicts.Count == 0)
            return WithoutVerdicts(input);

        var overall = ByWeight.First(kind => input.Verdicts.Any(verdict => verdict.Kind == kind));
        var all = input.Verdicts.Count;
        var confirmed = input.Verdicts.Count(verdict => verdict.Kind == VerdictKind.Confirmed);
        var others = ByWeight[..^1]
            .Select(kind => (Kind: kind, Count: input.Verdicts.Count(verdict => verdict.Kind == kind)))
            .Where(other => other.Count > 0)
            .Select(other => $"{other.Count} {other.Kind.Word()}");
        var decisive = input.Verdicts.Where(verdict => verdict.Kind == overall).MaxBy(verdict => verdict.Point.Clients);
        var contradicted = input.Verdicts.Count(verdict => verdict.MonteCarlo is { Confirms: false });
        var settled =
            overall is VerdictKind.Withheld or VerdictKind.Partial
            && input.Verdicts.Any(verdict => verdict.Kind.IsPassed());
        return new ReportSummary
        {
            Overall = overall,
            Answer = AnswerWords.Of(decisive!, AnswerWords.NeedsProfile(input), contradicted),
            Headline =
                contradicted > 0 ? "Contradicted by Monte Carlo"
                : settled ? "Partly settled"
                : Words.Capitalised(overall.Word()),
            Detail =
                (
                    (all, confirmed) switch
                    {
                        (1, _) => $"The verdict on the one point is {overall.Word()}.",
                        _ when confirmed == all => $"All {all} points that were verified are confirmed.",
                        _ when overall == VerdictKind.NotWorse && confirmed == 0 =>
                            $"All {all} points that were verified are {overall.Word()}.",
                        _ => $"{confirmed} of {Words.Counted(all, "point")} confirmed, {string.Join(", ", others)}.",
                    }
                )
                + VerdictFamily.Hypotheses(input.Verdicts)
                + (
                    contradicted == 0
                        ? ""
                        : $" Monte Carlo contradicts {Words.Counted(contradicted, "verdict")}, "
                            + $"which then {(contradicted == 1 ? "stands" : "stand")} for nothing."
                ),
            Contradicted = contradicted,
            Decisive = decisive,
            LargestGap = input.Verdicts.Where(verdict => double.IsFinite(verdict.MeasuredProbability)).MaxBy(Gap),
        };
    }

    /// <summary>The distance between predicted and measured probability.</summary>
    /// <param name="verdict">A verdict.</param>
    /// <returns>0 .. 1, or NaN when nothing was measured.</returns>
    public static double Gap(VerdictReport verdict)
    {
        return Math.Abs(verdict.MeasuredProbability - verdict.Point.Probability);
    }

    private static ReportSummary WithoutVerdicts(ReportInput input)
    {
        var (headline, detail) = HowFar(input);
        return new()
        {
            Headline = headline,
            Detail = detail,
            Answer = input.Failure is null && !input.Interrupted ? AnswerWords.OfPredictions(input) ?? detail : detail,
        };
    }

    private static (string Headline, string Detail) HowFar(ReportInput input) =>
        input.Failure is not null ? ("Failed", "The broker or the environment failed before anything was verified.")
        : input.Interrupted ? ("Interrupted", "The run was interrupted before anything was verified.")
        : input.Predictions.Count > 0
            ? ("Not verified", "There are predictions, but no live broker has confirmed or refuted them.")
        : input.Log is not null
            ? ("No prediction", "There is a log of message exchanges, but nothing was predicted or verified.")
        : ("No data", "Nothing was measured, predicted or verified.");
}
