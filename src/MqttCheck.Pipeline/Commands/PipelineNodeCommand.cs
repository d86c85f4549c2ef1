using System.Net;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Properties;
using MqttCheck.LiveClusters.Nodes;
using MqttCheck.LiveClusters.Nodes.Pipeline;
using MqttCheck.Pipeline.Hosting;

namespace MqttCheck.Pipeline.Commands;

/// <summary>
/// Runs <c>mqttcheck-pipeline node</c>, by which <c>mqttcheck cluster run</c> starts the brokers of a pipeline on Redis
/// or Kafka.
/// </summary>
internal static class PipelineNodeCommand
{
    /// <summary>Serves until SIGTERM.</summary>
    public static async Task<int> RunAsync(IReadOnlyList<string> words)
    {
        var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var signal = PosixSignalRegistration.Create(
            PosixSignal.SIGTERM,
            context =>
            {
                context.Cancel = true;
                stopped.TrySetResult();
            }
        );
        try
        {
            await using var node = Start(NodeArguments.Parse(words));
            await Console.Out.WriteLineAsync($"listening on {node.Address}");
            await Task.WhenAny(node.Completion, stopped.Task);
            if (node.Failure is not { } failure)
                return 0;
            throw new BrokerException(failure);
        }
        catch (InputException wrong)
        {
            await Console.Error.WriteLineAsync($"error: {wrong.Message}");
            return 2;
        }
        catch (BrokerException failure)
        {
            await Console.Error.WriteLineAsync($"error: {failure.Message}");
            return 3;
        }
    }

    private static ServedNode Start(NodeArguments arguments)
    {
        var topology = ClusterInput.Topology(arguments.Cluster);
        var names = topology.Nodes.Select(node => node.Name).ToList();
        foreach (var name in arguments.Peers.Select(peer => peer.Name).Append(arguments.Name))
            if (!names.Contains(name))
                throw new InputException(
                    $"unknown node '{Text.Printable.Value(name)}'; allowed: {string.Join(", ", names)}."
                );
        return PipelineServers.Start(
            new NodeOptions
            {
                Topology = topology,
                Node = names.IndexOf(arguments.Name),
                Address = new IPEndPoint(IPAddress.Loopback, arguments.Port),
                Peers = arguments.Peers.ToDictionary(peer => names.IndexOf(peer.Name), peer => peer.Address),
                Directory = arguments.Directory,
                Incarnation = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong))),
            },
            new RemoteServers(arguments.Run)
        );
    }
}
