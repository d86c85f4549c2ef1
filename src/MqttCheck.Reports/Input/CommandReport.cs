namespace MqttCheck.Reports.Input;

/// <summary>A command that repeats a result.</summary>
/// <param name="Purpose">The part that it repeats, for example <c>The whole run</c>.</param>
/// <param name="CommandLine">The command with all its arguments, ready to paste, without credentials.</param>
public sealed record CommandReport(string Purpose, string CommandLine);
