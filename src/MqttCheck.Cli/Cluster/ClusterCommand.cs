using System.CommandLine;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Cluster;

/// <summary><c>mqttcheck cluster</c>: commands about several brokers that work together.</summary>
internal static class ClusterCommand
{
    /// <summary>The group.</summary>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var command = new Command("cluster", "Checks several brokers that work together: bridges and clusters.");
        command.Subcommands.Add(ClusterShowCommand.Create(screen));
        command.Subcommands.Add(ClusterCheckCommand.Create(screen, interruption));
        command.Subcommands.Add(ClusterPredictCommand.Create(screen, interruption, arguments));
        command.Subcommands.Add(ClusterRunCommand.Create(screen, interruption, arguments));
        command.Subcommands.Add(ClusterCompareCommand.Create(screen, interruption, arguments));
        return command;
    }
}
