namespace MqttCheck.Protocol.Topics;

/// <summary>
/// One level of a topic filter. Children with a name stand in an open-addressed table without per-child overhead: a
/// large tree has one node per filter and mostly nodes with no or one child.
/// </summary>
internal sealed class SubscriptionNode<T>(byte[] name, int hash, SubscriptionNode<T>? parent)
    where T : notnull
{
    private readonly byte[] _name = name;
    private readonly int _hash = hash;
    private SubscriptionNode<T>?[] _children = [];
    private int _childCount;

    internal SubscriptionNode<T>? Parent { get; } = parent;

    /// <summary>The child for the level <c>+</c>.</summary>
    internal SubscriptionNode<T>? SingleLevel { get; private set; }

    /// <summary>The child for the level <c>#</c>.</summary>
    internal SubscriptionNode<T>? MultiLevel { get; private set; }

    /// <summary>The subscriptions whose filter ends here.</summary>
    internal SubscriptionValues<T>? Values { get; set; }

    /// <summary>True if no filter ends at or below this node.</summary>
    internal bool IsUnused => Values is null && _childCount == 0 && SingleLevel is null && MultiLevel is null;

    internal SubscriptionNode<T> GetOrAdd(ReadOnlySpan<byte> level)
    {
        if (IsSingleLevel(level))
            return SingleLevel ??= new SubscriptionNode<T>([(byte)'+'], 0, this);
        if (IsMultiLevel(level))
            return MultiLevel ??= new SubscriptionNode<T>([(byte)'#'], 0, this);
        var hash = Hash(level);
        return FindName(level, hash) ?? Insert(new SubscriptionNode<T>(level.ToArray(), hash, this));
    }

    internal SubscriptionNode<T>? Find(ReadOnlySpan<byte> level) =>
        IsSingleLevel(level) ? SingleLevel
        : IsMultiLevel(level) ? MultiLevel
        : FindName(level);

    internal SubscriptionNode<T>? FindName(ReadOnlySpan<byte> level) =>
        _childCount == 0 ? null : FindName(level, Hash(level));

    internal void RemoveChild(SubscriptionNode<T> child)
    {
        if (child == SingleLevel)
            SingleLevel = null;
        else if (child == MultiLevel)
            MultiLevel = null;
        else
            RemoveName(child);
    }

    private static bool IsSingleLevel(ReadOnlySpan<byte> level) => level.Length == 1 && level[0] == '+';

    private static bool IsMultiLevel(ReadOnlySpan<byte> level) => level.Length == 1 && level[0] == '#';

    // Seeded per process by the framework, so that clients cannot choose names that collide; nothing depends on its
    // value but speed.
    private static int Hash(ReadOnlySpan<byte> level)
    {
        var hash = new HashCode();
        hash.AddBytes(level);
        return hash.ToHashCode();
    }

    private SubscriptionNode<T>? FindName(ReadOnlySpan<byte> level, int hash)
    {
        var children = _children;
        var mask = children.Length - 1;
        for (var i = 0; i < children.Length; i++)
        {
            var child = children[(hash + i) & mask];
            if (child is null)
                return null;
            if (child._hash == hash && level.SequenceEqual(child._name))
                return child;
        }
        return null;
    }

    private SubscriptionNode<T> Insert(SubscriptionNode<T> child)
    {
        // Tables of one or two places may be full, larger ones at most to three quarters.
        if (_childCount >= Math.Max(_children.Length * 3 / 4, Math.Min(_children.Length, 2)))
        {
            var old = _children;
            _children = new SubscriptionNode<T>?[Math.Max(1, 2 * old.Length)];
            foreach (var node in old)
            {
                if (node is not null)
                    Place(node);
            }
        }
        _childCount++;
        return Place(child);
    }

    private SubscriptionNode<T> Place(SubscriptionNode<T> child)
    {
        var mask = _children.Length - 1;
        var place = child._hash & mask;
        while (_children[place] is not null)
            place = (place + 1) & mask;
        return _children[place] = child;
    }

    private void RemoveName(SubscriptionNode<T> child)
    {
        var mask = _children.Length - 1;
        var hole = Array.IndexOf(_children, child, child._hash & mask);
        if (hole < 0)
            hole = Array.IndexOf(_children, child);
        _children[hole] = null;
        _childCount--;
        if (_childCount == 0)
        {
            _children = [];
            return;
        }
        // The removed child may have displaced those behind the hole, so they are placed anew.
        for (var place = (hole + 1) & mask; _children[place] is { } moved; place = (place + 1) & mask)
        {
            _children[place] = null;
            Place(moved);
        }
    }
}
