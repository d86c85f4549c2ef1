using System.Net;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Nodes;

namespace MqttCheck.LiveClusters.Tests.Nodes.Pipeline;

/// <summary>The nodes of a pipeline in this process, with real sockets and files, and no relays between them.</summary>
internal sealed class LivePipeline : IAsyncDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("mqttcheck-pipeline-").FullName;
    private readonly Topology _topology = TopologyFile.Read("pipeline-p2p");
    private readonly PortReservation[] _ports;
    private readonly ServedNode[] _nodes;
    private ulong _incarnation;

    /// <summary>Starts all nodes.</summary>
    public LivePipeline()
    {
        _ports = [.. _topology.Nodes.Select(_ => new PortReservation())];
        _nodes = [.. Enumerable.Range(0, _topology.Nodes.Count).Select(Start)];
    }

    /// <summary>The port of a broker, by its number.</summary>
    public int PortOf(int broker) => _ports[broker].Port;

    /// <summary>Where a node is, by its name.</summary>
    public IPEndPoint AddressOf(string name) => _ports[_topology.NodeIndex(name)].Address;

    /// <summary>Null, or how a node failed.</summary>
    public string? Failure => _nodes.Select(node => node.Failure).FirstOrDefault(failure => failure is not null);

    /// <summary>Ends a node.</summary>
    public ValueTask StopAsync(string name) => _nodes[_topology.NodeIndex(name)].DisposeAsync();

    /// <summary>Starts a node again with its file.</summary>
    public void Restart(string name)
    {
        var node = _topology.NodeIndex(name);
        _nodes[node] = Start(node);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var node in _nodes)
            await node.DisposeAsync();
        foreach (var port in _ports)
            port.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    private ServedNode Start(int node) =>
        ServedNodes.Start(
            new NodeOptions
            {
                Topology = _topology,
                Node = node,
                Address = _ports[node].Address,
                Peers = ClusterCores.PeersOf(_topology, node).ToDictionary(peer => peer, peer => _ports[peer].Address),
                Directory = Directory.CreateDirectory(Path.Combine(_directory, _topology.Nodes[node].Name)).FullName,
                // Apart in the half that tells messages of processes from each other.
                Incarnation = ++_incarnation << 33,
            }
        );
}
