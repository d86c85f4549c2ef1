using System.Collections;
using System.Runtime.CompilerServices;

namespace MqttCheck.Protocol;

/// <summary>
/// An immutable list that is compared by its elements in order. The default value is empty. Collection expressions
/// create it.
/// </summary>
/// <typeparam name="T">The elements.</typeparam>
[CollectionBuilder(typeof(ValueList), nameof(ValueList.Create))]
public readonly struct ValueList<T> : IReadOnlyList<T>, IEquatable<ValueList<T>>
{
    private readonly T[]? _items;

    internal ValueList(T[] items) => _items = items;

    /// <summary>Number of elements.</summary>
    public int Count => _items?.Length ?? 0;

    /// <summary>An element.</summary>
    /// <param name="index">0 .. <see cref="Count"/> - 1.</param>
    public T this[int index] => AsSpan()[index];

    /// <summary>Equal elements in the same order.</summary>
    /// <param name="left">One list.</param>
    /// <param name="right">The other list.</param>
    public static bool operator ==(ValueList<T> left, ValueList<T> right) => left.Equals(right);

    /// <summary>Different elements or order.</summary>
    /// <param name="left">One list.</param>
    /// <param name="right">The other list.</param>
    public static bool operator !=(ValueList<T> left, ValueList<T> right) => !left.Equals(right);

    /// <summary>The elements as a span.</summary>
    public ReadOnlySpan<T> AsSpan() => _items;

    /// <summary>Enumerates without allocation.</summary>
    public ReadOnlySpan<T>.Enumerator GetEnumerator() => AsSpan().GetEnumerator();

    IEnumerator<T> IEnumerable<T>.GetEnumerator() => ((IEnumerable<T>)(_items ?? [])).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => (_items ?? []).GetEnumerator();

    /// <inheritdoc/>
    public bool Equals(ValueList<T> other) => AsSpan().SequenceEqual(other.AsSpan(), EqualityComparer<T>.Default);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is ValueList<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        foreach (var item in AsSpan())
            hash.Add(item);
        return hash.ToHashCode();
    }

    /// <summary>The elements, separated by commas, in brackets.</summary>
    public override string ToString() => $"[{string.Join(", ", _items ?? [])}]";
}

/// <summary>Creates <see cref="ValueList{T}"/>.</summary>
internal static class ValueList
{
    /// <summary>A list of a copy of the elements.</summary>
    /// <param name="items">The elements.</param>
    /// <typeparam name="T">The elements' type.</typeparam>
    public static ValueList<T> Create<T>(ReadOnlySpan<T> items) => items.IsEmpty ? default : new(items.ToArray());

    internal static ValueList<T> Take<T>(List<T> items) => items.Count == 0 ? default : new(items.ToArray());
}
