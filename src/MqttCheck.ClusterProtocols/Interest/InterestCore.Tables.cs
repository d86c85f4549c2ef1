using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;

namespace MqttCheck.ClusterProtocols.Interest;

/// <content>What tree neighbours tell each other of publishers and of interests.</content>
internal sealed partial class InterestCore
{
    // The tree has decided: neighbours that left it are forgotten, new ones learn all.
    private void FollowTree(long now)
    {
        if (!_rolesChanged)
            return;
        _rolesChanged = false;
        var changed = Enumerable.Range(0, _neighbours.Length).Where(IsOtherThanBefore).ToList();
        if (changed.Count == 0)
            return;
        foreach (var place in changed)
        {
            if (_isActive[place])
                _leftUntil[place] = now + _options.ChangeNanoseconds;
            _isActive[place] = !_isActive[place];
        }
        TellChange(now);
        if (_options.Mutant == OverlayMutant.TablesKept)
            return;
        foreach (var place in changed)
        {
            var isActive = _isActive[place];
            Clear(place, isActive ? RouteMarks.ToPeer : RouteMarks.FromPeer | RouteMarks.ToPeer);
            if (isActive || _isUp[place])
                _output.Send(_neighbours[place], InterestMessage.OfHello(wantsReply: isActive));
        }
        SettleAll();
    }

    private bool IsOtherThanBefore(int place) => _isActive[place] != (_roles[place] != LinkRole.Blocked);

    private void Hear(int place, in PeerMessage message, long now)
    {
        if (message.ControlKind == InterestMessage.Change)
        {
            HearChange(place, message, now);
            return;
        }
        if (_isLeaving)
            return;
        if (message.ControlKind == InterestMessage.Leave)
        {
            HearLeave(place, now);
            return;
        }
        if (message.ControlKind == InterestMessage.Hello)
        {
            HearHello(place, wantsReply: message.Fields[0] == 1);
            return;
        }
        var route = RouteOf(message.Data.Topic);
        ref var marks = ref route.At(place);
        switch (message.ControlKind)
        {
            case InterestMessage.Advertise:
                marks |= RouteMarks.AdvertisedByPeer;
                if (InterestMessage.TryCarried(message, out var carried))
                    Announce(route, carried, message, place);
                break;
            case InterestMessage.Withdraw:
                // A wish that is under way may meet the next advertisement there, so the end of the wish follows it.
                marks &= ~RouteMarks.AdvertisedByPeer;
                break;
            case InterestMessage.Subscribe when (marks & RouteMarks.AdvertisedToPeer) != 0:
                marks |= RouteMarks.WantedByPeer;
                break;
            case InterestMessage.Unsubscribe:
                marks &= ~RouteMarks.WantedByPeer;
                break;
        }
        Settle(route);
        if (route.IsEmpty)
            _routes.Remove(route.Topic);
    }

    private void HearHello(int place, bool wantsReply)
    {
        var answers = wantsReply && _isActive[place];
        Clear(place, answers ? RouteMarks.FromPeer | RouteMarks.ToPeer : RouteMarks.FromPeer);
        if (answers)
            _output.Send(_neighbours[place], InterestMessage.OfHello(wantsReply: false));
        SettleAll();
    }

    private void Clear(int place, RouteMarks marks)
    {
        foreach (var route in _routes.Values)
            route.At(place) &= ~marks;
    }

    private void SettleAll()
    {
        foreach (var route in _routes.Values)
            Settle(route);
        ForgetEmpty();
    }

    // Tells each tree neighbour what has become true or false of this side of the link.
    private void Settle(TopicRoute route)
    {
        var (advertising, wanting) = (0, 0);
        for (var place = 0; place < _neighbours.Length; place++)
        {
            if (!_isActive[place])
                continue;
            advertising += (route.At(place) & RouteMarks.AdvertisedByPeer) != 0 ? 1 : 0;
            wanting += (route.At(place) & RouteMarks.WantedByPeer) != 0 ? 1 : 0;
        }
        for (var place = 0; place < _neighbours.Length; place++)
        {
            if (!_isActive[place])
                continue;
            ref var marks = ref route.At(place);
            var advertises = (marks & RouteMarks.AdvertisedByPeer) != 0;
            var isPublished = route.IsPublishedHere || advertising > (advertises ? 1 : 0);
            var others = wanting - ((marks & RouteMarks.WantedByPeer) != 0 ? 1 : 0);
            var isWanted = advertises && (route.LocalFilters > 0 || others > 0);
            TellPublished(route.Topic, place, ref marks, isPublished);
            TellWanted(route.Topic, place, ref marks, isWanted);
        }
    }

    private void TellPublished(string topic, int place, ref RouteMarks marks, bool isPublished)
    {
        if (isPublished == ((marks & RouteMarks.AdvertisedToPeer) != 0))
            return;
        marks ^= RouteMarks.AdvertisedToPeer;
        if (!isPublished)
            marks &= ~RouteMarks.WantedByPeer;
        Tell(place, isPublished ? InterestMessage.Advertise : InterestMessage.Withdraw, topic);
    }

    private void TellWanted(string topic, int place, ref RouteMarks marks, bool isWanted)
    {
        if (isWanted == ((marks & RouteMarks.WantedFromPeer) != 0))
            return;
        if (!isWanted && _options.Mutant == OverlayMutant.NoUnsubscribe)
            return;
        marks ^= RouteMarks.WantedFromPeer;
        Tell(place, isWanted ? InterestMessage.Subscribe : InterestMessage.Unsubscribe, topic);
    }

    private void Tell(int place, byte kind, string topic) =>
        _output.Send(_neighbours[place], PeerMessage.Control(kind, topic: topic));
}
