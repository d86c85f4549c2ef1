using System.CommandLine;
using System.Net;
using System.Security.Cryptography;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Serve;
using MqttCheck.Cli.Terminal;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Nodes;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Node;

/// <summary><c>mqttcheck node</c>, hidden: one node of a cluster as a process.</summary>
internal sealed class NodeCommand
{
    private readonly Option<string> _cluster = new("--cluster")
    {
        HelpName = "FILE|NAME|FAMILY",
        Description = "The cluster.",
        Required = true,
    };

    private readonly Option<string> _name = new("--name")
    {
        HelpName = "NODE",
        Description = "Which of its nodes this is.",
        Required = true,
    };

    private readonly Option<int> _port = new("--port")
    {
        HelpName = "N",
        Description = "Port of clients and peers; 0 takes a free one.",
        DefaultValueFactory = _ => 0,
        CustomParser = Values.Integer(0, 65535),
    };

    private readonly Option<string[]> _peers = new("--peer")
    {
        HelpName = "NODE=IP:PORT",
        Description = "Where a neighbour is reached. Given once for each.",
    };

    private readonly Option<string?> _notes = new("--notes")
    {
        HelpName = "FILE",
        Description = "Append what the protocol decides to this file.",
    };

    private readonly Option<string> _directory = new("--directory")
    {
        HelpName = "DIRECTORY",
        Description = "Where a log or a store keeps its file.",
        DefaultValueFactory = _ => ".",
    };

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var node = new NodeCommand();
        var command = new Command(OwnProgram.NodeCommand, "Serves one node of a cluster until SIGTERM.")
        {
            node._cluster,
            node._name,
            node._port,
            node._peers,
            node._notes,
            node._directory,
        };
        command.Hidden = true;
        command.Concludes((parse, _) => node.RunAsync(screen, interruption, parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(Screen screen, Interruption interruption, ParseResult parse)
    {
        var topology = ClusterInput.Topology(parse.GetValue(_cluster)!);
        var name = parse.GetValue(_name)!;
        var self = topology.NodeIndex(name);
        if (self < 0)
            throw new InputException(
                $"--name: unknown node '{name}'; allowed: "
                    + $"{string.Join(", ", topology.Nodes.Select(node => node.Name))}."
            );
        await using var node = ServedNodes.Start(
            new NodeOptions
            {
                Topology = topology,
                Node = self,
                Address = new IPEndPoint(IPAddress.Loopback, parse.GetValue(_port)),
                Peers = Peers(parse, topology, self),
                NotesPath = parse.GetValue(_notes),
                Directory = parse.GetValue(_directory)!,
                // The number is new at every start, so that a node that starts again is not taken for its former
                // process.
                Incarnation = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong))),
            }
        );
        screen.Line($"listening on {node.Address}");
        screen.Serve();
        await Task.WhenAny(node.Completion, ServedBroker.Stopped(child: false, interruption.Orderly));
        if (!node.Completion.IsCompleted)
            await node.LeaveAsync();
        if (node.Failure is not { } failure)
            return Conclusion.Success;
        screen.Fail(failure);
        return Conclusion.Failed;
    }

    private Dictionary<int, IPEndPoint> Peers(ParseResult parse, Topology topology, int self)
    {
        var peers = new Dictionary<int, IPEndPoint>();
        foreach (var text in parse.GetValue(_peers) ?? [])
        {
            if (
                text.Split('=') is not [var name, var address]
                || topology.NodeIndex(name) is not (>= 0 and var peer)
                || !IPEndPoint.TryParse(address, out var endpoint)
                || !IPAddress.IsLoopback(endpoint.Address)
            )
                throw new InputException(
                    $"--peer: '{text}' is not allowed; allowed: NODE=IP:PORT with a node of the cluster and an address "
                        + "of this machine's loopback interface."
                );
            peers[peer] = endpoint;
        }
        var missing = ClusterCores.PeersOf(topology, self).Where(peer => !peers.ContainsKey(peer)).ToList();
        return missing.Count == 0
            ? peers
            : throw new InputException(
                $"--peer: no address for {string.Join(", ", missing.Select(peer => topology.Nodes[peer].Name))}; "
                    + "allowed: one --peer for each neighbour."
            );
    }
}
