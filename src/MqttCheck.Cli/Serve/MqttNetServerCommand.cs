using System.CommandLine;
using System.Net;
using MqttCheck.Cli.Terminal;
using MqttCheck.MqttNet.Server;

namespace MqttCheck.Cli.Serve;

/// <summary><c>mqttcheck mqttnet-server</c>, hidden: the server of MQTTnet as a program of its own, which <c>--broker mqttnet</c> starts.</summary>
internal static class MqttNetServerCommand
{
    /// <summary>The command's name.</summary>
    public const string Name = "mqttnet-server";

    /// <summary>The option that asks for <c>mqttnet:tuned</c>.</summary>
    public const string TunedOption = "--tuned";

    /// <summary>
    /// Takes back what this program sets for itself, so that the server runs as in a program of its user: garbage is collected in the background, and methods wait 100 ms (in hexadecimal) before they
    /// are optimised.
    /// </summary>
    public static IReadOnlyDictionary<string, string> OrdinaryRuntime { get; } =
        new Dictionary<string, string> { ["DOTNET_gcConcurrent"] = "1", ["DOTNET_TC_CallCountingDelayMs"] = "64" };

    /// <summary>The command.</summary>
    /// <param name="interruption">Ctrl-C and SIGTERM, which stop it.</param>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var port = new Option<int>("--port")
        {
            HelpName = "N",
            DefaultValueFactory = _ => 1883,
            CustomParser = Values.Integer(0, 65535),
        };
        var tuned = new Option<bool>(TunedOption);
        var child = ServedBroker.Child();
        var command = new Command(Name, "Serves MQTTnet's server until Ctrl-C.") { port, tuned, child };
        command.Hidden = true;
        command.SetAction(
            async (parse, _) =>
            {
                await using var server = await MqttNetServer.StartAsync(
                    new(IPAddress.Loopback, parse.GetValue(port)),
                    parse.GetValue(tuned)
                );
                screen.Line($"listening on {server.Address}");
                await ServedBroker.Stopped(parse.GetValue(child), interruption.Orderly);
                return ExitCode.Success;
            }
        );
        return command;
    }
}
