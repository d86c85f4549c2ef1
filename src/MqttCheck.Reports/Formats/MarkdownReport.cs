using MqttCheck.Reports.Input;
using MqttCheck.Verification;
using static MqttCheck.Reports.Formats.MarkdownText;

namespace MqttCheck.Reports.Formats;

/// <summary>
/// The report as Markdown (GitHub's dialect): the result, its table, what to know, how to repeat it. For a job summary
/// or a pull request.
/// </summary>
public static class MarkdownReport
{
    /// <summary>Writes the report.</summary>
    /// <param name="writer">The writer of the text; it stays open.</param>
    /// <param name="input">The results to write.</param>
    public static void Write(TextWriter writer, ReportInput input)
    {
        var summary = ReportSummary.Of(input);
        writer.Write($"# {Escape(input.Title)}\n\n**{Escape(summary.Headline)}.** {Escape(summary.Answer)}");
        // If nothing was measured, the answer is the detail.
        writer.Write(summary.Detail == summary.Answer ? "\n" : $" {Escape(summary.Detail)}\n");
        if (input.Broker is { } broker)
        {
            writer.Write(
                $"\nBroker {Escape(broker.Name)}, version {Escape(broker.Version)}, "
                    + $"settings {Escape(broker.Settings)}. {Words.Time(input.GeneratedUtc)}, "
                    + $"MqttCheck {Escape(input.ToolVersion)}.\n"
            );
        }
        foreach (var notice in Notices.Of(input))
            writer.Write($"\n> **{Escape(notice.Title)}.** {Escape(notice.Text)}{Escape(notice.More)}\n");

        if (input.Verdicts.Count > 0)
            WriteVerdicts(writer, input.Verdicts);
        else if (input.Predictions.SelectMany(prediction => prediction.Points).Any())
            WritePredictions(writer, input.Predictions);

        if (Words.IntervalMeaning(input) is { Length: > 0 } meaning)
            writer.Write($"\nIntervals of predicted points: {Escape(meaning)}\n");
        if (input.Reproduce.Count == 0)
            return;
        writer.Write("\nTo repeat it:\n\n");
        foreach (var command in input.Reproduce)
            writer.Write($"    {command.CommandLine.ReplaceLineEndings(" ")}\n");
    }

    private static void WriteVerdicts(TextWriter writer, IReadOnlyList<VerdictReport> verdicts)
    {
        writer.Write(
            "\n| profile | threshold | clients | predicted | measured | verdict | "
                + "samples | expected | time |\n|---|---:|---:|---|---|---|---:|---:|---:|\n"
        );
        foreach (var verdict in verdicts)
        {
            var point = verdict.Point;
            var measured = double.IsFinite(verdict.MeasuredProbability)
                ? $"{Words.Probability(verdict.MeasuredProbability)} ({Words.Interval(verdict.MeasuredInterval)})"
                : Words.Unknown;
            var expected = double.IsFinite(verdict.ExpectedSamples)
                ? Words.Count((long)Math.Round(verdict.ExpectedSamples))
                : Words.Unknown;
            writer.Write(
                $"| {Escape(point.Profile)} | {Words.Milliseconds(point.ThresholdMilliseconds)} "
                    + $"| {Words.Count(point.Clients)} "
                    + $"| {Words.Probability(point.Probability)} ({Words.Interval(point.Interval)}) "
                    + $"| {Escape(measured)} | {verdict.Kind.Word()} "
                    + $"| {Words.Count(verdict.Samples)} | {expected} "
                    + $"| {Words.Duration(verdict.ElapsedSeconds)} |\n"
            );
        }
        if (MonteCarloTable.IsWanted(verdicts))
            WriteMonteCarlo(writer, verdicts);
        writer.Write('\n');
        if (VerdictFamily.Error(verdicts) is { } error)
            writer.Write($"{Escape(error)}\n\n");
        foreach (var verdict in verdicts)
        {
            var remarks = VerdictRemarks.Of(verdict).Prepend(Words.Sentence(verdict.Reason));
            writer.Write($"- {Escape(Words.Point(verdict.Point))}: {Escape(string.Join(' ', remarks))}\n");
        }
    }

    private static void WritePredictions(TextWriter writer, IReadOnlyList<PredictionReport> predictions)
    {
        writer.Write("\n| profile | threshold | clients | predicted |\n|---|---:|---:|---|\n");
        foreach (var point in predictions.SelectMany(prediction => prediction.Points))
        {
            writer.Write(
                $"| {Escape(point.Profile)} | {Words.Milliseconds(point.ThresholdMilliseconds)} "
                    + $"| {Words.Count(point.Clients)} "
                    + $"| {Words.Probability(point.Probability)} ({Words.Interval(point.Interval)}) |\n"
            );
        }
    }

    private static void WriteMonteCarlo(TextWriter writer, IReadOnlyList<VerdictReport> verdicts)
    {
        Table(writer, MonteCarloTable.Columns(verdicts), MonteCarloTable.Rows(verdicts));
        writer.Write($"\n{Escape(MonteCarloTable.Summary(verdicts))}\n");
    }
}
