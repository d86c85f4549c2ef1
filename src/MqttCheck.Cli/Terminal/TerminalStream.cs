using Spectre.Console;

namespace MqttCheck.Cli.Terminal;

/// <summary>Standard output or standard error.</summary>
/// <param name="Writer">Takes text as it is, which is nearly all that a command writes.</param>
/// <param name="Console">
/// Colours and draws. It asks the environment what it can, which takes longer than the rest of a short command's start.
/// </param>
internal sealed record TerminalStream(TextWriter Writer, Lazy<IAnsiConsole> Console);
