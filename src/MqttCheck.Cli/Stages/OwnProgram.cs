using System.Globalization;
using MqttCheck.Broker;
using MqttCheck.Brokers.Processes;
using BrokerProgram = MqttCheck.Brokers.Processes.BrokerCommand;

namespace MqttCheck.Cli.Stages;

/// <summary>This program as a command, so that it can start its embedded broker in a process of its own: a broker in the same process would share its garbage collector with the clients.</summary>
internal static class OwnProgram
{
    /// <summary>The command that serves the embedded broker on a free port until its standard input ends.</summary>
    public static BrokerProgram BrokerCommand(DelayPlan delays, ulong seed)
    {
        var path = Environment.ProcessPath ?? throw new BrokerException("The path of this program is not known, so it cannot start the embedded broker.");
        string[] arguments =
        [
            "broker", "--port", "0", "--delay", delays.ToString(), "--seed", seed.ToString(CultureInfo.InvariantCulture), Commands.BrokerCommand.ChildOption,
        ];
        // Started as "dotnet MqttCheck.Cli.dll" the process is the host, not this program.
        return Path.GetFileNameWithoutExtension(path).Equals("dotnet", StringComparison.OrdinalIgnoreCase)
            ? new(path, ["exec", typeof(OwnProgram).Assembly.Location, .. arguments])
            : new(path, arguments);
    }
}
