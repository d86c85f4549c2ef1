using System.Runtime.InteropServices;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;

namespace MqttCheck.ClusterProtocols.Overlays;

/// <summary>
/// One node's part in the overlay of one topic: who the members are, their tree, and the messages that wait.
/// </summary>
internal sealed partial class TopicOverlay
{
    /// <summary>The place of this node itself.</summary>
    public const int Here = -1;

    private const long Never = long.MaxValue;

    // A version that no set of members has: the node asks who they are.
    private const long Unknown = 2;

    private readonly TopicOverlayCore _owner;
    private readonly TopicPeer[] _peers;
    private readonly List<HeldMessage> _messages = [];
    private SpanningTreeCore? _tree;
    private long _trees;
    private double _capability;
    private int _root = Here;
    private int _notedRoot = Here;
    private long _version;
    private bool _isHolding;
    private bool _isLeaving;
    private long _nextPing = Never;
    private long _viewDue = Never;
    private long _quietDue = Never;

    public TopicOverlay(TopicOverlayCore owner, string topic)
    {
        (_owner, Topic) = (owner, topic);
        _peers = new TopicPeer[owner.Neighbours.Count];
        foreach (ref var peer in _peers.AsSpan())
            peer.AnsweredAt = TopicPeer.Never;
    }

    public string Topic { get; }

    /// <summary>How many filters of this node's clients match it.</summary>
    public int LocalFilters { get; set; }

    public bool IsPublishedHere { get; set; }

    public long LastPublicationAt { get; set; }

    /// <summary>Whether this node is a member.</summary>
    public bool IsMember { get; private set; }

    /// <summary>The root that the members have agreed on; -1 for none.</summary>
    public int Root => IsMember && !_isHolding ? _root : Here;

    /// <summary>Whether nobody is known to be a member.</summary>
    public bool IsEmpty => !IsMember && LocalFilters == 0 && !Array.Exists(_peers, peer => peer.Claims);

    /// <summary>Whether this node leaves the cluster, and what waits here needs members that agree.</summary>
    public bool MustStay => _isLeaving && IsMember && _isHolding && _messages.Count > 0;

    public long NextDue
    {
        get
        {
            if (!IsMember)
                return Never;
            var expiry = IsPublishedHere ? LastPublicationAt + _owner.Options.TopicLifeNanoseconds : Never;
            var tree = _tree?.NextDue ?? Never;
            return Math.Min(Math.Min(_nextPing, _viewDue), Math.Min(Math.Min(_quietDue, tree), expiry));
        }
    }

    /// <summary>Joins or leaves as the clients of this node want it.</summary>
    public void Follow(long now)
    {
        var isWanted = LocalFilters > 0 || IsPublishedHere;
        if (isWanted == IsMember || MustStay)
            return;
        IsMember = isWanted;
        if (isWanted)
        {
            (_isHolding, _version, _notedRoot) = (true, 0, Here);
            PingAll(now);
            return;
        }
        _messages.Clear();
        (_tree, _version) = (null, 0);
        foreach (ref var peer in _peers.AsSpan())
            (peer.IsMember, peer.IsUp, peer.Role) = (false, false, LinkRole.Blocked);
        _owner.Output.Note(new ClusterNote(ClusterNoteKind.TopicMembers, Here, 0, Topic));
        // Pings have told every neighbour of this member, and one that joins next would wait for its version.
        for (var place = 0; place < _peers.Length; place++)
            if (_owner.IsUp(place))
                Tell(place, TopicMessage.Version, 0);
    }

    /// <summary>This node leaves the cluster: nobody wants the topic here any more.</summary>
    public void Leave(long now)
    {
        (_isLeaving, IsPublishedHere, LocalFilters) = (true, false, 0);
        Follow(now);
    }

    public void Tick(long now)
    {
        if (IsPublishedHere && now >= LastPublicationAt + _owner.Options.TopicLifeNanoseconds)
        {
            IsPublishedHere = false;
            Follow(now);
        }
        if (!IsMember)
            return;
        if (now >= _viewDue)
        {
            _viewDue = Never;
            UpdateMembers(now);
        }
        if (now >= _nextPing)
            PingAll(now);
        if (_tree is not null && now >= _tree.NextDue)
            _tree.Tick(now);
        if (now >= _quietDue)
            Quiet(now);
    }

