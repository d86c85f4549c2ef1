using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.ClusterProtocols.Pipeline.Simulating;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

namespace MqttCheck.LiveClusters.Nodes.Pipeline;

/// <summary>A broker of a pipeline, served by one thread of its own.</summary>
internal sealed class PipelineBrokerServer : ServedNode
{
    // A process takes seconds to start on a busy machine. After this time a request fails, and its records are
    // processed again as often as the commit policy allows.
    internal static readonly TimeSpan StorePatience = TimeSpan.FromSeconds(10);

    private readonly IMessageLog _log;
    private readonly IPipelineStore _store;
    private readonly PipelineBrokerHost _host;
    private readonly CancellationTokenSource _stop = new();

    /// <summary>Serves a broker.</summary>
    /// <param name="options">The node and its address.</param>
    /// <param name="servers">Clients of a log and a store that are no nodes of MqttCheck's own.</param>
    /// <exception cref="WireException">The address cannot be served.</exception>
    /// <exception cref="BrokerException">There is no client for the topology's log or store.</exception>
    public PipelineBrokerServer(NodeOptions options, IPipelineServers? servers)
        : base(new WireRunner("node"))
    {
        var topology = options.Topology;
        _log = topology.Pipeline.Log is { } log ? Servers(log).Log(options) : OwnLog(options, Runner.Wire);
        _store = topology.Pipeline.Store is { } store
            ? Servers(store).Store(options)
            : new StoreNodeClient(AddressOf(options, NodeKind.Store), StorePatience, Runner.Wire);
        _host = new PipelineBrokerHost(
            Runner.Wire,
            topology.Brokers.ToList().IndexOf(options.Node),
            topology.Brokers.Count,
            PipelinePlans.OptionsOf(topology),
            _log,
            _store,
            options.Incarnation,
            _stop.Token
        );
        Address = _host.Start(options.Address);
        Runner.Start();

        IPipelineServers Servers(string given) =>
            servers
            ?? throw new BrokerException($"This program has no client of {given}; it is served by mqttcheck-pipeline.");
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await Runner.EndAsync(_host.Shutdown);
        await _stop.CancelAsync();
        await _log.DisposeAsync();
        await _store.DisposeAsync();
        _stop.Dispose();
    }

    private static LogNodeClient OwnLog(NodeOptions options, IWire wire) =>
        new(
            AddressOf(options, NodeKind.Log),
            (long)options.Incarnation,
            TimeSpan.FromMilliseconds(options.Topology.Pipeline.LingerMilliseconds),
            wire
        );

    private static IPEndPoint AddressOf(NodeOptions options, NodeKind kind) =>
        options.Peers.First(peer => options.Topology.Nodes[peer.Key].Kind == kind).Value;
}
