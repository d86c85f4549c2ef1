using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Broker.Routing;

/// <summary>
/// Looks up the retained messages that match a filter, some steps at a time, so that very many filters over very many
/// messages hold up nobody else. It finds the messages that were retained when it began and still are when it comes to
/// them, each topic once; the store may change between two steps. Later messages reach the new subscription as they are
/// published.
/// </summary>
/// <param name="store">The retained messages.</param>
/// <param name="filter">A valid topic filter, not a shared one.</param>
internal sealed class RetainedScan(RetainedMessages store, string filter)
{
    // A delivery costs about as much as this many visits of nodes.
    private const int DeliveryVisits = 8;
    private const int AllLevels = -1;

    private readonly string[] _levels = filter.Split('/');
    private readonly long _before = store.LastNumber;
    private readonly Stack<Place> _places = new([new Place(store.Root, 0, WithSiblings: false)]);

    /// <summary>
    /// A node to be visited, the filter level it has to match below itself, and whether its siblings are to be visited
    /// after it.
    /// </summary>
    private readonly record struct Place(RetainedNode Node, int Depth, bool WithSiblings);

    /// <summary>Whether all matching messages have been found.</summary>
    public bool IsDone => _places.Count == 0;

    /// <summary>Goes on until the steps are used up or all is found.</summary>
    /// <param name="nowNanoseconds">The time; expired messages are dropped.</param>
    /// <param name="visits">On entry the approximate limit of steps; on return the number of steps left.</param>
    /// <param name="found">Receives the messages found.</param>
    public void Continue(long nowNanoseconds, ref int visits, List<Message> found)
    {
        while (visits > 0 && _places.TryPop(out var place))
        {
            visits--;
            if (place.WithSiblings && place.Node.Next is { } next)
                _places.Push(place with { Node = next });
            // A wildcard at the first level never matches topics that begin with $ (MQTT-4.7.2-1).
            if (place.WithSiblings && place.Node.Parent == store.Root && place.Node.Level.StartsWith('$'))
                continue;
            if (Visit(place.Node, place.Depth, nowNanoseconds, found))
                visits -= DeliveryVisits;
        }
    }

    /// <summary>Whether the message of a topic is one of those that it has yet to find.</summary>
    /// <param name="node">The node of the topic.</param>
    /// <param name="topic">The topic name.</param>
    public bool HasYetToFind(RetainedNode node, string topic) =>
        node.Message is not null && node.Number <= _before && TopicFilter.Matches(filter, topic) && IsAhead(node);

    // The scan comes to a node if it comes to one of its ancestors.
    private bool IsAhead(RetainedNode node)
    {
        for (RetainedNode? above = node; above is not null; above = above.Parent)
            foreach (var place in _places)
                if (place.Node == above || (place.WithSiblings && above.CameAfter(place.Node)))
                    return true;
        return false;
    }

    private bool Visit(RetainedNode node, int depth, long now, List<Message> found)
    {
        if (depth == AllLevels)
        {
            PushChildren(node, AllLevels);
            return Collect(node, now, found);
        }
        if (depth == _levels.Length)
            return Collect(node, now, found);
        switch (_levels[depth])
        {
            case "#":
                PushChildren(node, AllLevels);
                // "a/#" also takes "a", the parent level.
                return depth > 0 && Collect(node, now, found);
            case "+":
                PushChildren(node, depth + 1);
                return false;
            default:
                if (node.Child(_levels[depth]) is { } child)
                    _places.Push(new Place(child, depth + 1, WithSiblings: false));
                return false;
        }
    }

    private void PushChildren(RetainedNode node, int depth)
    {
        var first = node.FirstChild;
        if (first is not null)
            _places.Push(new Place(first, depth, WithSiblings: true));
    }

    private bool Collect(RetainedNode node, long now, List<Message> found)
    {
        if (node.Message is not { } message || node.Number > _before)
            return false;
        if (message.HasExpired(now))
        {
            store.Remove(node);
            return false;
        }
        found.Add(message);
        return true;
    }
}
