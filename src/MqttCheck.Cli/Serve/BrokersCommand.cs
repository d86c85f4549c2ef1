using System.CommandLine;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Terminal;
using MqttCheck.LiveClusters.Recipes;
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
            "Lists the brokers that --broker can start, which of them are installed, how to install the others, and "
                + "the options that a name may carry."
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
                foreach (var name in BrokerSpecification.ComposedNames)
                {
                    var (version, howToInstall) = await SingleBroker.FindAsync(name, cancellation);
                    table.Add(name, version ?? "no", version is null ? howToInstall : Parts(name));
                }
                table.Print(screen);
                screen.Line();
                PrintSettings(screen);
                return Conclusion.Success;
            }
        );
        return command;
    }

    private static string Parts(string name) =>
        "several programs: "
        + string.Join(", ", SingleBroker.TopologyOf(BrokerSpecification.Parse(name)).Nodes.Select(node => node.Name));

    private static void PrintSettings(Screen screen)
    {
        var table = new TextTable("option", "does", "costs", "otherwise", "since");
        foreach (var (form, setting) in BrokerSpecification.OptionForms.Zip(BrokerSpecification.Options))
            table.Add(form, setting.Effect, setting.Cost, setting.Default, setting.Since?.ToString() ?? "");
        table.Print(screen);
    }
}
