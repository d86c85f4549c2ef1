using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Simulation;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>One node of a cluster of MqttCheck's own, served by one thread of its own.</summary>
internal sealed class ClusterNodeServer : ServedNode
{
    // The server still sends and reads for this long after closing. A socket that is closed with unread bytes is reset.
    private const long LastWordsNanoseconds = 200_000_000;

    private readonly NotingHost _host;

    private ClusterNodeServer(IWire wire, NotingHost host, NodeOptions options)
        : base(new WireRunner(wire, "node", host.Dispose))
    {
        (_host, Address) = (host, host.Start());
        if (options.Topology is { Machine: { } machine } topology && !topology.Nodes[options.Node].HasOwnCapability)
            new CapabilityTimer(wire, machine, host.ChangeCapability).Start();
        Runner.Start();
    }

    /// <summary>Starts a node.</summary>
    /// <param name="options">Which, and where.</param>
    /// <exception cref="BrokerException">
    /// The address cannot be served: port in use, no permission. Or the multicast group of an overlay cannot be used.
    /// </exception>
    /// <exception cref="InputException">There is no protocol for the cluster's system.</exception>
    public static ClusterNodeServer Start(NodeOptions options)
    {
        var core = ClusterCores.Of(options.Topology);
        var wire = WireFactory.Create(new WireOptions { MaximumPendingBytes = 64 << 20 });
        var host = new NotingHost(wire, options, core);
        try
        {
            host.NoteStart();
            return new ClusterNodeServer(wire, host, options);
        }
        catch (Exception exception) when (exception is WireException or BrokerException)
        {
            host.Dispose();
            wire.Dispose();
            throw new BrokerException(
                $"Node {options.Topology.Nodes[options.Node].Name} does not start. {exception.Message}",
                exception
            );
        }
    }

    /// <inheritdoc/>
    public override Task LeaveAsync() => Runner.LeaveAsync(() => _host.Leave(End));

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync() => await Runner.EndAsync(_host.Shutdown);

    private void End()
    {
        _host.Close();
        var wire = Runner.Wire;
        wire.Schedule(new Ending(wire), wire.NowNanoseconds + LastWordsNanoseconds, 0);
    }

    private sealed class Ending(IWire wire) : ITimerHandler
    {
        public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) => wire.Stop();
    }

    private sealed class NotingHost(
        IWire wire,
        NodeOptions options,
        Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> core
    ) : NodeHost(wire, options, core), IDisposable
    {
        private readonly int[] _peers = [.. options.Peers.Keys];
        private readonly NoteWriter? _notes = options.NotesPath is { } path ? new NoteWriter(path) : null;

        /// <summary>Resets the roles in the notes, because an earlier process may have left others.</summary>
        public void NoteStart()
        {
            foreach (var peer in _peers)
                Note(new ClusterNote(ClusterNoteKind.Role, peer, 0));
        }

        public override void Note(in ClusterNote note) => _notes?.Write(note, MonotonicClock.NowNanoseconds);

        public void Dispose() => _notes?.Dispose();
    }
}
