using MqttCheck.Checking;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Formats;

/// <summary>The verdicts as workflow commands of GitHub Actions, which shows them as annotations: errors, warnings and one notice.</summary>
public static class GitHubAnnotations
{
    /// <summary>Writes one line for each annotation.</summary>
    /// <param name="writer">Where to, usually standard output; stays open.</param>
    /// <param name="input">What to say.</param>
    public static void Write(TextWriter writer, ReportInput input)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(input);
        foreach (var notice in Notices.Of(input))
            Command(writer, notice.Level == NoticeLevel.Failure ? "error" : "warning", "MqttCheck: " + notice.Title, notice.Text);
        foreach (var verdict in input.Verdicts.Where(verdict => verdict.Kind != VerdictKind.Confirmed))
        {
            var refuted = verdict.Kind is VerdictKind.Worse or VerdictKind.Better;
            Command(writer, refuted ? "error" : "warning", $"{Words.Point(verdict.Point)}: {Words.Verdict(verdict.Kind)}", Words.Sentence(verdict.Reason));
        }
        var summary = ReportSummary.Of(input);
        Command(writer, "notice", "MqttCheck: " + summary.Headline, summary.Detail);
    }

    private static void Command(TextWriter writer, string level, string title, string text) =>
        writer.Write($"::{level} title={Data(title).Replace(":", "%3A", StringComparison.Ordinal).Replace(",", "%2C", StringComparison.Ordinal)}::{Data(text)}\n");

    private static string Data(string text) => text
        .Replace("%", "%25", StringComparison.Ordinal).Replace("\r", "%0D", StringComparison.Ordinal).Replace("\n", "%0A", StringComparison.Ordinal);
}
