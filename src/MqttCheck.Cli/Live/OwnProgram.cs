using System.Globalization;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Serve;
using MqttCheck.MqttNet.Server;
using BrokerProgram = MqttCheck.Brokers.Processes.BrokerCommand;

namespace MqttCheck.Cli.Live;

/// <summary>This program as the one that serves the brokers it brings, each in a process of its own: in this one they would share their garbage collector with the clients.</summary>
internal static class OwnProgram
{
    /// <summary>The brokers that this program can serve.</summary>
    /// <param name="delays">The delays of the embedded broker.</param>
    public static Func<BrokerSpecification, HostedBroker?> Brokers(DelayPlan delays, ulong seed) =>
        specification =>
            specification.Kind switch
            {
                BrokerKind.Embedded => Embedded(specification.IsWithoutDelay ? DelayPlan.None : delays, seed),
                BrokerKind.MqttNet => MqttNet(specification.IsTuned),
                _ => null,
            };

    private static HostedBroker Embedded(DelayPlan delays, ulong seed) =>
        new(
            Command([
                "broker",
                "--port",
                "0",
                "--delay",
                delays.ToString(),
                "--seed",
                seed.ToString(CultureInfo.InvariantCulture),
                ServedBroker.ChildOption,
            ]),
            Tool.Version,
            new Dictionary<string, string> { ["nodelay"] = "true", ["delay"] = delays.ToString() }
        );

    private static HostedBroker MqttNet(bool isTuned) =>
        new(
            Command([
                MqttNetServerCommand.Name,
                "--port",
                "0",
                .. (isTuned ? (string[])[MqttNetServerCommand.TunedOption] : []),
                ServedBroker.ChildOption,
            ]) with
            {
                Environment = MqttNetServerCommand.OrdinaryRuntime,
            },
            MqttNetSettings.Version,
            MqttNetSettings.Describe(isTuned)
        );

    private static BrokerProgram Command(string[] arguments)
    {
        var path =
            Environment.ProcessPath
            ?? throw new BrokerException(
                "The path of this program is not known, so it cannot start a broker of its own."
            );
        // Started as "dotnet MqttCheck.Cli.dll" the process is the host, not this program.
        return Path.GetFileNameWithoutExtension(path).Equals("dotnet", StringComparison.OrdinalIgnoreCase)
            ? new(path, ["exec", typeof(OwnProgram).Assembly.Location, .. arguments])
            : new(path, arguments);
    }
}
