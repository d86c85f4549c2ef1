using MqttCheck.Broker.Sessions;

namespace MqttCheck.Broker.Routing;

/// <summary>
/// One topic level in the tree of retained messages. Siblings form a list in the order they came, and a node that is
/// taken out keeps its way to those after it: a <see cref="RetainedScan"/> that stands on it goes on as if nothing had
/// happened.
/// </summary>
/// <param name="parent">The level above; null for the root.</param>
/// <param name="level">The level's name.</param>
internal sealed class RetainedNode(RetainedNode? parent, string level)
{
    private Dictionary<string, RetainedNode>? _children;
    private RetainedNode? _lastChild,
        _previous;
    private long _order,
        _lastOrder;

    public RetainedNode? Parent { get; } = parent;

    public string Level { get; } = level;

    public RetainedNode? FirstChild { get; private set; }

    /// <summary>The sibling that came next.</summary>
    public RetainedNode? Next { get; private set; }

    /// <summary>The message of the topic that ends here.</summary>
    public Message? Message { get; set; }

    /// <summary>How many messages had been retained when this one was.</summary>
    public long Number { get; set; }

    public bool IsEmpty => Message is null && FirstChild is null;

    public RetainedNode? Child(string level) => _children?.GetValueOrDefault(level);

    /// <summary>Whether it is a sibling that came after another node.</summary>
    /// <param name="other">The other node, which may have been taken out.</param>
    public bool CameAfter(RetainedNode other) => Parent == other.Parent && _order > other._order;

    public RetainedNode GetOrAddChild(string level)
    {
        _children ??= new Dictionary<string, RetainedNode>(StringComparer.Ordinal);
        if (_children.TryGetValue(level, out var child))
            return child;
        child = new RetainedNode(this, level) { _previous = _lastChild, _order = ++_lastOrder };
        if (_lastChild is null)
            FirstChild = child;
        else
            _lastChild.Next = child;
        _lastChild = child;
        _children.Add(level, child);
        return child;
    }

    public void RemoveChild(RetainedNode child)
    {
        _children!.Remove(child.Level);
        if (child._previous is null)
            FirstChild = child.Next;
        else
            child._previous.Next = child.Next;
        if (child.Next is null)
            _lastChild = child._previous;
        else
            child.Next._previous = child._previous;
        child._previous = null;
    }
}
