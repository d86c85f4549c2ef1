using System.Net;
using MqttCheck.Brokers.Clusters.Nodes;
using MqttCheck.Brokers.Clusters.Pipeline.Logs;
using MqttCheck.Brokers.Clusters.Pipeline.Stores;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Pipeline;
using MqttCheck.Clusters.Pipeline.Simulating;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Brokers.Clusters.Pipeline;

/// <summary>A broker of a pipeline, served by one thread of its own.</summary>
internal sealed class PipelineBrokerServer : IServedNode
{
    private static readonly TimeSpan s_stopPatience = TimeSpan.FromSeconds(5);

    // A process takes seconds to start on a busy machine. After that the work of a pack is done again, as often as the
    // commit policy says.
    private static readonly TimeSpan s_storePatience = TimeSpan.FromSeconds(10);

    private readonly IWire _wire;
    private readonly LogNodeClient _log;
    private readonly StoreNodeClient _store;
    private readonly PipelineBrokerHost _host;
    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Serves a broker.</summary>
    /// <param name="options">Which, and where.</param>
    /// <exception cref="WireException">The address cannot be served.</exception>
    public PipelineBrokerServer(NodeOptions options)
    {
        var topology = options.Topology;
        _wire = WireFactory.Create(new WireOptions { MaximumPendingBytes = 64 << 20 });
        _log = new LogNodeClient(
            AddressOf(NodeKind.Log),
            (long)options.Incarnation,
            TimeSpan.FromMilliseconds(topology.Pipeline.LingerMilliseconds)
        );
        _store = new StoreNodeClient(AddressOf(NodeKind.Store), s_storePatience);
        _host = new PipelineBrokerHost(
            _wire,
            topology.Brokers.ToList().IndexOf(options.Node),
            topology.Brokers.Count,
            PipelinePlans.OptionsOf(topology),
            _log,
            _store,
            options.Incarnation,
            _stop.Token
        );
        Address = _host.Start(options.Address);
        new Thread(Run) { IsBackground = true, Name = "node" }.Start();

        IPEndPoint AddressOf(NodeKind kind) => options.Peers.First(peer => topology.Nodes[peer.Key].Kind == kind).Value;
    }

    /// <inheritdoc/>
    public IPEndPoint Address { get; }

    /// <inheritdoc/>
    public Task Completion => _ended.Task;

    /// <inheritdoc/>
    public string? Failure { get; private set; }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _wire.Post(() =>
        {
            _host.Shutdown();
            _wire.Stop();
        });
        await Completion.WaitAsync(s_stopPatience);
        await _stop.CancelAsync();
        await _log.DisposeAsync();
        await _store.DisposeAsync();
        _stop.Dispose();
    }

    private void Run()
    {
        try
        {
            _wire.Run();
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // The thread has no caller: whoever uses the node reads the failure.
            Failure = exception.ToString();
        }
        finally
        {
            _wire.Dispose();
            _ended.TrySetResult();
        }
    }
}
