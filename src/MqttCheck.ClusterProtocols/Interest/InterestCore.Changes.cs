using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;

namespace MqttCheck.ClusterProtocols.Interest;

/// <content>What becomes of messages while the tree changes.</content>
/// <remarks>
/// Tables are wrong for some round trips after a change of the tree. Every node hears of a change before it hears of
/// what follows from it, since links keep the order. Until the tables are right again, messages go to every node, as
/// with the topology change of IEEE 802.1D, and links that were left still carry them. Identities tell copies.
/// </remarks>
internal sealed partial class InterestCore
{
    private readonly long[] _leftUntil;
    private readonly (ulong Incarnation, long Count)[] _heardChanges;
    private (ulong Incarnation, long Count) _toldChange;
    private long _floodsUntil;
    private long _toldAt;
    private bool _isLeaving;

    private void StartChanges(ulong incarnation)
    {
        Array.Clear(_leftUntil);
        Array.Clear(_heardChanges);
        _toldChange = (incarnation, 0);
        (_floodsUntil, _toldAt, _isLeaving) = (long.MinValue, long.MinValue / 2, false);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// The neighbours build a tree without this node, and messages go everywhere meanwhile: also through this node, as
    /// over any link that a tree has left.
    /// </remarks>
    public long Leave(long now)
    {
        if (_options.Mutant == OverlayMutant.LeavesAtOnce)
            return now;
        (_isLeaving, _floodsUntil) = (true, now + _options.ChangeNanoseconds);
        for (var place = 0; place < _neighbours.Length; place++)
        {
            if (!_isUp[place])
                continue;
            if (_isActive[place])
            {
                (_isActive[place], _leftUntil[place]) = (false, _floodsUntil);
                _output.Note(new ClusterNote(ClusterNoteKind.Role, _neighbours[place], (long)LinkRole.Blocked));
            }
            _output.Send(_neighbours[place], PeerMessage.Control(InterestMessage.Leave));
        }
        return _floodsUntil;
    }

    private void HearLeave(int place, long now)
    {
        _tree.LinkDown(_neighbours[place], LinkEnd.Closed, now);
        FollowTree(now);
    }

    // Whether messages pass between this node and a neighbour.
    private bool Carries(int place, long now) => _isActive[place] || (_isUp[place] && now < _leftUntil[place]);

    // The tree has changed at this node. A change that was announced less than half of the period ago still covers the
    // other half, so it is not announced again.
    private void TellChange(long now)
    {
        if (now - _toldAt < _options.ChangeNanoseconds / 2)
            return;
        (_toldAt, _floodsUntil) = (now, now + _options.ChangeNanoseconds);
        _toldChange.Count++;
        Flood(InterestMessage.OfChange(_self, _toldChange.Incarnation, _toldChange.Count), Here, now);
    }

    private void HearChange(int from, in PeerMessage message, long now)
    {
        var (origin, incarnation, count) = InterestMessage.ChangeOf(message);
        if (origin == _self || origin < 0 || origin >= _nodes)
            return;
        ref var heard = ref _heardChanges[origin];
        if (heard.Incarnation == incarnation && heard.Count >= count)
            return;
        heard = (incarnation, count);
        _floodsUntil = now + _options.ChangeNanoseconds;
        Flood(message, from, now);
    }
}
