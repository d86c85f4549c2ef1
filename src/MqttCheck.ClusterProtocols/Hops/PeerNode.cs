using System.Text;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Peers;
using MqttCheck.Broker.Sessions;
using MqttCheck.Clusters.Events;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>
/// A node that serves bytes: the protocol, a hop to each neighbour, and the broker's core between them. It has no
/// socket; <see cref="IPeerTransport"/> carries it. It treats links as the simulator of frames does.
/// </summary>
internal sealed class PeerNode : IBrokerPeers, IClusterOutput, IHopOutput
{
    private const int MostPacketBytes = 1 << 16;

    private readonly int _id;
    private readonly int _nodes;
    private readonly IPingContent? _insidePings;
    private readonly IPeerTransport _transport;
    private readonly IClusterCore _core;
    private readonly PeerPackets _packets;
    private readonly Neighbour?[] _neighbours;
    private ulong _incarnation;
    private long _now;
    private long _publishing = -1;
    private bool _isAccepted;
    private long? _leavesAt;

    /// <summary>A node that has not started.</summary>
    /// <param name="id">Its index.</param>
    /// <param name="nodes">How many nodes there are.</param>
    /// <param name="neighbours">The indices of its neighbours.</param>
    /// <param name="hop">How it carries messages.</param>
    /// <param name="core">Makes its protocol.</param>
    /// <param name="transport">The connections and the clock that it uses.</param>
    public PeerNode(
        int id,
        int nodes,
        IReadOnlyList<int> neighbours,
        HopOptions hop,
        Func<int, IReadOnlyList<int>, IClusterOutput, IClusterCore> core,
        IPeerTransport transport
    )
    {
        (_id, _nodes, _transport, _insidePings) = (id, nodes, transport, hop.InsidePings);
        _packets = new PeerPackets(_insidePings);
        _neighbours = new Neighbour?[nodes];
        foreach (var peer in neighbours)
            _neighbours[peer] = new Neighbour(peer, new PeerHop(peer, hop, this));
        _core = core(id, neighbours, this);
    }

    /// <summary>When <see cref="Tick"/> has something to do; <see cref="long.MaxValue"/> for never.</summary>
    public long NextDue
    {
        get
        {
            var due = Math.Min(_core.NextDue, LeaveDue);
            foreach (var neighbour in _neighbours)
                due = Math.Min(due, neighbour?.Hop.NextDue ?? long.MaxValue);
            return due;
        }
    }

    /// <summary>The options of a broker that works together with others through this node.</summary>
    /// <param name="options">Its options otherwise.</param>
    public BrokerOptions Join(BrokerOptions options) => options with { Peers = this };

    /// <summary>The process begins.</summary>
    /// <param name="incarnation">A random number that tells it from those before it.</param>
    public void Start(ulong incarnation)
    {
        _incarnation = incarnation;
        _core.Start(incarnation, Now());
        foreach (var neighbour in _neighbours)
            neighbour?.Hop.Start();
        _transport.Rearm();
    }

    /// <summary>Does what has become due.</summary>
    public void Tick()
    {
        var now = Now();
        foreach (var neighbour in _neighbours)
            if (neighbour?.Hop.NextDue <= now)
                neighbour.Hop.Tick(now);
        if (_core.NextDue <= now)
            _core.Tick(now);
        if (LeaveDue <= now)
        {
            _leavesAt = null;
            _transport.Left();
            return;
        }
        _transport.Rearm();
    }

    /// <summary>
    /// The process is to end in order, and its clients are gone. <see cref="IPeerTransport.Left"/> follows.
    /// </summary>
    public void Leave()
    {
        _leavesAt = _core.Leave(Now());
        Tick();
    }

    /// <summary>The node is more or less fit to be a root than before.</summary>
    public void ChangeCapability(double capability)
    {
        _core.CapabilityChanged(capability, Now());
        _transport.Rearm();
    }

    /// <summary>The connection to a peer is open.</summary>
    public void Opened(int peer)
    {
        _neighbours[peer]!.Hop.Opened();
        _transport.Rearm();
    }

