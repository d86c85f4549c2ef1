using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Server.Live;

/// <summary>The result of a verification.</summary>
/// <param name="ExitCode">The exit code of 'mqttcheck verify'.</param>
/// <param name="Interrupted">Whether it was stopped before its end.</param>
/// <param name="Verdicts">The verdicts.</param>
/// <param name="Warnings">The warnings to the user.</param>
/// <param name="VerdictFile">The verdict file that was written.</param>
/// <param name="ReportFile">The report that was written.</param>
/// <param name="Repeat">The command that repeats it.</param>
internal sealed record VerificationDone(
    int ExitCode,
    bool Interrupted,
    IReadOnlyList<VerdictReport> Verdicts,
    IReadOnlyList<string> Warnings,
    string VerdictFile,
    string ReportFile,
    string Repeat
)
{
    /// <summary>The path of the first verdict's test, as the report draws it; null where there is none.</summary>
    public Chart? Chart => Verdicts is [var first, ..] ? EvidenceChart.Of(first) : null;
}
