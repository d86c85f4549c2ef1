using MqttCheck.Broker.Sessions;

namespace MqttCheck.Broker.Routing;

/// <summary>
/// The retained messages, one per topic, as a tree of topic levels. Bounded in number and bytes; expired ones go when
/// they are met, or to make room.
/// </summary>
/// <param name="maximumMessages">The most messages.</param>
/// <param name="maximumBytes">The most bytes of payload, topic and properties.</param>
internal sealed class RetainedMessages(int maximumMessages, long maximumBytes)
{
    // Messages that may expire, by when. One that was replaced or removed stays until it is due or the queue is swept.
    private readonly PriorityQueue<(RetainedNode Node, long Number), long> _expiring = new();
    private long _bytes;

    /// <summary>The node above the first levels.</summary>
    public RetainedNode Root { get; } = new(null, "");

    /// <summary>How many messages are retained.</summary>
    public int Count { get; private set; }

    /// <summary>How many messages have ever been retained.</summary>
    public long LastNumber { get; private set; }

    /// <summary>How many expiries are noted, those of messages that are gone included.</summary>
    public int ExpiryNotes => _expiring.Count;

    /// <summary>Replaces the message of a topic.</summary>
    /// <param name="topic">The topic name.</param>
    /// <param name="message">Its payload is not empty.</param>
    /// <param name="nowNanoseconds">The time.</param>
    /// <returns>False when there is no room; the topic then has none.</returns>
    public bool Set(string topic, Message message, long nowNanoseconds)
    {
        Remove(topic);
        if (!HasRoom(message))
            RemoveExpired(nowNanoseconds);
        if (!HasRoom(message))
            return false;
        var node = Root;
        foreach (var level in topic.Split('/'))
            node = node.GetOrAddChild(level);
        node.Message = message;
        node.Number = ++LastNumber;
        Count++;
        _bytes += message.Size;
        if (message.ExpiresAtNanoseconds != long.MaxValue)
            NoteExpiry(node, message);
        return true;
    }

    /// <summary>Forgets the message of a topic, if there is one.</summary>
    /// <param name="topic">The topic name.</param>
    public void Remove(string topic)
    {
        if (Find(topic) is { } node)
            Remove(node);
    }

    /// <summary>Finds the node of a topic; null if no message is retained there or below.</summary>
    /// <param name="topic">The topic name.</param>
    public RetainedNode? Find(string topic)
    {
        var node = Root;
        foreach (var level in topic.Split('/'))
        {
            if (node.Child(level) is not { } child)
                return null;
            node = child;
        }
        return node;
    }

    /// <summary>Forgets the message of a node, if there is one.</summary>
    /// <param name="node">A node of the tree.</param>
    public void Remove(RetainedNode node)
    {
        if (node.Message is not { } message)
            return;
        Count--;
        _bytes -= message.Size;
        node.Message = null;
        for (var empty = node; empty.Parent is { } parent && empty.IsEmpty; empty = parent)
            parent.RemoveChild(empty);
    }

    private bool HasRoom(Message message) => Count < maximumMessages && _bytes + message.Size <= maximumBytes;

    private void RemoveExpired(long now)
    {
        while (_expiring.TryPeek(out var first, out var expiresAt) && expiresAt <= now)
        {
            _expiring.Dequeue();
            if (IsCurrent(first))
                Remove(first.Node);
        }
    }

    private void NoteExpiry(RetainedNode node, Message message)
    {
        _expiring.Enqueue((node, node.Number), message.ExpiresAtNanoseconds);
        // Swept when most entries may be of messages that are gone: each entry pays for its sweep once.
        if (_expiring.Count <= 1000 + (2 * Count))
            return;
        var current = _expiring.UnorderedItems.Where(item => IsCurrent(item.Element)).ToArray();
        _expiring.Clear();
        _expiring.EnqueueRange(current);
    }

    private static bool IsCurrent((RetainedNode Node, long Number) entry) =>
        entry.Node.Message is not null && entry.Node.Number == entry.Number;
}
