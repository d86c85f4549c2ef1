using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;

namespace MqttCheck.ClusterProtocols.Interest;

/// <content>Application messages.</content>
internal sealed partial class InterestCore
{
    // The first publication goes with the advertisement to every node of the tree, since nobody can want it yet.
    private void Carry(TopicRoute route, in RoutedMessage message, long now)
    {
        var carrying = InterestMessage.Carrying(message);
        Announce(route, MessageIdentity.Of(message), carrying, Here);
        _carried.Remove(MessageIdentity.Of(message));
        Flood(PeerMessage.Of(message), Here, now);
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

    private void Take(int from, in RoutedMessage received, long now)
    {
        var message = received.Forwarded();
        if (_seen.Contains(message))
        {
            Drop(from, DropReason.Seen);
            return;
        }
        if (!Carries(from, now))
        {
            Drop(from, DropReason.Blocked);
            return;
        }
        _seen.Add(message);
        if (!_seen.IsOfEarlierProcess(message))
            _output.Deliver(message);
        if (message.Hops >= _nodes)
            Drop(from, DropReason.HopLimit);
        else if (_carried.Remove(MessageIdentity.Of(message)))
            Flood(PeerMessage.Of(message), from, now);
        else
            Forward(message, from, now);
    }

    private void Forward(in RoutedMessage message, int ingress, long now)
    {
        if (now < _floodsUntil)
        {
            Flood(PeerMessage.Of(message), ingress, now);
            return;
        }
        if (!_routes.TryGetValue(message.Topic, out var route))
            return;
        var data = PeerMessage.Of(message);
        for (var place = 0; place < _neighbours.Length; place++)
            if (_isActive[place] && place != ingress && (route.At(place) & RouteMarks.WantedByPeer) != 0)
                _output.Send(_neighbours[place], data);
    }

    // The message goes to all neighbours that take messages, except the one that it came from.
    private void Flood(in PeerMessage message, int ingress, long now)
    {
        for (var place = 0; place < _neighbours.Length; place++)
            if (place != ingress && Carries(place, now))
                _output.Send(_neighbours[place], message);
    }

    private void Drop(int from, DropReason reason) =>
        _output.Note(new ClusterNote(ClusterNoteKind.Drop, _neighbours[from], (long)reason));
}
