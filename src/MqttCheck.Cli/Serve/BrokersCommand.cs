using System.CommandLine;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Terminal;
using MqttCheck.MqttNet.Server;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Serve;

/// <summary><c>mqttcheck brokers</c>: which brokers can be started here.</summary>
internal static class BrokersCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Screen screen)
    {
        var command = new Command(
            "brokers",
            "Lists the brokers that --broker can start, which of them are installed, and how to install the others."
        );
        command.Concludes(
            async (_, cancellation) =>
            {
                var table = new TextTable("broker", "installed", "");
                table.Add("embedded", Tool.Version, "comes with mqttcheck");
                table.Add("mqttnet", MqttNetSettings.Version, $"comes with mqttcheck; {MqttNetSettings.Changes}");
                foreach (var name in BrokerSpecification.InstalledNames)
                {
                    var (version, howToInstall) = await BrokerLauncher.FindAsync(name, cancellation);
                    table.Add(name, version ?? "no", howToInstall);
                }
                table.Print(screen);
                return Conclusion.Success;
            }
        );
        return command;
    }
}
