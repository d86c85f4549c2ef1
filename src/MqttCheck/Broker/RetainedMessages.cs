namespace MqttCheck.Broker;

/// <summary>The retained messages, one per topic, as a tree of topic levels. Bounded in number and bytes; expired ones go when they are met, or to make room.</summary>
/// <param name="maximumMessages">The most messages.</param>
/// <param name="maximumBytes">The most bytes of payload, topic and properties.</param>
internal sealed class RetainedMessages(int maximumMessages, long maximumBytes)
{
    private sealed class Node(Node? parent, string level)
    {
        public readonly Node? Parent = parent;
        public readonly string Level = level;
        public Dictionary<string, Node>? Children;
        public Message? Message;
    }

    private readonly Node _root = new(null, "");
    private long _bytes;

    /// <summary>How many messages are retained.</summary>
    public int Count { get; private set; }

    /// <summary>Replaces the message of a topic.</summary>
    /// <param name="topic">The topic name.</param>
    /// <param name="message">Its payload is not empty.</param>
    /// <param name="nowNanoseconds">The time.</param>
    /// <returns>False when there is no room; the topic then has none.</returns>
    public bool Set(string topic, Message message, long nowNanoseconds)
    {
        Remove(topic);
        if (!HasRoom(message)) RemoveExpired(nowNanoseconds);
        if (!HasRoom(message)) return false;
        var node = _root;
        foreach (var level in topic.Split('/'))
        {
            node.Children ??= new Dictionary<string, Node>(StringComparer.Ordinal);
            if (!node.Children.TryGetValue(level, out var child)) node.Children.Add(level, child = new Node(node, level));
            node = child;
        }
        node.Message = message;
        Count++;
        _bytes += message.Size;
        return true;
    }

    /// <summary>Forgets the message of a topic, if there is one.</summary>
    /// <param name="topic">The topic name.</param>
    public void Remove(string topic)
    {
        var node = _root;
        foreach (var level in topic.Split('/'))
        {
            if (node.Children is null || !node.Children.TryGetValue(level, out var child)) return;
            node = child;
        }
        Drop(node);
    }

    /// <summary>Collects the messages whose topic matches a filter, each topic once.</summary>
    /// <param name="filter">A valid topic filter, not a shared one.</param>
    /// <param name="nowNanoseconds">The time; expired messages are dropped.</param>
    /// <param name="found">Where they are added.</param>
    public void Match(string filter, long nowNanoseconds, List<Message> found)
    {
        var levels = filter.Split('/');
        var expired = new List<Node>();
        Match(_root, levels, 0, nowNanoseconds, found, expired);
        foreach (var node in expired) Drop(node);
    }

    private static void Match(Node node, string[] levels, int depth, long now, List<Message> found, List<Node> expired)
    {
        if (depth == levels.Length)
        {
            Collect(node, now, found, expired);
            return;
        }
        var level = levels[depth];
        if (level == "#")
        {
            // "a/#" also takes "a", the parent level.
            if (depth > 0) Collect(node, now, found, expired);
            foreach (var child in ChildrenForWildcard(node, depth)) MatchAll(child, now, found, expired);
        }
        else if (level == "+")
        {
            foreach (var child in ChildrenForWildcard(node, depth)) Match(child, levels, depth + 1, now, found, expired);
        }
        else if (node.Children is not null && node.Children.TryGetValue(level, out var child))
        {
            Match(child, levels, depth + 1, now, found, expired);
        }
    }

    private static void MatchAll(Node node, long now, List<Message> found, List<Node> expired)
    {
        Collect(node, now, found, expired);
        if (node.Children is null) return;
        foreach (var child in node.Children.Values) MatchAll(child, now, found, expired);
    }

    // A wildcard at the first level never matches topics that begin with $ (MQTT-4.7.2-1).
    private static IEnumerable<Node> ChildrenForWildcard(Node node, int depth) =>
        node.Children is null ? [] : depth > 0 ? node.Children.Values : node.Children.Values.Where(child => !child.Level.StartsWith('$'));

    private static void Collect(Node node, long now, List<Message> found, List<Node> expired)
    {
        if (node.Message is null) return;
        if (node.Message.HasExpired(now)) expired.Add(node);
        else found.Add(node.Message);
    }

    private bool HasRoom(Message message) => Count < maximumMessages && _bytes + message.Size <= maximumBytes;

    private void RemoveExpired(long now)
    {
        var expired = new List<Node>();
        MatchAll(_root, now, [], expired);
        foreach (var node in expired) Drop(node);
    }

    private void Drop(Node node)
    {
        if (node.Message is null) return;
        Count--;
        _bytes -= node.Message.Size;
        node.Message = null;
        for (var empty = node; empty.Parent is not null && empty.Message is null && empty.Children is not { Count: > 0 }; empty = empty.Parent)
            empty.Parent.Children!.Remove(empty.Level);
    }
}
