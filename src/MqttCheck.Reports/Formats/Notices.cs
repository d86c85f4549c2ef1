using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Formats;

/// <summary>The notices of a report, gravest first.</summary>
internal static class Notices
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
        foreach (var warning in input.Warnings)
            yield return new(NoticeLevel.Warning, "Note", Words.Sentence(warning));
    }
}
