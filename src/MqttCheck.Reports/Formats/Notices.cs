using System.Text.RegularExpressions;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Formats;

/// <summary>The notices of a report, gravest first; those that say the same are one.</summary>
internal static partial class Notices
{
    public static IEnumerable<Notice> Of(ReportInput input)
    {
        if (input.Failure is { } failure)
            yield return new(NoticeLevel.Failure, "Failed", Words.Sentence(failure));
        if (input.Interrupted)
            yield return new(
                NoticeLevel.Warning,
                "Interrupted",
                "The run was stopped before its end. What is shown is complete up to that moment."
            );
        if (input.Coarse)
            yield return new(
                NoticeLevel.Warning,
                "Coarse",
                "This was a quick run with little training and few verification runs. "
                    + "Take it as a smoke test; a run without --quick gives numbers to rely on."
            );
        var cautions = input.Cautions.Select(Words.Sentence).ToHashSet();
        var ranked = Folded(input.Warnings, cautions).OrderBy(notice => notice.Level == NoticeLevel.Warning ? 0 : 1);
        foreach (var notice in ranked)
            yield return notice;
    }

    // Warnings that differ in their numbers only, or in the setup that they begin with, are one notice.
    private static IEnumerable<Notice> Folded(IReadOnlyList<string> warnings, HashSet<string> cautions) =>
        warnings
            .Select(Words.Sentence)
            .GroupBy(warning => NumberPattern().Replace(SetupPattern().Replace(warning, ""), "#"))
            .Select(group =>
                group.Any(cautions.Contains)
                    ? new Notice(NoticeLevel.Warning, "Caution", group.First()) { Others = [.. group.Skip(1)] }
                    : new Notice(NoticeLevel.Note, "Note", group.First()) { Others = [.. group.Skip(1)] }
            );

    [GeneratedRegex(@"^[^:]{1,80}: ")]
    private static partial Regex SetupPattern();

    [GeneratedRegex(@"\d+([.,]\d+)*")]
    private static partial Regex NumberPattern();
}
