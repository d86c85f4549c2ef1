using System.Text;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Captures.Exchanges;

/// <summary>The subscriptions of all clients, as far as they were seen or follow from deliveries.</summary>
internal sealed class Subscriptions
{
    private readonly SubscriptionTree<Participant> _tree = new();
    private readonly List<Participant> _found = [];
    private readonly HashSet<Participant> _distinct = [];
    private long _version;
    private int _inferred;

    /// <summary>How many there are.</summary>
    public int Count => _tree.Count + _inferred;

    /// <summary>A client came or went.</summary>
    public void Change() => _version++;

    /// <summary>The subscribers of a topic that are online.</summary>
    public List<(Participant Client, bool NoLocal)> Of(SeenTopic topic)
    {
        if (topic.SubscribersVersion == _version)
            return topic.Subscribers;
        topic.SubscribersVersion = _version;
        topic.Subscribers.Clear();
        _found.Clear();
        _distinct.Clear();
        _tree.Match(topic.Name, _found);
        foreach (var client in _found)
        {
            if (client.IsOnline && _distinct.Add(client))
                topic.Subscribers.Add((client, LeavesOutOwn(client, topic)));
        }
        foreach (var client in topic.InferredBy)
        {
            if (client.IsOnline && _distinct.Add(client))
                topic.Subscribers.Add((client, false));
        }
        return topic.Subscribers;
    }

    /// <summary>A client subscribed.</summary>
    public void Add(Participant client, string filter, bool noLocal)
    {
        client.Filters[filter] = noLocal;
        // Which member of a share gets a message is the broker's choice.
        if (!SeenNames.IsShared(filter))
            _tree.Set(Encoding.UTF8.GetBytes(filter), client);
        _version++;
    }

    /// <summary>A delivery says that a client is subscribed.</summary>
    public void Infer(Participant client, SeenTopic topic)
    {
        if (!client.Inferred.Add(topic))
            return;
        client.Standing.Add(topic.Number);
        topic.InferredBy.Add(client);
        _inferred++;
        _version++;
    }

    /// <summary>A client gives up a subscription.</summary>
    public void Remove(Participant client, string filter)
    {
        _version++;
        if (client.Filters.Remove(filter) && !SeenNames.IsShared(filter))
            _tree.Remove(Encoding.UTF8.GetBytes(filter), client);
        var utf8 = Encoding.UTF8.GetBytes(filter);
        foreach (var topic in client.Inferred.Where(topic => TopicFilter.Matches(utf8, topic.Name)).ToList())
            Forget(client, topic);
    }

    /// <summary>A client has no subscription any more.</summary>
    public void Clear(Participant client)
    {
        foreach (var filter in client.Filters.Keys.ToList())
            Remove(client, filter);
        foreach (var topic in client.Inferred.ToList())
            Forget(client, topic);
        client.HasUnseenSubscriptions = client.IsDoubtful = false;
        _version++;
    }

    /// <summary>Whether a client has a shared subscription to a topic.</summary>
    public static bool Shares(Participant client, SeenTopic topic)
    {
        foreach (var filter in client.Filters.Keys)
        {
            var behind = SeenNames.IsShared(filter) ? filter.IndexOf('/', 7) + 1 : 0;
            if (behind > 0 && TopicFilter.Matches(Encoding.UTF8.GetBytes(filter[behind..]), topic.Name))
                return true;
        }
        return false;
    }

    private void Forget(Participant client, SeenTopic topic)
    {
        client.Inferred.Remove(topic);
        topic.InferredBy.Remove(client);
        _inferred--;
        _version++;
    }

    private static bool LeavesOutOwn(Participant client, SeenTopic topic)
    {
        if (!client.Filters.ContainsValue(true))
            return false;
        foreach (var (filter, noLocal) in client.Filters)
        {
            if (!noLocal && TopicFilter.Matches(Encoding.UTF8.GetBytes(filter), topic.Name))
                return false;
        }
        return true;
    }
}
