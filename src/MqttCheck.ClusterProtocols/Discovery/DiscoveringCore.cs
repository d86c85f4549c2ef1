using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;

namespace MqttCheck.ClusterProtocols.Discovery;

/// <summary>
/// A node that finds the other brokers by announcements, and lets its protocol use a link only to a broker that it
/// knows: the states DISCOVERY, TREE and RUNTIME of the distributed broker with topic overlays.
/// </summary>
/// <remarks>
/// A broker that is heard for the first time, or that does not answer a ping for too long, starts a discovery.
/// Messages flow on the old tree meanwhile. A closed connection is told to the protocol at once.
/// </remarks>
internal sealed class DiscoveringCore : IClusterCore
{
    private readonly DiscoveryOptions _options;
    private readonly IClusterOutput _output;
    private readonly IClusterCore _inner;
    private readonly DiscoveredPeer?[] _peers;
    private readonly DiscoveredPeer[] _neighbours;
    private ulong _incarnation;
    private long _now;
    private long _nextAnnouncement;
    private long _collectedAt;
    private long _nextPings;
    private long _silenceDue;
    private long _stableDue;
    private bool _isLeaving;

    /// <summary>A node that has not started.</summary>
    /// <param name="nodes">How many nodes the topology has.</param>
    /// <param name="neighbours">The indices of the nodes that it may have a link to, each once.</param>
    /// <param name="options">The timers.</param>
    /// <param name="output">The receiver of its outputs and of those of its protocol.</param>
    /// <param name="inner">Makes the protocol, which gets an output of its own.</param>
    public DiscoveringCore(
        int nodes,
        IReadOnlyList<int> neighbours,
        DiscoveryOptions options,
        IClusterOutput output,
        Func<IClusterOutput, IClusterCore> inner
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.AnnounceNanoseconds, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.CollectNanoseconds, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.KeepAliveNanoseconds, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.SilenceNanoseconds, nameof(options));
        (_options, _output) = (options, output);
        _neighbours = [.. neighbours.Select(node => new DiscoveredPeer(node))];
        _peers = new DiscoveredPeer?[nodes];
        foreach (var peer in _neighbours)
            _peers[peer.Node] = peer;
        _inner = inner(new Gate(this));
    }

    /// <summary>The phase of discovery that the node is in.</summary>
    public DiscoveryState State { get; private set; }

    /// <summary>The protocol that the node runs over the links.</summary>
    internal IClusterCore Inner => _inner;

    /// <inheritdoc/>
    public long NextDue =>
        Math.Min(
            Math.Min(_inner.NextDue, Math.Min(_nextAnnouncement, _collectedAt)),
            Math.Min(_nextPings, Math.Min(_silenceDue, _stableDue))
        );

    /// <inheritdoc/>
    public void Start(ulong incarnation, long now)
    {
        (_incarnation, _now, _isLeaving) = (incarnation, now, false);
        foreach (var peer in _neighbours)
            peer.Clear();
        (_silenceDue, _stableDue) = (long.MaxValue, long.MaxValue);
        _nextPings = _options.Pings ? now + _options.KeepAliveNanoseconds : long.MaxValue;
        _collectedAt = long.MaxValue;
        _inner.Start(incarnation, now);
        Discover(now);
    }

    /// <inheritdoc/>
    public void LinkUp(int peer, long now)
    {
        _now = now;
        var it = _peers[peer]!;
        it.IsUp = true;
        if (_isLeaving)
            return;
        if (_options.AnnouncesOnLinks)
            _output.Send(peer, new Announcement(_incarnation).ToMessage());
        if (it.IsKnown && State != DiscoveryState.Discovery)
            Link(it, now);
    }

    /// <inheritdoc/>
    public void LinkDown(int peer, LinkEnd why, long now)
    {
        _now = now;
        var it = _peers[peer]!;
        (it.IsUp, it.IsForgotten, it.PingedAt) = (false, false, DiscoveredPeer.Never);
        it.Early.Clear();
        if (!it.IsLinked)
            return;
        it.IsLinked = false;
        if (State != DiscoveryState.Discovery && !_isLeaving)
            Enter(DiscoveryState.Tree, now);
        _inner.LinkDown(peer, why, now);
    }

    /// <inheritdoc/>
    public void Receive(int peer, in PeerMessage message, long now)
    {
        _now = now;
        if (_peers[peer] is not { } it)
            return;
        if (_isLeaving)
        {
            if (it.IsLinked)
                _inner.Receive(peer, message, now);
            return;
        }
        if (message is { Kind: PeerMessageKind.Control, ControlKind: Announcement.ControlKind })
        {
            Hear(it, Announcement.From(message).Incarnation, now);
            return;
        }
        if (message.Kind == PeerMessageKind.Pong)
            it.PingedAt = DiscoveredPeer.Never;
        // A broker whose announcement was lost, or that was silent for too long, shows that it is there.
        if (!it.IsKnown)
            Hear(it, null, now);
        if (it.IsLinked)
            _inner.Receive(peer, message, now);
        else if (message.Kind == PeerMessageKind.Control)
            it.Keep(message);
        else if (message.Kind == PeerMessageKind.Data)
            _output.Note(new ClusterNote(ClusterNoteKind.Drop, peer, (long)DropReason.Blocked));
    }

    /// <inheritdoc/>
    public void Published(in RoutedMessage message, long now)
    {
        _now = now;
        _inner.Published(message, now);
    }

    /// <inheritdoc/>
    public void CapabilityChanged(double capability, long now)
    {
        _now = now;
        _inner.CapabilityChanged(capability, now);
    }

    /// <inheritdoc/>
    public void ClientsChanged(int clients, long now)
    {
        _now = now;
        _inner.ClientsChanged(clients, now);
    }

    /// <inheritdoc/>
    public void InterestBegan(string filter, long now)
    {
        _now = now;
        _inner.InterestBegan(filter, now);
    }

    /// <inheritdoc/>
    public void InterestEnded(string filter, long now)
    {
        _now = now;
        _inner.InterestEnded(filter, now);
    }

    /// <inheritdoc/>
    public long Leave(long now)
    {
        (_now, _isLeaving) = (now, true);
        (_nextAnnouncement, _collectedAt) = (long.MaxValue, long.MaxValue);
        (_nextPings, _silenceDue, _stableDue) = (long.MaxValue, long.MaxValue, long.MaxValue);
        return _inner.Leave(now);
    }

    /// <inheritdoc/>
    public long StaysUntil => _inner.StaysUntil;

    /// <inheritdoc/>
    public void Tick(long now)
    {
        _now = now;
        // A process that stood still through its discovery has announced itself once at most, which may be lost. Nobody
        // would hear of it again.
        if (now >= _collectedAt && _nextAnnouncement < _collectedAt)
            Discover(now);
        if (now >= _collectedAt)
            EndDiscovery(now);
        if (now >= _nextAnnouncement)
            Announce(now);
        if (now >= _silenceDue)
            FindSilent(now);
        if (now >= _nextPings)
        {
            _nextPings = now + _options.KeepAliveNanoseconds;
            foreach (var peer in _neighbours)
                if (peer is { IsLinked: true, PingedAt: DiscoveredPeer.Never })
                    Ping(peer);
        }
        if (now >= _stableDue)
            Enter(DiscoveryState.Runtime, now);
        if (now >= _inner.NextDue)
            _inner.Tick(now);
    }

    private void Hear(DiscoveredPeer peer, ulong? incarnation, long now)
    {
        var isNews = !peer.IsKnown || (incarnation is not null && peer.Incarnation is { } old && old != incarnation);
        peer.IsKnown = true;
        peer.Incarnation = incarnation ?? peer.Incarnation;
        if (!isNews)
            return;
        // A broker that came late into this discovery has to hear of this one as well.
        if (State == DiscoveryState.Discovery)
            Announce(now);
        else
            Discover(now);
    }

    private void Discover(long now)
    {
        _collectedAt = now + _options.CollectNanoseconds;
        Enter(DiscoveryState.Discovery, now);
        Announce(now);
    }

    private void Announce(long now)
    {
        _nextAnnouncement = now + _options.AnnounceNanoseconds;
        _output.Send(IClusterOutput.Everyone, new Announcement(_incarnation).ToMessage());
    }

    private void EndDiscovery(long now)
    {
        (_collectedAt, _nextAnnouncement) = (long.MaxValue, long.MaxValue);
        Enter(DiscoveryState.Tree, now);
        foreach (var peer in _neighbours)
        {
            if (!peer.IsForgotten)
                continue;
            (peer.IsForgotten, peer.IsLinked, peer.PingedAt) = (false, false, DiscoveredPeer.Never);
            _inner.LinkDown(peer.Node, LinkEnd.Silent, now);
        }
        foreach (var peer in _neighbours)
            if (peer is { IsKnown: true, IsUp: true, IsLinked: false })
                Link(peer, now);
    }

    private void Link(DiscoveredPeer peer, long now)
    {
        peer.IsLinked = true;
        _inner.LinkUp(peer.Node, now);
        if (_options.Pings && peer.PingedAt == DiscoveredPeer.Never)
            Ping(peer);
        while (peer.Early.TryDequeue(out var message))
            _inner.Receive(peer.Node, message, now);
    }

    private void FindSilent(long now)
    {
        _silenceDue = long.MaxValue;
        var found = false;
        foreach (var peer in _neighbours)
        {
            if (!peer.IsLinked || peer.IsForgotten || peer.PingedAt == DiscoveredPeer.Never)
                continue;
            var due = peer.PingedAt + _options.SilenceNanoseconds;
            if (due > now)
            {
                _silenceDue = Math.Min(_silenceDue, due);
                continue;
            }
            (peer.IsForgotten, peer.IsKnown, found) = (true, false, true);
        }
        if (found && State != DiscoveryState.Discovery)
            Discover(now);
    }

    private void Ping(DiscoveredPeer peer)
    {
        Pinged(peer);
        _output.Send(peer.Node, PeerMessage.Ping);
    }

    private void Pinged(DiscoveredPeer peer)
    {
        if (peer.PingedAt != DiscoveredPeer.Never)
            return;
        peer.PingedAt = _now;
        _silenceDue = Math.Min(_silenceDue, _now + _options.SilenceNanoseconds);
    }

    private void Enter(DiscoveryState state, long now)
    {
        _stableDue = state == DiscoveryState.Tree ? now + _options.StableNanoseconds : long.MaxValue;
        State = state;
        _output.Note(new ClusterNote(ClusterNoteKind.Discovery, -1, (long)state));
    }

    /// <summary>The outputs of the inner protocol pass through this gate on their way to the host.</summary>
    private sealed class Gate(DiscoveringCore owner) : IClusterOutput
    {
        public void Send(int peer, in PeerMessage message)
        {
            if (message.Kind == PeerMessageKind.Ping)
                owner.Pinged(owner._peers[peer]!);
            owner._output.Send(peer, message);
        }

        public void Deliver(in RoutedMessage message) => owner._output.Deliver(message);

        public void Accept(long token) => owner._output.Accept(token);

        public void Note(in ClusterNote note)
        {
            if (note.Kind is ClusterNoteKind.Root or ClusterNoteKind.Parent && owner.State == DiscoveryState.Tree)
                owner._stableDue = owner._now + owner._options.StableNanoseconds;
            owner._output.Note(note);
        }
    }
}
