using System.Diagnostics.CodeAnalysis;

namespace MqttCheck.Protocol.Topics;

/// <summary>
/// Subscriptions by topic filter: a tree with one node per level, so that a match visits only the nodes whose levels
/// agree with the topic, whatever the number of filters. Matching allocates nothing.
/// </summary>
/// <remarks>
/// Not thread-safe, not even for matching alone: one tree belongs to one owner. A match visits the nodes that agree
/// with the topic so far, each once: one per level without <c>+</c>, at most 2^levels with it. The order of the matches
/// depends only on the filters and on the order of adding and removing.
/// </remarks>
/// <typeparam name="T">The type of the values; equal values under one filter replace each other.</typeparam>
internal sealed class SubscriptionTree<T>(IEqualityComparer<T>? comparer = null)
    where T : notnull
{
    private readonly SubscriptionNode<T> _root = new([], 0, null);
    private readonly IEqualityComparer<T> _comparer = comparer ?? EqualityComparer<T>.Default;
    private (SubscriptionNode<T> Node, int Offset)[] _pending = new (SubscriptionNode<T>, int)[16];

    /// <summary>Number of subscriptions.</summary>
    public int Count { get; private set; }

    /// <summary>True if no node is left but the root.</summary>
    internal bool IsBare => _root.IsUnused;

    /// <summary>Adds a subscription, or replaces the equal one under the same filter. True if there was none.</summary>
    /// <param name="filter">
    /// A valid topic filter in UTF-8; of a shared subscription the part behind the share name.
    /// </param>
    /// <param name="value">The value to store.</param>
    public bool Set(ReadOnlySpan<byte> filter, T value)
    {
        var node = _root;
        foreach (var level in filter.Split((byte)'/'))
            node = node.GetOrAdd(filter[level]);
        node.Values ??= new SubscriptionValues<T>(_comparer);
        if (!node.Values.Set(value))
            return false;
        Count++;
        return true;
    }

    /// <summary>The subscription that equals a value under a filter; false if there is none.</summary>
    /// <param name="filter">A valid topic filter in UTF-8.</param>
    /// <param name="equal">A value that equals the stored one.</param>
    /// <param name="value">The stored one.</param>
    public bool TryGet(ReadOnlySpan<byte> filter, T equal, [MaybeNullWhen(false)] out T value)
    {
        value = default;
        return Find(filter)?.Values is { } values && values.TryGet(equal, out value);
    }

    /// <summary>Removes the subscription that equals a value under a filter; false if there is none.</summary>
    /// <param name="filter">A valid topic filter in UTF-8.</param>
    /// <param name="equal">A value that equals the stored one.</param>
    public bool Remove(ReadOnlySpan<byte> filter, T equal)
    {
        var node = Find(filter);
        if (node?.Values is null || !node.Values.Remove(equal))
            return false;
        Count--;
        if (node.Values.IsEmpty)
            node.Values = null;
        while (node is { IsUnused: true, Parent: { } parent })
        {
            parent.RemoveChild(node);
            node = parent;
        }
        return true;
    }

    /// <summary>
    /// Visits every subscription whose filter matches a topic; one with several matching filters once per filter.
    /// </summary>
    /// <param name="topic">A valid topic name in UTF-8.</param>
    /// <param name="visitor">Receives the matches; it must not use the tree.</param>
    /// <typeparam name="TVisitor">A struct for a match without allocation and virtual calls.</typeparam>
    public void Match<TVisitor>(ReadOnlySpan<byte> topic, ref TVisitor visitor)
        where TVisitor : ISubscriptionVisitor<T>, allows ref struct
    {
        // A hostile filter has up to 65536 levels: a stack of our own, not recursion.
        var count = 0;
        Push(_root, 0, ref count);
        // A leading wildcard does not match a topic that starts with $ (MQTT-4.7.2-1).
        var isDollar = !topic.IsEmpty && topic[0] == '$';
        while (count > 0)
        {
            var (node, offset) = _pending[--count];
            var wildcardsMatch = !isDollar || node != _root;
            if (wildcardsMatch)
                node.MultiLevel?.Values?.VisitAll(ref visitor);
            if (offset > topic.Length)
            {
                node.Values?.VisitAll(ref visitor);
                continue;
            }
            var rest = topic[offset..];
            var end = rest.IndexOf((byte)'/');
            var level = end < 0 ? rest : rest[..end];
            var next = offset + level.Length + 1;
            if (wildcardsMatch && node.SingleLevel is { } single)
                Push(single, next, ref count);
            if (node.FindName(level) is { } child)
                Push(child, next, ref count);
        }
    }

    /// <summary>Appends every subscription whose filter matches a topic to a list.</summary>
    /// <param name="topic">A valid topic name in UTF-8.</param>
    /// <param name="matches">The list; it is not cleared.</param>
    public void Match(ReadOnlySpan<byte> topic, List<T> matches)
    {
        var visitor = new ListVisitor(matches);
        Match(topic, ref visitor);
    }

    private SubscriptionNode<T>? Find(ReadOnlySpan<byte> filter)
    {
        var node = _root;
        foreach (var level in filter.Split((byte)'/'))
        {
            node = node.Find(filter[level]);
            if (node is null)
                return null;
        }
        return node;
    }

    private void Push(SubscriptionNode<T> node, int offset, ref int count)
    {
        if (count == _pending.Length)
            Array.Resize(ref _pending, 2 * count);
        _pending[count++] = (node, offset);
    }

    private readonly struct ListVisitor(List<T> matches) : ISubscriptionVisitor<T>
    {
        public void Visit(T value) => matches.Add(value);
    }
}
