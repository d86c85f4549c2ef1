using MqttCheck.Clusters.Hops;
using MqttCheck.Clusters.SpanningTree;

namespace MqttCheck.Clusters.Interest;

/// <content>Application messages.</content>
public sealed partial class InterestCore
{
    // The first publication goes with the advertisement to every node of the tree, since nobody can want it yet.
    private void Carry(TopicRoute route, in RoutedMessage message, int ingress)
    {
        var carrying = InterestMessage.Carrying(message);
        Announce(route, MessageIdentity.Of(message), carrying, ingress);
        _carried.Remove(MessageIdentity.Of(message));
        Flood(message, ingress);
    }

    private void Announce(TopicRoute route, MessageIdentity carried, in PeerMessage carrying, int ingress)
    {
        for (var place = 0; place < _neighbours.Length; place++)
        {
            if (!_isActive[place] || place == ingress)
                continue;
            route.At(place) |= RouteMarks.AdvertisedToPeer;
            _output.Send(_neighbours[place], carrying);
        }
        if (_carried.Count == MostCarried)
            _carried.Clear();
        _carried[carried] = ingress;
    }

    private void Take(int from, in RoutedMessage received)
    {
        var message = received.Forwarded();
        if (_seen.Contains(message))
        {
            Drop(from, DropReason.Seen);
            return;
        }
        if (!_isActive[from])
        {
            Drop(from, DropReason.Blocked);
            return;
        }
        _seen.Add(message);
        _output.Deliver(message);
        if (message.Hops >= _nodes)
            Drop(from, DropReason.HopLimit);
        else if (_carried.Remove(MessageIdentity.Of(message)))
            Flood(message, from);
        else if (_routes.TryGetValue(message.Topic, out var route))
            Forward(route, message, from);
    }

    private void Forward(TopicRoute route, in RoutedMessage message, int ingress)
    {
        var data = PeerMessage.Of(message);
        for (var place = 0; place < _neighbours.Length; place++)
            if (_isActive[place] && place != ingress && (route.At(place) & RouteMarks.WantedByPeer) != 0)
                _output.Send(_neighbours[place], data);
    }

    private void Flood(in RoutedMessage message, int ingress)
    {
        var data = PeerMessage.Of(message);
        for (var place = 0; place < _neighbours.Length; place++)
            if (_isActive[place] && place != ingress)
                _output.Send(_neighbours[place], data);
    }

    private void Drop(int from, DropReason reason) =>
        _output.Note(new ClusterNote(ClusterNoteKind.Drop, _neighbours[from], (long)reason));
}
