using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Protocol;

namespace MqttCheck.LiveClusters.Links;

/// <summary>
/// A connection that a node has opened to another one through a relay. It consists of the accepted connection, the
/// onward connection, and a pipe in each direction. An end in either direction ends both, as nodes do when they close a
/// connection.
/// </summary>
internal sealed class RelayedConnection : ITimerHandler
{
    private readonly LinkNetwork _network;
    private readonly WireEndpoint? _target;
    private readonly LinkPipe _forward;
    private readonly LinkPipe _backward;
    private readonly End _onward;
    private bool _isDropped;
    private bool _connectsWhenHealed;
    private int _answers;

    /// <summary>A connection that was accepted just now.</summary>
    /// <param name="network">The network.</param>
    /// <param name="forward">The direction from the node that opened it.</param>
    /// <param name="backward">The other direction.</param>
    /// <param name="target">The address of the other node, or null if it is not known yet.</param>
    public RelayedConnection(LinkNetwork network, DirectedLink forward, DirectedLink backward, WireEndpoint? target)
    {
        (_network, _target) = (network, target);
        _forward = new(network, this, forward);
        _backward = new(network, this, backward);
        Accepted = new End(this, isAccepted: true);
        _onward = new End(this, isAccepted: false);
        _forward.Scan();
        forward.Counters.Connections++;
    }

    /// <summary>The handler of the accepted connection.</summary>
    public IWireHandler Accepted { get; }

    /// <summary>The protocol version, once a CONNECT has shown that the stream is MQTT.</summary>
    public int? Version { get; private set; }

    /// <summary>Whether the first node opened the connection, and the second one has sent a packet of a type.</summary>
    public bool WasAnswered(int from, int to, PacketType answer) =>
        (_forward.Link.From, _forward.Link.To) == (from, to) && (_answers & (1 << (int)answer)) != 0;

    /// <summary>Whether the connection joins two nodes, in either direction.</summary>
    public bool Joins(int one, int other) =>
        (_forward.Link.From, _forward.Link.To) == (one, other)
        || (_forward.Link.From, _forward.Link.To) == (other, one);

    /// <summary>A packet has entered a pipe: the first one of the node that connects must be CONNECT.</summary>
    /// <param name="pipe">The pipe.</param>
    /// <param name="first">The packet's first byte.</param>
    /// <param name="head">The beginning of its body.</param>
    /// <param name="nanoseconds">When.</param>
    public void Saw(LinkPipe pipe, byte first, ReadOnlySpan<byte> head, long nanoseconds)
    {
        if (pipe == _backward)
            _answers |= 1 << (first >> 4);
        if (Version is not null || pipe != _forward)
            return;
        Version = PublishHead.Version(first, head);
        if (Version is null)
        {
            pipe.StopScanning();
            return;
        }
        _backward.Scan();
        _network.Observer?.Opened(_forward.Link.From, _forward.Link.To, nanoseconds);
    }

    /// <summary>A PUBLISH passes the beginning or the end of a pipe.</summary>
    public void Published(
        LinkPipe pipe,
        int version,
        byte first,
        int bytes,
        ReadOnlySpan<byte> head,
        long nanoseconds,
        bool isEntering
    )
    {
        PublishHead.Read(version, first, head, out var topic, out var payload);
        var link = pipe.Link;
        if (isEntering && topic is [(byte)'$', ..])
            link.Counters.SystemPublications++;
        else if (isEntering)
            link.Counters.DataPublications++;
        if (_network.Observer is not { } observer)
            return;
        var publication = new LinkPublication
        {
            Nanoseconds = nanoseconds,
            Topic = topic,
            Payload = payload,
            Qos = (first >> 1) & 3,
            Bytes = bytes,
        };
        if (isEntering)
            observer.Entered(link.From, link.To, publication);
        else
            observer.Left(link.From, link.To, publication);
    }

    /// <summary>Resumes after the links have healed.</summary>
    public void Heal()
    {
        if (_connectsWhenHealed)
            ConnectOnward();
        _forward.Pump();
        _backward.Pump();
    }

    /// <summary>Resets both ends at once.</summary>
    public void Cut()
    {
        if (_isDropped)
            return;
        var (accepted, onward) = (_forward.Source ?? _backward.Sink, _forward.Sink ?? _backward.Source);
        Forget();
        accepted?.Abort();
        onward?.Abort();
    }

    /// <summary>The request to connect has reached the other node.</summary>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) => ConnectOnward();

    private void Begin(WireConnection accepted, long now)
    {
        (_forward.Source, _backward.Sink) = (accepted, accepted);
        var delay = _forward.Link.DrawDelay();
        if (delay == 0)
            ConnectOnward();
        else
            _network.Wire.Schedule(this, now + delay, 0);
    }

    private void ConnectOnward()
    {
        if (_isDropped)
            return;
        _connectsWhenHealed = _forward.Link.IsStalled || _backward.Link.IsStalled;
        if (_connectsWhenHealed)
            return;
        if (_target is { } target)
            _network.Wire.Connect(target, _onward);
        else
            Cut();
    }

    private void Forget()
    {
        _isDropped = true;
        _forward.Drop();
        _backward.Drop();
        _network.Remove(this);
    }

    private void Ended(bool isAccepted, CloseReason reason, long at)
    {
        if (_isDropped)
            return;
        var (pipe, back) = isAccepted ? (_forward, _backward) : (_backward, _forward);
        // Nobody receives the bytes under way in the other direction any more.
        back.Drop();
        if (pipe.Source is null)
        {
            // The other end has ended before, or this one was never made.
            var waiting = pipe.Sink;
            Forget();
            if (reason != CloseReason.ClosedHere)
                waiting?.Abort();
            return;
        }
        pipe.End(reason != CloseReason.ClosedByPeer, at);
    }

    private sealed class End(RelayedConnection relay, bool isAccepted) : IWireHandler
    {
        public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
        {
            if (relay._isDropped)
            {
                connection.Abort();
                return;
            }
            if (isAccepted)
            {
                relay._network.Streams?.Opened(relay, stamp.Nanoseconds);
                relay.Begin(connection, stamp.Nanoseconds);
                return;
            }
            relay._forward.Sink = connection;
            // The node that connected may have gone meanwhile; then nobody receives the answers.
            if (relay._backward.Sink is not null)
                relay._backward.Source = connection;
            relay._forward.Pump();
        }

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            var pipe = isAccepted ? relay._forward : relay._backward;
            if (relay._isDropped || pipe.Source is null)
                return bytes.Length;
            pipe.Take(bytes, stamp.Nanoseconds);
            relay._network.Streams?.Passed(relay, isAccepted, bytes, stamp.Nanoseconds);
            return bytes.Length;
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
        {
            relay._network.Streams?.Ended(relay, isAccepted, reason, detail, stamp.Nanoseconds);
            relay.Ended(isAccepted, reason, stamp.Nanoseconds);
        }
    }
}
