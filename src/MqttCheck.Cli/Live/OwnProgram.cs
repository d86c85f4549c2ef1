using System.Diagnostics;
using System.Globalization;
using MqttCheck.App.Runs;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Processes;
using MqttCheck.MqttNet.Server;
using BrokerProgram = MqttCheck.Brokers.Processes.BrokerCommand;

namespace MqttCheck.Cli.Live;

/// <summary>
/// This program as the one that serves the brokers it brings, each in a process of its own: in this one they would
/// share their garbage collector with the clients.
/// </summary>
internal static class OwnProgram
{
    /// <summary>The command that serves the embedded broker.</summary>
    public const string EmbeddedCommand = "broker";

    /// <summary>The command, hidden, that serves MQTTnet.</summary>
    public const string MqttNetCommand = "mqttnet-server";

    /// <summary>The command, hidden, that serves one node of a cluster.</summary>
    public const string NodeCommand = "node";

    /// <summary>The option that asks for <c>mqttnet:tuned</c>.</summary>
    public const string TunedOption = "--tuned";

    /// <summary>
    /// The hidden option of a broker that another command started: it ends when its standard input does.
    /// </summary>
    public const string ChildOption = "--until-input-ends";

    // Takes back what this program sets for itself, so that the server runs as in a program of its user: garbage is
    // collected in the background, and methods wait 100 ms (in hexadecimal) before they are optimised.
    private static readonly Dictionary<string, string> s_ordinaryRuntime = new()
    {
        ["DOTNET_gcConcurrent"] = "1",
        ["DOTNET_TC_CallCountingDelayMs"] = "64",
    };

    /// <summary>The brokers that this program can serve.</summary>
    /// <param name="delays">The delays of the embedded broker.</param>
    public static Func<BrokerSpecification, HostedBroker?> Brokers(DelayPlan delays, ulong seed) =>
        specification =>
            specification.Kind switch
            {
                BrokerKind.Embedded => Embedded(specification.IsWithoutDelay ? DelayPlan.None : delays, seed),
                BrokerKind.MqttNet => MqttNet(specification.IsTuned),
                BrokerKind.Mosquitto
                or BrokerKind.RabbitMq
                or BrokerKind.Ejabberd
                or BrokerKind.Nats
                or BrokerKind.Aedes
                or BrokerKind.AedesRedis
                or BrokerKind.Pipeline
                or BrokerKind.Command
                or BrokerKind.Running
                or BrokerKind.Cluster => null,
                _ => throw new UnreachableException(),
            };

    /// <summary>Serves a node of a cluster.</summary>
    public static BrokerProgram Node => Command([NodeCommand]);

    private static HostedBroker Embedded(DelayPlan delays, ulong seed) =>
        new(
            port =>
                Command([
                    EmbeddedCommand,
                    .. PortOf(port),
                    "--delay",
                    delays.ToString(),
                    "--seed",
                    seed.ToString(CultureInfo.InvariantCulture),
                ]),
            Tool.Version,
            new Dictionary<string, string> { ["nodelay"] = "true", ["delay"] = delays.ToString() }
        );

    private static HostedBroker MqttNet(bool isTuned) =>
        new(
            port =>
                Command([MqttNetCommand, .. PortOf(port), .. (isTuned ? (string[])[TunedOption] : [])]) with
                {
                    Environment = s_ordinaryRuntime,
                },
            MqttNetSettings.Version,
            MqttNetSettings.Describe(isTuned)
        );

    // A broker that announces any free port belongs to the command that reads it.
    private static string[] PortOf(int? port) =>
        port is { } given ? ["--port", given.ToString(CultureInfo.InvariantCulture)] : ["--port", "0", ChildOption];

    private static BrokerProgram Command(string[] arguments)
    {
        var path =
            Environment.ProcessPath
            ?? throw new BrokerException(
                "The path of this program is not known, so it cannot start a broker of its own."
            );
        // If the program was started as "dotnet MqttCheck.Cli.dll", the process is the host and not this program.
        return Path.GetFileNameWithoutExtension(path).Equals("dotnet", StringComparison.OrdinalIgnoreCase)
            ? new(path, ["exec", typeof(OwnProgram).Assembly.Location, .. arguments])
            : new(path, arguments);
    }
}
