namespace MqttCheck.Reports.Documents;

/// <summary>A command line to copy, without credentials.</summary>
/// <param name="Purpose">The purpose of the command.</param>
/// <param name="CommandLine">The command line.</param>
internal sealed record DocumentCommand(string Purpose, string CommandLine) : DocumentBlock;
