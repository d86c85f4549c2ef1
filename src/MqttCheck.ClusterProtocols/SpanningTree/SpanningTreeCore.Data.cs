using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.SpanningTree;

/// <content>Application messages.</content>
internal sealed partial class SpanningTreeCore
{
    /// <inheritdoc/>
    public void Published(in RoutedMessage message, long now)
    {
        Remember(message);
        Forward(message, Self);
        // The publisher's acknowledgement speaks of this node alone, as the paper's does.
        _output.Accept(message.Counter);
    }

    private void Take(ref TreeNeighbour from, in RoutedMessage received)
    {
        var message = received.Forwarded();
        if (_options.Identities && _seen.Contains(message))
        {
            Drop(from, DropReason.Seen);
            return;
        }
        if (from.Role == LinkRole.Blocked && _options.Mutant != TreeMutant.AcceptsFromBlocked)
        {
            Drop(from, DropReason.Blocked);
            return;
        }
        Remember(message);
        if (!_options.Identities || !_seen.IsOfEarlierProcess(message))
            _output.Deliver(message);
        // No path without a loop is longer; without identities this ends a loop.
        if (message.Hops >= _nodes)
            Drop(from, DropReason.HopLimit);
        else
            Forward(message, from.Peer);
    }

    private void Remember(in RoutedMessage message)
    {
        if (_options.Identities && _options.Mutant != TreeMutant.IdsNotRemembered)
            _seen.Add(message);
    }

    private void Forward(in RoutedMessage message, int ingress)
    {
        var data = PeerMessage.Of(message);
        foreach (ref readonly var neighbour in _neighbours.AsSpan())
            if (
                neighbour.Role != LinkRole.Blocked
                && (neighbour.Peer != ingress || _options.Mutant == TreeMutant.ForwardsToIngress)
            )
                _output.Send(neighbour.Peer, data);
    }

    private void Drop(in TreeNeighbour from, DropReason reason) =>
        _output.Note(new ClusterNote(ClusterNoteKind.Drop, from.Peer, (long)reason));
}
