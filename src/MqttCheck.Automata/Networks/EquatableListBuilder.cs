namespace MqttCheck.Automata.Networks;

/// <summary>Lets a collection expression make an <see cref="EquatableList{T}"/>.</summary>
internal static class EquatableListBuilder
{
    /// <summary>A list of the given items.</summary>
    /// <typeparam name="T">The type of an item.</typeparam>
    /// <param name="items">The items, copied.</param>
    public static EquatableList<T> Create<T>(ReadOnlySpan<T> items) => new(items.ToArray());
}
