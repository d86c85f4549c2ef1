using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.SpanningTree;

/// <content>Which root, which parent, which role of each link.</content>
internal sealed partial class SpanningTreeCore
{
    /// <param name="now">The time.</param>
    /// <param name="keepsParent">
    /// Whether a little better path is left alone, because costs vary: not when a path is known for the first time.
    /// </param>
    /// <returns>Whether the root, the path cost or the parent has changed.</returns>
    private bool Select(long now, bool keepsParent = true)
    {
        var (capability, root, cost, hops, parent) = (_capability, _id, 0L, 0, Self);
        for (var place = 0; place < _neighbours.Length; place++)
        {
            ref readonly var neighbour = ref _neighbours[place];
            if (!IsCandidate(neighbour, now))
                continue;
            var through = neighbour.Last.Cost + neighbour.Cost;
            var order = CompareRoots(neighbour.Last.RootCapability, neighbour.Last.Root, capability, root);
            if (order == 0)
                order = parent == Self ? -1 : ComparePaths(neighbour, through, parent, cost);
            if (order > 0)
                (capability, root, cost, hops, parent) = (
                    neighbour.Last.RootCapability,
                    neighbour.Last.Root,
                    through,
                    neighbour.Last.Hops + 1,
                    place
                );
        }
        if (_isSafe && keepsParent && parent != Self && _parent >= 0)
            KeepParent(now, capability, root, ref cost, ref hops, ref parent);
        return Decide(capability, root, cost, hops, parent == Self ? Self : _neighbours[parent].Peer);
    }

    // The present parent stays unless another one is better by more than what round trips vary by themselves.
    private void KeepParent(long now, double capability, int root, ref long cost, ref int hops, ref int parent)
    {
        var place = _places[_parent];
        ref readonly var present = ref _neighbours[place];
        if (
            place == parent
            || !IsCandidate(present, now)
            || CompareRoots(present.Last.RootCapability, present.Last.Root, capability, root) != 0
        )
            return;
        var through = present.Last.Cost + present.Cost;
        if (through - cost <= Math.Max(Millisecond, through / 10))
            (cost, hops, parent) = (through, present.Last.Hops + 1, place);
    }

    private bool IsCandidate(in TreeNeighbour neighbour, long now)
    {
        if (
            !neighbour.IsUp
            || !neighbour.HasLast
            || neighbour.Cost == TreeNeighbour.Unknown
            || neighbour.Last.Root == _id
        )
            return false;
        if (!_isSafe)
            return true;
        var isFresh = now - neighbour.LastAt <= _options.MaximumAge || _options.Mutant == TreeMutant.NoAge;
        return isFresh && neighbour.Last.Hops + 1 < _nodes;
    }

    private static int CompareRoots(double capability, int root, double otherCapability, int otherRoot)
    {
        var order = capability.CompareTo(otherCapability);
        return order != 0 ? order : otherRoot.CompareTo(root);
    }

    private int ComparePaths(in TreeNeighbour neighbour, long through, int otherPlace, long otherCost)
    {
        ref readonly var other = ref _neighbours[otherPlace];
        var order = otherCost.CompareTo(through);
        if (order == 0)
            order = neighbour.Last.SenderCapability.CompareTo(other.Last.SenderCapability);
        return order != 0 ? order : other.Peer.CompareTo(neighbour.Peer);
    }

    private bool Decide(double capability, int root, long cost, int hops, int parent)
    {
        var isNewRoot = root != _root;
        var isNewPath = parent != _parent || cost != _cost;
        (_rootCapability, _root, _cost, _hops, _parent) = (capability, root, cost, hops, parent);
        if (isNewRoot)
            _output.Note(new ClusterNote(ClusterNoteKind.Root, root, 0));
        if (isNewRoot || isNewPath)
            _output.Note(new ClusterNote(ClusterNoteKind.Parent, parent, cost));
        SetRoles();
        return isNewRoot || isNewPath;
    }

    private void SetRoles()
    {
        foreach (ref var neighbour in _neighbours.AsSpan())
        {
            var role = RoleOf(neighbour);
            if (role == neighbour.Role)
                continue;
            neighbour.Role = role;
            _output.Note(new ClusterNote(ClusterNoteKind.Role, neighbour.Peer, (long)role));
        }
    }

    private LinkRole RoleOf(in TreeNeighbour neighbour)
    {
        if (!neighbour.IsUp)
            return LinkRole.Blocked;
        if (!_options.Elects)
            return LinkRole.Designated;
        if (neighbour.Peer == _parent)
            return LinkRole.Root;
        if (_isSafe)
            return neighbour.HasLast && neighbour.Last.Parent == _id ? LinkRole.Designated : LinkRole.Blocked;
        return !neighbour.HasLast || IsBetterThan(neighbour) ? LinkRole.Designated : LinkRole.Blocked;
    }

    // IEEE 802.1D: the end with the better path to the root is the designated one.
    private bool IsBetterThan(in TreeNeighbour neighbour)
    {
        ref readonly var last = ref neighbour.Last;
        var order = CompareRoots(_rootCapability, _root, last.RootCapability, last.Root);
        if (order == 0)
            order = last.Cost.CompareTo(_cost);
        if (order == 0)
            order = _capability.CompareTo(last.SenderCapability);
        return order != 0 ? order > 0 : _id < neighbour.Peer;
    }
}
