using System.Net;
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
    private static readonly TimeSpan s_storePatience = TimeSpan.FromSeconds(10);

    private readonly LogNodeClient _log;
    private readonly StoreNodeClient _store;
    private readonly PipelineBrokerHost _host;
    private readonly CancellationTokenSource _stop = new();

    /// <summary>Serves a broker.</summary>
    /// <param name="options">The node and its address.</param>
    /// <exception cref="WireException">The address cannot be served.</exception>
    public PipelineBrokerServer(NodeOptions options)
        : base(new WireRunner("node"))
    {
        var topology = options.Topology;
        _log = new LogNodeClient(
            AddressOf(NodeKind.Log),
            (long)options.Incarnation,
            TimeSpan.FromMilliseconds(topology.Pipeline.LingerMilliseconds),
            Runner.Wire
        );
        _store = new StoreNodeClient(AddressOf(NodeKind.Store), s_storePatience, Runner.Wire);
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

        IPEndPoint AddressOf(NodeKind kind) => options.Peers.First(peer => topology.Nodes[peer.Key].Kind == kind).Value;
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
}
