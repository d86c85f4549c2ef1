using System.Runtime.InteropServices;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Overlays;

/// <content>The tree of the members, and the messages on it.</content>
internal sealed partial class TopicOverlay
{
    /// <summary>A message of another member, or of a client of this node.</summary>
    /// <param name="from">The place of the member; <see cref="Here"/> of a client's message.</param>
    /// <param name="message">The message.</param>
    /// <param name="now">The time.</param>
    public void Take(int from, in RoutedMessage message, long now)
    {
        Keep(message, from, now);
        if (!_isHolding)
            Forward(ref CollectionsMarshal.AsSpan(_messages)[^1]);
    }

    // The criteria of the election hold as long as the members are the same; otherwise each root would change the next
    // one.
    private void Build(long now)
    {
        _capability = _owner.CapabilityFor(this);
        _root = Here;
        Hold(now);
        var members = new List<int>();
        for (var place = 0; place < _peers.Length; place++)
        {
            ref var peer = ref _peers[place];
            (peer.IsUp, peer.Role) = (false, LinkRole.Blocked);
            if (peer.IsMember)
                members.Add(_owner.Neighbours[place]);
        }
        _tree = new SpanningTreeCore(
            _owner.Self,
            _owner.Nodes,
            members,
            _capability,
            _owner.Options.Tree,
            new TreeOutput(this)
        );
        _tree.Start(RandomStream.For(_owner.Incarnation, (ulong)_trees).NextUInt64(), now);
        Compare(now);
        Disturb(now);
    }

    private bool IsSame(long version) => version == _version || _owner.Options.Mutant == OverlayMutant.NoMembersVersion;

    // A neighbour has told its version and the number of its tree. A tree that it built anew knows nothing of this one.
    private void Compare(int place, long version, long tree, long now)
    {
        ref var peer = ref _peers[place];
        var isAnew = peer.IsUp && tree != peer.Tree;
        (peer.Version, peer.Tree) = (version, tree);
        if (isAnew)
        {
            peer.IsUp = false;
            _tree!.LinkDown(_owner.Neighbours[place], LinkEnd.Closed, now);
        }
        Compare(now);
    }

    // A link carries the topic only while both ends know the same members.
    private void Compare(long now)
    {
        if (!IsMember || _tree is null)
            return;
        for (var place = 0; place < _peers.Length; place++)
        {
            ref var peer = ref _peers[place];
            var isUp = peer.IsMember && IsSame(peer.Version);
            if (isUp == peer.IsUp)
                continue;
            peer.IsUp = isUp;
            if (isUp)
                _tree.LinkUp(_owner.Neighbours[place], now);
            else
                _tree.LinkDown(_owner.Neighbours[place], LinkEnd.Closed, now);
            Disturb(now);
        }
        if (Agree() || _isHolding)
            return;
        Hold(now);
        Disturb(now);
    }

    // Messages sent just before may not have come everywhere; older ones have.
    private void Hold(long now)
    {
        if (_isHolding)
            return;
        Prune(now);
        _isHolding = true;
    }

    private bool Agree()
    {
        for (var place = 0; place < _peers.Length; place++)
            if (_peers[place].Claims && _owner.IsUp(place) && !IsSame(_peers[place].Version))
                return false;
        return true;
    }

    private void Disturb(long now) => _quietDue = now + _owner.Options.AnswerNanoseconds;

    // Nothing has changed for some time. In a tree of several members each one has a neighbour.
    private void Quiet(long now)
    {
        _quietDue = Never;
        var isComplete = !Array.Exists(_peers, peer => peer.IsMember) || Array.Exists(_peers, peer => peer.IsActive);
        if (!isComplete || !Agree())
        {
            Disturb(now);
            return;
        }
        if (_notedRoot != _root)
            _owner.Output.Note(new ClusterNote(ClusterNoteKind.TopicRoot, _root, _version, Topic));
        _notedRoot = _root;
        if (!_isHolding)
            return;
        _isHolding = false;
        foreach (ref var held in CollectionsMarshal.AsSpan(_messages))
        {
            Forward(ref held);
            held.At = now;
        }
        Follow(now);
    }

    private void TakeRole(int place, LinkRole role)
    {
        ref var peer = ref _peers[place];
        var begins = !peer.IsActive && role != LinkRole.Blocked;
        peer.Role = role;
        Disturb(_owner.Now);
        // Messages sent while the tree changed may have missed the neighbour; it drops those it has.
        if (!begins || _isHolding)
            return;
        Prune(_owner.Now);
        foreach (ref var held in CollectionsMarshal.AsSpan(_messages))
            Forward(ref held, place);
    }

    private void Keep(in RoutedMessage message, int ingress, long now)
    {
        if (!_isHolding)
            Prune(now);
        if (_messages.Count == _owner.Options.MostHeld)
        {
            _messages.RemoveAt(0);
            if (_isHolding)
                _owner.Output.Note(new ClusterNote(ClusterNoteKind.Drop, Here, (long)DropReason.HoldFull));
        }
        _messages.Add(new HeldMessage(message, ingress, now));
    }

    private void Prune(long now)
    {
        var old = 0;
        while (old < _messages.Count && _messages[old].At < now - _owner.Options.AnswerNanoseconds)
            old++;
        _messages.RemoveRange(0, old);
    }

    private void Forward(ref HeldMessage held)
    {
        for (var place = 0; place < _peers.Length; place++)
            if (_peers[place].IsActive)
                Forward(ref held, place);
    }

    // A link carries a message only once. Otherwise, where trees change often, a message would go to and fro on an
    // unstable link.
    private void Forward(ref HeldMessage held, int place)
    {
        if (place == held.Ingress || held.SentTo.Contains(place))
            return;
        held.SentTo.Add(place);
        _owner.Output.Send(_owner.Neighbours[place], PeerMessage.Of(held.Message));
    }

    // This is the defect of a mutant: the tree follows the number of trees that its node roots at the moment.
    private void FollowRoots(long now)
    {
        if (_owner.CapabilityFor(this) == _capability)
            return;
        _trees++;
        Build(now);
    }

    private sealed class TreeOutput(TopicOverlay overlay) : IClusterOutput
    {
        private readonly long _version = overlay._version;
        private int _parent = Here;

        public void Send(int peer, in PeerMessage message)
        {
            if (message.Kind == PeerMessageKind.Ping)
                overlay.Tell(overlay._owner.PlaceOf(peer), TopicMessage.Probe, _version);
            else
                overlay._owner.Output.Send(peer, TopicMessage.OfStatement(overlay.Topic, _version, message));
        }

        public void Deliver(in RoutedMessage message) =>
            throw new InvalidOperationException("The tree of an overlay carries no application messages.");

        public void Accept(long token) =>
            throw new InvalidOperationException("The tree of an overlay takes no publications.");

        public void Note(in ClusterNote note)
        {
            if (note.Kind == ClusterNoteKind.Role)
                overlay.TakeRole(overlay._owner.PlaceOf(note.Peer), (LinkRole)note.Value);
            else if (note.Kind == ClusterNoteKind.Root)
            {
                overlay._root = note.Peer;
                overlay.Disturb(overlay._owner.Now);
            }
            // A path whose cost alone has changed is the same one.
            else if (note.Kind == ClusterNoteKind.Parent && note.Peer != _parent)
            {
                _parent = note.Peer;
                var parent = new ClusterNote(ClusterNoteKind.TopicParent, _parent, _version, overlay.Topic);
                overlay._owner.Output.Note(parent);
            }
        }
    }
}
