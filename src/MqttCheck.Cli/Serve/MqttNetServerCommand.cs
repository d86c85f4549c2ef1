using System.CommandLine;
using System.Net;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Terminal;
using MqttCheck.MqttNet.Server;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Serve;

/// <summary>
/// <c>mqttcheck mqttnet-server</c>, hidden: the server of MQTTnet as a program of its own, which
/// <c>--broker mqttnet</c> starts.
/// </summary>
internal static class MqttNetServerCommand
{
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
        var tuned = new Option<bool>(OwnProgram.TunedOption);
        var child = ServedBroker.Child();
        var command = new Command(OwnProgram.MqttNetCommand, "Serves MQTTnet's server until Ctrl-C.")
        {
            port,
            tuned,
            child,
        };
        command.Hidden = true;
        command.Concludes(
            async (parse, _) =>
            {
                await using var server = await MqttNetServer.StartAsync(
                    new(IPAddress.Loopback, parse.GetValue(port)),
                    parse.GetValue(tuned)
                );
                screen.Line($"listening on {server.Address}");
                screen.Serve();
                await ServedBroker.Stopped(parse.GetValue(child), interruption.Orderly);
                return Conclusion.Success;
            }
        );
        return command;
    }
}