    public void Hear(int place, in PeerMessage message, long now)
    {
        var version = TopicMessage.VersionOf(message);
        ref var peer = ref _peers[place];
        switch (message.ControlKind)
        {
            case TopicMessage.Version when version == 0:
                Lose(place, LinkEnd.Closed, now);
                return;
            case TopicMessage.Ping or TopicMessage.Version:
                (peer.Claims, peer.ClaimedAt) = (true, now);
                Compare(place, version, TopicMessage.TreeOf(message), now);
                if (message.ControlKind == TopicMessage.Ping && IsMember)
                    Tell(place, TopicMessage.Pong, _version);
                break;
            case TopicMessage.Pong:
                (peer.Claims, peer.AnsweredAt) = (true, now);
                Compare(place, version, TopicMessage.TreeOf(message), now);
                break;
            case TopicMessage.Probe when peer.IsUp && IsSame(version):
                Tell(place, TopicMessage.Echo, _version);
                break;
            case TopicMessage.Echo when peer.IsUp && IsSame(version):
                _tree!.Receive(_owner.Neighbours[place], PeerMessage.Pong, now);
                break;
            case TopicMessage.Statement when peer.IsUp && IsSame(version):
                _tree!.Receive(_owner.Neighbours[place], TopicMessage.ToStatement(message), now);
                break;
        }
    }

    /// <summary>
    /// The link to a neighbour is used from now on, and perhaps again: it learns which tree this node has.
    /// </summary>
    public void Meet(int place)
    {
        if (IsMember)
            Tell(place, TopicMessage.Version, _version == 0 ? Unknown : _version);
    }

    /// <summary>The node at a place is a member no longer.</summary>
    public void Lose(int place, LinkEnd why, long now)
    {
        ref var peer = ref _peers[place];
        peer.Leave();
        foreach (ref var held in CollectionsMarshal.AsSpan(_messages))
            held.SentTo.Remove(place);
        if (peer.IsUp)
        {
            peer.IsUp = false;
            _tree!.LinkDown(_owner.Neighbours[place], why, now);
        }
        if (IsMember && peer.IsMember)
            UpdateMembers(now);
        else
            Compare(now);
    }

    private void PingAll(long now)
    {
        (_nextPing, _viewDue) = (
            now + _owner.Options.Tree.KeepAliveNanoseconds,
            now + _owner.Options.AnswerNanoseconds
        );
        if (_owner.Options.Mutant == Interest.OverlayMutant.RootsNotFrozen && _tree is not null)
            FollowRoots(now);
        var ping = TopicMessage.OfPing(
            Topic,
            _version,
            _trees,
            _owner.Capability,
            _owner.RootedWithout(this),
            _owner.ClientCount
        );
        for (var place = 0; place < _peers.Length; place++)
            if (_owner.IsUp(place))
                _owner.Output.Send(_owner.Neighbours[place], ping);
    }

    // The members are this node and the nodes that have answered lately.
    private void UpdateMembers(long now)
    {
        var hasChanged = _version == 0;
        var oldest = now - _owner.Options.MembershipNanoseconds;
        for (var place = 0; place < _peers.Length; place++)
        {
            ref var peer = ref _peers[place];
            if (peer.Claims && Math.Max(peer.ClaimedAt, peer.AnsweredAt) < oldest)
                peer.Leave();
            var isMember = _owner.IsUp(place) && peer.Claims && peer.AnsweredAt >= Math.Max(0, oldest);
            hasChanged |= isMember != peer.IsMember;
            peer.IsMember = isMember;
        }
        if (!hasChanged)
        {
            Compare(now);
            return;
        }
        _version = VersionOfMembers();
        _trees++;
        _owner.Output.Note(new ClusterNote(ClusterNoteKind.TopicMembers, Here, _version, Topic));
        for (var place = 0; place < _peers.Length; place++)
            if (_owner.IsUp(place) && _peers[place].Claims)
                Tell(place, TopicMessage.Version, _version);
        _notedRoot = Here;
        Build(now);
    }

    // Equal sets of members have equal versions: FNV-1a over their numbers.
    private long VersionOfMembers()
    {
        var hash = 14_695_981_039_346_656_037UL;
        var place = 0;
        for (var node = 0; node < _owner.Nodes; node++)
        {
            var isNeighbour = place < _peers.Length && _owner.Neighbours[place] == node;
            if (node == _owner.Self || (isNeighbour && _peers[place].IsMember))
                hash = (hash ^ (ulong)(node + 1)) * 1_099_511_628_211UL;
            place += isNeighbour ? 1 : 0;
        }
        return (long)(hash >> 1) | 1;
    }

    private void Tell(int place, byte kind, long version) =>
        _owner.Output.Send(_owner.Neighbours[place], TopicMessage.Of(kind, Topic, version, _trees));
}
