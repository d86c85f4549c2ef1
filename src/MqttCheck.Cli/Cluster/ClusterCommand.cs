using System.CommandLine;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Cluster;

/// <summary><c>mqttcheck cluster</c>: commands about several brokers that work together.</summary>
internal static class ClusterCommand
{
    /// <summary>The group.</summary>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments) =>
        new("cluster", "Checks several brokers that work together: bridges and clusters.")
        {
            ClusterShowCommand.Create(screen),
            ClusterCheckCommand.Create(screen, interruption),
            ClusterPredictCommand.Create(screen, interruption, arguments),
            ClusterRunCommand.Create(screen, interruption, arguments),
            ClusterCompareCommand.Create(screen, interruption, arguments),
        };
}
