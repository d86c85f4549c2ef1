using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Sessions;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.ClusterProtocols.Discovery;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Statistics;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>
/// Carries a node on a wire: its broker, and the connections to its peers. All of it runs on the wire's thread.
/// </summary>
internal class NodeHost : IPeerTransport, ITimerHandler
{
    private const ulong LossStream = 0x6C6F7374;

    private readonly NodeOptions _options;
    private readonly BrokerHost _broker;
    private readonly PeerNode _node;
    private readonly PeerConnection?[] _connections;
    private readonly ulong _cluster;
    private LoopbackMulticast? _multicast;
    private Action? _left;
    private readonly EarliestTimer _timer;

    /// <summary>A node that does not serve yet.</summary>
    /// <param name="wire">The wire that carries it.</param>
    /// <param name="options">Which node.</param>
    /// <param name="core">Makes its protocol.</param>
    public NodeHost(IWire wire, NodeOptions options, Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> core)
    {
        (Wire, _options, _timer) = (wire, options, new EarliestTimer(wire, this));
        var topology = options.Topology;
        _connections = new PeerConnection?[topology.Nodes.Count];
        _cluster = Announcement.ClusterOf(topology);
        _node = new PeerNode(
            options.Node,
            topology.Nodes.Count,
            ClusterCores.NeighboursOf(topology, options.Node),
            ClusterCores.HopOf(topology),
            core,
            this
        );
        _broker = new BrokerHost(wire, new EmbeddedBrokerOptions { Broker = _node.Join(new BrokerOptions()) });
    }

    protected IWire Wire { get; }

    /// <inheritdoc/>
    public long NowNanoseconds => Wire.NowNanoseconds;

    /// <summary>Serves clients and peers, and connects to the peers.</summary>
    /// <returns>The address.</returns>
    /// <exception cref="BrokerException">The cluster's multicast group cannot be used.</exception>
    public IPEndPoint Start()
    {
        var address = _broker.Listen(new WireListener(_options.Address));
        JoinMulticast();
        _node.Start(_options.Incarnation);
        return address;
    }

    /// <summary>The node is more or less fit to be a root than before.</summary>
    public void ChangeCapability(double capability) => _node.ChangeCapability(capability);

    /// <summary>Takes leave of the clients, then of the neighbours.</summary>
    /// <param name="left">Called when no other node needs this one any more; its connections are still open.</param>
    public void Leave(Action left)
    {
        _left = left;
        _broker.Dismiss();
        _node.Leave();
    }

    /// <inheritdoc/>
    public void Left() => _left?.Invoke();

    /// <summary>Closes all connections in order: everything sent before arrives first.</summary>
    public void Close()
    {
        foreach (var connection in _connections)
            if (connection is { IsCurrent: true })
                connection.Close();
        _broker.Shutdown();
    }

    /// <summary>Ends all connections.</summary>
    public void Shutdown()
    {
        _multicast?.Dispose();
        foreach (var connection in _connections)
            if (connection is { IsCurrent: true })
                connection.Abort();
        _broker.Shutdown();
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        _timer.Fired();
        _node.Tick();
    }

    public void Opened(int peer) => _node.Opened(peer);

    public int Answered(int peer, ReadOnlySpan<byte> bytes) => _node.Answered(peer, bytes);

    public void Ended(int peer) => _node.Ended(peer);

    /// <inheritdoc/>
    public void Open(int peer)
    {
        var connection = new PeerConnection(this, peer);
        _connections[peer] = connection;
        connection.Begin(handler => Wire.Connect(new WireEndpoint(_options.Peers[peer]), handler));
    }

    /// <inheritdoc/>
    public void Send(int peer, ReadOnlySpan<byte> packet)
    {
        if (_connections[peer] is { IsCurrent: true } connection)
            connection.Send(packet);
    }

    /// <inheritdoc/>
    public void Abort(int peer)
    {
        if (_connections[peer] is { IsCurrent: true } connection)
            connection.Abort();
    }

    /// <inheritdoc/>
    public bool Multicast(in PeerMessage message)
    {
        if (_multicast is null)
            return false;
        _multicast.Send(Announcement.From(message).ToDatagram(_cluster, _options.Node));
        return true;
    }

    /// <inheritdoc/>
    public void Inject(Message content) => _broker.Inject(content);

    /// <inheritdoc/>
    public void Accept(long token) => _broker.Accept(token);

    /// <inheritdoc/>
    public virtual void Note(in ClusterNote note) { }

    /// <inheritdoc/>
    public virtual void Passed(ClusterEventKind kind, int peer, in RoutedMessage message) { }

    // Nodes of overlays find each other by multicast; nodes of other systems know their links.
    private void JoinMulticast()
    {
        var (system, overlay) = (_options.Topology.System, _options.Topology.Overlay);
        if (!system.IsOverlay() || overlay.AnnouncesOnLinks)
            return;
        _multicast = LoopbackMulticast.Join(overlay.Multicast ?? MulticastGroup.Default);
        var (loss, random) = (overlay.AnnounceLoss, RandomStream.For(_options.Incarnation, LossStream));
        _multicast.Listen(datagram =>
        {
            if (loss > 0 && random.NextDouble() < loss)
                return;
            if (Announcement.TryRead(datagram, _cluster, out var node, out var announcement) && node != _options.Node)
                Wire.Post(() => _node.Heard(node, announcement.ToMessage()));
        });
    }

    /// <inheritdoc/>
    public void Rearm() => _timer.Arm(_node.NextDue);
}
