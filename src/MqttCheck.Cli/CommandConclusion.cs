using System.CommandLine;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli;

/// <summary>How a command ends.</summary>
internal static class CommandConclusion
{
    /// <summary>Makes a command end with the exit code of its conclusion.</summary>
    /// <param name="run">Does the command.</param>
    public static void Concludes(this Command command, Func<ParseResult, CancellationToken, Task<Conclusion>> run) =>
        command.SetAction(async (parse, cancellation) => ExitCode.Of(await run(parse, cancellation)));
}
