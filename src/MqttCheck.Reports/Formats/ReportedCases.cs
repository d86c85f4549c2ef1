using System.Diagnostics;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Formats;

/// <summary>
/// The results as a list of cases, for <see cref="JUnitReport"/> and <see cref="GitHubAnnotations"/>.
/// </summary>
public sealed record ReportedCases
{
    /// <summary>The name of the whole, such as the broker's.</summary>
    public required string Suite { get; init; }

    /// <summary>When it was found.</summary>
    public required DateTimeOffset GeneratedUtc { get; init; }

    /// <summary>The result in a few words.</summary>
    public required string Headline { get; init; }

    /// <summary>The result in a sentence.</summary>
    public required string Detail { get; init; }

    /// <summary>
    /// The warnings that the reader must know before believing the result: a title and a sentence each.
    /// </summary>
    public IReadOnlyList<(string Title, string Text)> Warnings { get; init; } = [];

    /// <summary>The cases.</summary>
    public required IReadOnlyList<ReportedCase> Cases { get; init; }

    /// <summary>Why the broker or the environment failed; null when neither did.</summary>
    public string? Failure { get; init; }

    /// <summary>
    /// The verdicts of a report: a case for each verified point. Worse and better fail, and so does what a Monte Carlo
    /// estimate contradicts, whatever it was; withheld and interrupted are skipped.
    /// </summary>
    /// <param name="input">The report.</param>
    public static ReportedCases Of(ReportInput input)
    {
        var summary = ReportSummary.Of(input);
        return new()
        {
            Suite = input.Broker?.Name ?? "verify",
            GeneratedUtc = input.GeneratedUtc,
            Headline = summary.Headline,
            Detail = summary.Detail,
            Warnings =
            [
                .. Notices
                    .Of(input)
                    .Where(notice => notice.Level != NoticeLevel.Failure)
                    .Select(notice => (notice.Title, notice.Text)),
            ],
            Cases =
            [
                .. input.Verdicts.Select(verdict => new ReportedCase(
                    verdict.Point.Profile,
                    Words.Point(verdict.Point),
                    Outcome(verdict),
                    Summary(verdict),
                    verdict.Reason,
                    Details(verdict, input),
                    verdict.ElapsedSeconds
                )
                {
                    Verdict = Words.VerdictValue(verdict.Kind),
                }),
            ],
            Failure = input.Failure,
        };
    }

    private static string Summary(VerdictReport verdict) =>
        verdict.Kind.Word() + (verdict.MonteCarlo is { Confirms: false } ? ", contradicted by Monte Carlo" : "");

    private static CaseOutcome Outcome(VerdictReport verdict) =>
        verdict.Kind switch
        {
            _ when verdict.MonteCarlo is { Confirms: false } => CaseOutcome.Failed,
            VerdictKind.Confirmed or VerdictKind.NotWorse => CaseOutcome.Passed,
            VerdictKind.Worse or VerdictKind.Better => CaseOutcome.Failed,
            VerdictKind.Withheld or VerdictKind.Partial => CaseOutcome.Skipped,
            _ => throw new UnreachableException(),
        };

    private static List<string> Details(VerdictReport verdict, ReportInput input)
    {
        var lines = new List<string>
        {
            $"predicted: {Words.Probability(verdict.Point.Probability)} "
                + $"({Words.Percent(verdict.PredictedConfidence)} interval "
                + $"{Words.Interval(verdict.Point.Interval)})",
            $"measured: {Words.Probability(verdict.MeasuredProbability)} "
                + $"({Words.Percent(verdict.MeasuredConfidence)} interval "
                + $"{Words.Interval(verdict.MeasuredInterval)})",
            $"samples: {Words.Counted(verdict.Samples, "sequence")} in {Words.Counted(verdict.Runs, "run")}",
        };
        if (double.IsFinite(verdict.ExpectedSamples))
            lines.Add(
                $"expected samples of independent sequences: {Words.Count((long)Math.Round(verdict.ExpectedSamples))}"
            );
        lines.AddRange(VerdictRemarks.Of(verdict));
        if (double.IsFinite(verdict.ErrorProbability))
            lines.Add($"probability of a wrong verdict: at most {Words.Number(verdict.ErrorProbability)}");
        lines.AddRange(input.Reproduce.Select(command => $"repeat: {command.CommandLine}"));
        return lines;
    }
}
