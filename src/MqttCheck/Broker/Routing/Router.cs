using System.Text;
using MqttCheck.Broker.Faults;
using MqttCheck.Broker.Peers;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Broker.Routing;

/// <summary>
/// All subscriptions, and where a message goes: one delivery per session, and one per shared subscription.
/// </summary>
/// <param name="mutant">The deviation from the specification that it shows.</param>
/// <param name="oneCopyEach">Whether each matching subscription makes a delivery of its own.</param>
/// <param name="interests">Counts the subscriptions of each filter for peers; null without them.</param>
internal sealed class Router(
    BrokerMutant mutant = BrokerMutant.None,
    bool oneCopyEach = false,
    FilterInterests? interests = null
)
{
    private readonly SubscriptionTree<Subscription> _plain = new();
    private readonly SubscriptionTree<ShareGroup> _shared = new();
    private readonly Dictionary<string, ShareGroup> _groups = new(StringComparer.Ordinal);
    private readonly List<Subscription> _found = [];
    private readonly List<ShareGroup> _foundGroups = [];
    private RouteMatch[] _matches = new RouteMatch[16];
    private int _count;
    private long _publication;

    /// <summary>How many subscriptions there are.</summary>
    public int Count { get; private set; }

    /// <summary>Adds a subscription, in place of the one that the session had to the same filter.</summary>
    /// <returns>Whether the session had none.</returns>
    public bool Add(Subscription subscription)
    {
        // Counted before the one that it replaces is removed, so that an interest that goes on does not end.
        interests?.Add(subscription.Filter);
        var isNew = !Remove(subscription.Session, subscription.Filter);
        subscription.Session.Subscriptions.Add(subscription.Filter, subscription);
        Count++;
        if (!SharedFilter.IsShared(subscription.Filter))
        {
            _plain.Set(Encoding.UTF8.GetBytes(subscription.Filter), subscription);
            return isNew;
        }
        var key = GroupOf(subscription.Filter);
        if (!_groups.TryGetValue(key, out var group))
        {
            _groups.Add(key, group = new ShareGroup(key));
            _shared.Set(Encoding.UTF8.GetBytes(SharedFilter.FilterOf(subscription.Filter)), group);
        }
        group.Members.Add(subscription);
        return isNew;
    }

    /// <summary>Removes a subscription.</summary>
    /// <returns>Whether there was one.</returns>
    public bool Remove(Session session, string filter)
    {
        if (!session.Subscriptions.Remove(filter, out var subscription))
            return false;
        Count--;
        interests?.Remove(filter);
        if (!_groups.TryGetValue(GroupOf(filter), out var group))
        {
            _plain.Remove(Encoding.UTF8.GetBytes(filter), subscription);
            return true;
        }
        group.Members.Remove(subscription);
        if (group.Members.Count == 0)
        {
            _groups.Remove(GroupOf(filter));
            _shared.Remove(Encoding.UTF8.GetBytes(SharedFilter.FilterOf(filter)), group);
        }
        return true;
    }

    // The name of the group that a filter belongs to; one mutant takes no notice of share names.
    private string GroupOf(string filter) =>
        mutant == BrokerMutant.ShareNameIgnored && SharedFilter.IsShared(filter)
            ? "$share//" + SharedFilter.FilterOf(filter)
            : filter;

    /// <summary>Ends a shared subscription for all its members: a mutant.</summary>
    public void RemoveGroup(string filter)
    {
        if (!_groups.TryGetValue(filter, out var group))
            return;
        foreach (var member in group.Members.ToArray())
            Remove(member.Session, filter);
    }

    /// <summary>Finds where a message goes.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The sessions, valid until the next call.</returns>
    public ReadOnlySpan<RouteMatch> Route(Message message)
    {
        _publication++;
        _count = 0;
        _found.Clear();
        _plain.Match(message.Topic, _found);
        if (mutant == BrokerMutant.DollarMatched && message.Topic[0] == (byte)'$')
            _plain.Match((byte[])[(byte)'_', .. message.Topic[1..]], _found);
        if (mutant == BrokerMutant.HashOfSixteenLevels && message.Topic.Count((byte)'/') >= 16)
            _found.RemoveAll(subscription => subscription.Filter.EndsWith('#'));
        foreach (var subscription in _found)
            if (!subscription.NoLocal || subscription.Session.ClientId != message.Publisher)
                Merge(subscription);
        if (_groups.Count > 0)
        {
            _foundGroups.Clear();
            _shared.Match(message.Topic, _foundGroups);
            foreach (var group in _foundGroups)
            {
                Append(group.Choose());
                if (mutant == BrokerMutant.SharedWithoutIdentifier)
                    _matches[_count - 1].Identifiers = null;
                if (mutant == BrokerMutant.SharedAtQos0)
                    _matches[_count - 1].Qos = QualityOfService.AtMostOnce;
                if (mutant == BrokerMutant.SharedToTwo && group.Members.Count > 1)
                    Append(group.Choose());
            }
        }
        return _matches.AsSpan(0, _count);
    }

    private void Merge(Subscription subscription)
    {
        var session = subscription.Session;
        if (oneCopyEach || session.MatchedBy != _publication)
        {
            session.MatchedBy = _publication;
            session.MatchIndex = _count;
            Append(subscription);
            return;
        }
        ref var match = ref _matches[session.MatchIndex];
        if (subscription.Qos > match.Qos)
            match.Qos = subscription.Qos;
        match.RetainAsPublished |= subscription.RetainAsPublished;
        if (mutant == BrokerMutant.FirstIdentifierOnly)
            match.Identifiers ??= subscription.Identifiers;
        else if (mutant == BrokerMutant.LastIdentifierOnly)
            match.Identifiers = subscription.Identifiers ?? match.Identifiers;
        else
            match.Identifiers =
                match.Identifiers is null ? subscription.Identifiers
                : subscription.Identifiers is null ? match.Identifiers
                : [.. match.Identifiers, .. subscription.Identifiers];
    }

    private void Append(Subscription subscription)
    {
        if (_count == _matches.Length)
            Array.Resize(ref _matches, 2 * _count);
        _matches[_count++] = new RouteMatch
        {
            Session = subscription.Session,
            Qos = subscription.Qos,
            RetainAsPublished = subscription.RetainAsPublished,
            Identifiers = subscription.Identifiers,
        };
    }
}
