using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Formats;

/// <summary>
/// The report as Markdown (GitHub's dialect): the result, its table, what to know, how to repeat it. For a job summary
/// or a pull request.
/// </summary>
public static class MarkdownReport
{
    /// <summary>Writes the report.</summary>
    /// <param name="writer">Where to; stays open.</param>
    /// <param name="input">What to say.</param>
    public static void Write(TextWriter writer, ReportInput input)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(input);
        var summary = ReportSummary.Of(input);
        writer.Write($"# {Text(input.Title)}\n\n**{Text(summary.Headline)}.** {Text(summary.Detail)}\n");
        if (input.Broker is { } broker)
        {
            writer.Write(
                $"\nBroker {Text(broker.Name)}, version {Text(broker.Version)}, settings {Text(broker.Settings)}. "
                    + $"{Words.Time(input.GeneratedUtc)}, MqttCheck {Text(input.ToolVersion)}.\n"
            );
        }
        foreach (var notice in Notices.Of(input))
            writer.Write($"\n> **{Text(notice.Title)}.** {Text(notice.Text)}\n");

        if (input.Verdicts.Count > 0)
        {
            writer.Write(
                "\n| profile | threshold | clients | predicted | measured | verdict | "
                    + "samples | expected | time |\n|---|---:|---:|---|---|---|---:|---:|---:|\n"
            );
            foreach (var verdict in input.Verdicts)
            {
                var point = verdict.Point;
                var measured = double.IsFinite(verdict.MeasuredProbability)
                    ? $"{Words.Probability(verdict.MeasuredProbability)} ({Words.Interval(verdict.MeasuredInterval)})"
                    : Words.Unknown;
                var expected = double.IsFinite(verdict.ExpectedSamples)
                    ? Words.Count((long)Math.Round(verdict.ExpectedSamples))
                    : Words.Unknown;
                writer.Write(
                    $"| {Text(point.Profile)} | {Words.Milliseconds(point.ThresholdMilliseconds)} "
                        + $"| {Words.Count(point.Clients)} "
                        + $"| {Words.Probability(point.Probability)} ({Words.Interval(point.Interval)}) "
                        + $"| {Text(measured)} | {verdict.Kind.Word()} "
                        + $"| {Words.Count(verdict.Samples)} | {expected} "
                        + $"| {Words.Duration(verdict.ElapsedSeconds)} |\n"
                );
            }
            if (MonteCarloTable.IsWanted(input.Verdicts))
                WriteMonteCarlo(writer, input.Verdicts);
            writer.Write('\n');
            if (VerdictFamily.Error(input.Verdicts) is { } error)
                writer.Write($"{Text(error)}\n\n");
            foreach (var verdict in input.Verdicts)
            {
                var remarks = VerdictRemarks.Of(verdict).Prepend(Words.Sentence(verdict.Reason));
                writer.Write($"- {Text(Words.Point(verdict.Point))}: {Text(string.Join(' ', remarks))}\n");
            }
        }
        else if (input.Predictions.SelectMany(prediction => prediction.Points).Any())
        {
            writer.Write("\n| profile | threshold | clients | predicted |\n|---|---:|---:|---|\n");
            foreach (var point in input.Predictions.SelectMany(prediction => prediction.Points))
            {
                writer.Write(
                    $"| {Text(point.Profile)} | {Words.Milliseconds(point.ThresholdMilliseconds)} "
                        + $"| {Words.Count(point.Clients)} "
                        + $"| {Words.Probability(point.Probability)} ({Words.Interval(point.Interval)}) |\n"
                );
            }
        }

        if (Words.IntervalMeaning(input) is { Length: > 0 } meaning)
            writer.Write($"\nIntervals of predicted points: {Text(meaning)}\n");
        if (input.Reproduce.Count == 0)
            return;
        writer.Write("\nTo repeat it:\n\n");
        foreach (var command in input.Reproduce)
            writer.Write($"    {command.CommandLine.ReplaceLineEndings(" ")}\n");
    }

    private static void WriteMonteCarlo(TextWriter writer, IReadOnlyList<VerdictReport> verdicts)
    {
        var columns = MonteCarloTable.Columns(verdicts);
        writer.Write($"\n| {string.Join(" | ", columns)} |\n|{string.Concat(columns.Select(_ => "---|"))}\n");
        foreach (var row in MonteCarloTable.Rows(verdicts))
            writer.Write($"| {string.Join(" | ", row.Select(Text))} |\n");
        writer.Write($"\n{Text(MonteCarloTable.Summary(verdicts))}\n");
    }

    private static string Text(string text) => MarkdownText.Escape(text);
}