    /// <summary>The connection to a peer has ended without the node's doing, or could not be opened.</summary>
    public void Ended(int peer) => Lower(_neighbours[peer]!);

    /// <summary>Bytes have come back over the connection to a peer.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="bytes">All bytes not consumed so far.</param>
    /// <returns>How many were whole packets.</returns>
    public int Answered(int peer, ReadOnlySpan<byte> bytes)
    {
        var neighbour = _neighbours[peer]!;
        var connection = neighbour.Connection;
        var consumed = 0;
        while (
            connection == neighbour.Connection
            && PacketFrame.TryRead(bytes[consumed..], MostPacketBytes, out var frame) is var status
            && status != FrameStatus.NeedMore
        )
        {
            if (
                status != FrameStatus.Complete
                || !PeerPackets.TryReadAnswer(
                    bytes.Slice(consumed, frame.TotalLength),
                    out var packet,
                    out var acceptedBy
                )
            )
            {
                // The peer has refused the connection or ended it.
                Close(neighbour);
                return bytes.Length;
            }
            consumed += frame.TotalLength;
            if (packet.Kind == HopPacketKind.Connack)
                neighbour.AcceptedBy = acceptedBy;
            neighbour.Hop.Receive(packet);
        }
        _transport.Rearm();
        return connection == neighbour.Connection ? consumed : bytes.Length;
    }

    /// <summary>A control message has come by multicast.</summary>
    /// <param name="peer">The node that has sent it, which may be no neighbour.</param>
    /// <param name="message">The message.</param>
    public void Heard(int peer, in PeerMessage message)
    {
        if (peer < 0 || peer >= _nodes || _neighbours[peer] is null)
            return;
        _core.Receive(peer, message, Now());
        _transport.Rearm();
    }

    string? IBrokerPeers.Greet(string greeting, out int peer)
    {
        if (
            !PeerPackets.TryReadGreeting(greeting, out peer, out var incarnation)
            || peer >= _nodes
            || _neighbours[peer] is not { } neighbour
        )
            return null;
        // The peer may be a new process. In that case the connection to its predecessor is gone.
        if (neighbour.Hop.IsConnected && neighbour.AcceptedBy != incarnation)
            Close(neighbour);
        return PeerPackets.Answer(_incarnation);
    }

    bool IBrokerPeers.IsInBand => _insidePings is not null;

    bool IBrokerPeers.IsStatement(ReadOnlySpan<byte> inside) => _insidePings?.TryRead(inside, _nodes, out _) == true;

    void IBrokerPeers.Pinged(int peer, ReadOnlySpan<byte> inside)
    {
        if (!_insidePings!.TryRead(inside, _nodes, out var statement))
            return;
        _core.Receive(peer, statement, Now());
        _transport.Rearm();
    }

    void IBrokerPeers.Connected(int peer)
    {
        var neighbour = _neighbours[peer]!;
        neighbour.IsReached = true;
        neighbour.Hop.PeerSeen();
        Raise(neighbour);
        _transport.Rearm();
    }

    void IBrokerPeers.Disconnected(int peer) => _neighbours[peer]!.IsReached = false;

    void IBrokerPeers.Receive(int peer, Message message)
    {
        // Only nodes of this cluster are let in, and they write nothing else.
        if (!PeerPackets.TryRead(message, _nodes, out var received))
            return;
        if (received.Kind == PeerMessageKind.Data && received.Data.HopSequence == 0)
            _transport.Passed(ClusterEventKind.Received, peer, received.Data);
        _core.Receive(peer, received, Now());
        _transport.Rearm();
    }

    bool IBrokerPeers.Published(Message message, long token)
    {
        var routed = new RoutedMessage
        {
            Origin = _id,
            Incarnation = _incarnation,
            Counter = token,
            Topic = Encoding.UTF8.GetString(message.Topic),
            Qos = message.Qos,
            Retain = message.Retain,
            PayloadBytes = message.Payload.Length,
            Content = message,
        };
        (_publishing, _isAccepted) = (token, false);
        _transport.Passed(ClusterEventKind.Published, -1, routed);
        _core.Published(routed, Now());
        _publishing = -1;
        _transport.Rearm();
        return !_isAccepted;
    }

