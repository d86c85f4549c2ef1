namespace MqttCheck.AcceptanceTests;

/// <summary>How a run of the tool ended.</summary>
internal sealed record ToolResult(int ExitCode, string Output, string Error)
{
    /// <summary>Everything printed, for the message of a failing test.</summary>
    public override string ToString() =>
        $"exit code {ExitCode}\n--- standard output\n{Output}\n--- standard error\n{Error}";
}
