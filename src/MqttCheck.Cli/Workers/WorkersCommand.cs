using System.CommandLine;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Workers;

/// <summary><c>mqttcheck workers</c>: which workers there are.</summary>
internal static class WorkersCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var join = WorkerCommand.Join("The address that the workers joined.");
        var certificate = WorkersOption.Certificate("");
        var command = new Command("workers", "Lists the workers that joined an address, with load and clock offset.")
        {
            join,
            certificate,
        };
        command.Concludes(
            (parse, _) =>
                WorkerStage.ListAsync(
                    parse.GetValue(join)!,
                    parse.GetValue(certificate)?.ToString(),
                    screen,
                    interruption
                )
        );
        return command;
    }
}
