using MqttCheck.Reports.Input;

namespace MqttCheck.Server.Live;

/// <summary>What a verification found.</summary>
/// <param name="ExitCode">The exit code of 'mqttcheck verify'.</param>
/// <param name="Interrupted">Whether it was stopped before its end.</param>
/// <param name="Verdicts">The verdicts.</param>
/// <param name="Warnings">What the user should know.</param>
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
);
