using System.Collections;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;

namespace MqttCheck.Automata.Networks;

/// <summary>
/// An immutable list that equals another one with equal items, so that records which hold it are values.
/// </summary>
/// <typeparam name="T">The type of an item.</typeparam>
[CollectionBuilder(typeof(EquatableListBuilder), nameof(EquatableListBuilder.Create))]
public readonly record struct EquatableList<T> : IReadOnlyList<T>
{
    private readonly ImmutableArray<T> _items;

    /// <summary>A list of the given items.</summary>
    /// <param name="items">The items, copied.</param>
    public EquatableList(IEnumerable<T> items) => _items = [.. items];

    private ImmutableArray<T> Items => _items.IsDefault ? [] : _items;

    /// <inheritdoc/>
    public int Count => Items.Length;

    /// <inheritdoc/>
    public T this[int index] => Items[index];

    /// <inheritdoc/>
    public bool Equals(EquatableList<T> other) => Items.SequenceEqual(other.Items);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        foreach (var item in Items)
            hash.Add(item);
        return hash.ToHashCode();
    }

    /// <inheritdoc/>
    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)Items).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
