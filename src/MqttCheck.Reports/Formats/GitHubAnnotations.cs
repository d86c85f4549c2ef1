namespace MqttCheck.Reports.Formats;

/// <summary>
/// Cases as workflow commands of GitHub Actions, which shows them as annotations: errors, warnings and one notice.
/// </summary>
public static class GitHubAnnotations
{
    /// <summary>Writes one line for each annotation.</summary>
    /// <param name="writer">The writer of the text; it stays open.</param>
    /// <param name="cases">The cases to write.</param>
    /// <param name="pictures">The pictures that were drawn beside it: annotations name them.</param>
    public static void Write(TextWriter writer, ReportedCases cases, IReadOnlyList<DrawnPicture>? pictures = null)
    {
        if (cases.Failure is { } failure)
            Command(writer, "error", "MqttCheck: Failed", Words.Sentence(failure));
        foreach (var (title, text) in cases.Warnings)
            Command(writer, "warning", "MqttCheck: " + title, text);
        foreach (var one in cases.Cases.Where(one => one.Outcome != CaseOutcome.Passed))
            Command(
                writer,
                one.Outcome == CaseOutcome.Skipped ? "warning" : "error",
                $"{one.Name}: {one.Summary}",
                Words.Sentence(one.Reason)
            );
        Command(writer, "notice", "MqttCheck: " + cases.Headline, cases.Detail);
        if (pictures is { Count: > 0 })
            Command(writer, "notice", "MqttCheck: Pictures", PictureText.Sentence(pictures));
    }

    private static void Command(TextWriter writer, string level, string title, string text) =>
        writer.Write($"::{level} title={Property(title)}::{Data(text)}\n");

    private static string Property(string text) =>
        Data(text).Replace(":", "%3A", StringComparison.Ordinal).Replace(",", "%2C", StringComparison.Ordinal);

    private static string Data(string text) =>
        text.Replace("%", "%25", StringComparison.Ordinal)
            .Replace("\r", "%0D", StringComparison.Ordinal)
            .Replace("\n", "%0A", StringComparison.Ordinal);
}