    void IBrokerPeers.ClientsChanged(int clients)
    {
        _core.ClientsChanged(clients, Now());
        _transport.Rearm();
    }

    void IBrokerPeers.InterestBegan(string filter)
    {
        _core.InterestBegan(filter, Now());
        _transport.Rearm();
    }

    void IBrokerPeers.InterestEnded(string filter)
    {
        _core.InterestEnded(filter, Now());
        _transport.Rearm();
    }

    void IClusterOutput.Send(int peer, in PeerMessage message)
    {
        if (peer == IClusterOutput.Everyone)
        {
            if (_transport.Multicast(message))
                return;
            // Who listens is in the cluster's file, so the connections to all neighbours serve as the broadcast domain.
            foreach (var neighbour in _neighbours)
                neighbour?.Hop.Control(message);
            return;
        }
        _neighbours[peer]!.Hop.Send(message);
    }

    void IClusterOutput.Deliver(in RoutedMessage message) => _transport.Inject(message.Content!);

    void IClusterOutput.HandedUp(int peer, in RoutedMessage message) =>
        _transport.Passed(ClusterEventKind.Received, peer, message);

    void IClusterOutput.Accept(long token)
    {
        if (token == _publishing)
            _isAccepted = true;
        else
            _transport.Accept(token);
    }

    void IClusterOutput.Note(in ClusterNote note) => _transport.Note(note);

    void IHopOutput.Open(int peer)
    {
        _neighbours[peer]!.Connection++;
        _transport.Open(peer);
    }

    void IHopOutput.Transmit(int peer, in HopPacket packet)
    {
        if (packet.Kind == HopPacketKind.Connect)
        {
            _transport.Send(peer, PeerPackets.Connect(_id, _incarnation, packet.Flag, _insidePings is not null));
            return;
        }
        if (packet.Kind == HopPacketKind.Publish && packet.Message.Kind == PeerMessageKind.Data)
            _transport.Passed(ClusterEventKind.Sent, peer, packet.Message.Data);
        _transport.Send(peer, _packets.Write(packet, _now));
    }

    void IHopOutput.Connected(int peer) => Raise(_neighbours[peer]!);

    void IHopOutput.Answered(int peer) => _core.Receive(peer, PeerMessage.Pong, Now());

    // A node leaves when its neighbours have acknowledged everything, or when its patience ends.
    private long LeaveDue =>
        _leavesAt is not { } due ? long.MaxValue
        : Array.TrueForAll(_neighbours, neighbour => neighbour?.Hop.HasHandedOn != false)
            ? Math.Max(due, _core.StaysUntil)
        : Math.Max(due, _core.StaysUntil) + PeerHop.LeavePatienceNanoseconds;

    private long Now() => _now = Math.Max(_now, _transport.NowNanoseconds);

    // A link is up when the connections in both directions are.
    private void Raise(Neighbour neighbour)
    {
        if (neighbour.IsUp || !neighbour.IsReached || !neighbour.Hop.IsConnected)
            return;
        neighbour.IsUp = true;
        _core.LinkUp(neighbour.Peer, Now());
    }

    private void Close(Neighbour neighbour)
    {
        _transport.Abort(neighbour.Peer);
        Lower(neighbour);
    }

    private void Lower(Neighbour neighbour)
    {
        neighbour.Connection++;
        neighbour.Hop.Closed(Now());
        if (neighbour.IsUp)
        {
            neighbour.IsUp = false;
            _core.LinkDown(neighbour.Peer, LinkEnd.Closed, _now);
        }
        _transport.Rearm();
    }

    private sealed record Neighbour(int Peer, PeerHop Hop)
    {
        /// <summary>The number of the connection to it; it changes when one begins or ends.</summary>
        public int Connection { get; set; }

        /// <summary>Whether its own connection to this node was accepted.</summary>
        public bool IsReached { get; set; }

        /// <summary>Whether the protocol takes the link for up.</summary>
        public bool IsUp { get; set; }

        /// <summary>The process that has accepted the connection to it.</summary>
        public ulong AcceptedBy { get; set; }
    }
}
