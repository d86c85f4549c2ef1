using System.Globalization;
using System.Net;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

namespace MqttCheck.Pipeline.Commands;

/// <summary><c>mqttcheck-pipeline log-node FILE</c>: a log as a process that can be killed.</summary>
internal static class LogNodeCommand
{
    /// <summary>Serves until its input ends or it is interrupted.</summary>
    public static async Task<int> RunAsync(string file, int port)
    {
        await using var node = new LogNode(file, new IPEndPoint(IPAddress.Loopback, port));
        await Console.Out.WriteLineAsync(node.Address.Port.ToString(CultureInfo.InvariantCulture));
        // The owner holds the other end of the input, so the node ends with its owner.
        while (await Console.In.ReadLineAsync() is not null) { }
        return 0;
    }
}
