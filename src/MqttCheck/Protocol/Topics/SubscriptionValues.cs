using System.Diagnostics.CodeAnalysis;

namespace MqttCheck.Protocol.Topics;

/// <summary>The subscriptions of one filter: an array, and an index by value once there are many.</summary>
internal sealed class SubscriptionValues<T>(IEqualityComparer<T> comparer)
    where T : notnull
{
    private const int IndexFrom = 16;

    private T[] _items = new T[1];
    private int _count;
    private Dictionary<T, int>? _index;

    internal bool IsEmpty => _count == 0;

    /// <summary>True if no equal value was there; otherwise it is replaced.</summary>
    internal bool Set(T value)
    {
        var place = IndexOf(value);
        if (place >= 0)
        {
            _items[place] = value;
            return false;
        }
        if (_count == _items.Length)
            Array.Resize(ref _items, 2 * _count);
        _items[_count++] = value;
        if (_index is not null)
            _index.Add(value, _count - 1);
        else if (_count == IndexFrom)
            BuildIndex();
        return true;
    }

    internal bool TryGet(T equal, [MaybeNullWhen(false)] out T value)
    {
        var place = IndexOf(equal);
        value = place < 0 ? default : _items[place];
        return place >= 0;
    }

    internal bool Remove(T equal)
    {
        var place = IndexOf(equal);
        if (place < 0)
            return false;
        _index?.Remove(equal);
        var last = _items[--_count];
        _items[_count] = default!;
        if (place < _count)
        {
            _items[place] = last;
            if (_index is not null)
                _index[last] = place;
        }
        return true;
    }

    internal void VisitAll<TVisitor>(ref TVisitor visitor)
        where TVisitor : ISubscriptionVisitor<T>, allows ref struct
    {
        foreach (var item in _items.AsSpan(0, _count))
            visitor.Visit(item);
    }

    private int IndexOf(T value)
    {
        if (_index is not null)
            return _index.TryGetValue(value, out var place) ? place : -1;
        for (var i = 0; i < _count; i++)
        {
            if (comparer.Equals(_items[i], value))
                return i;
        }
        return -1;
    }

    private void BuildIndex()
    {
        _index = new Dictionary<T, int>(comparer);
        for (var i = 0; i < _count; i++)
            _index.Add(_items[i], i);
    }
}
