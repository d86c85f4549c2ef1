namespace MqttCheck;

/// <summary>Look-ups in dictionaries of collections.</summary>
internal static class Dictionaries
{
    /// <summary>The value of a key; a new one is added where there is none.</summary>
    /// <param name="values">The dictionary.</param>
    /// <param name="key">The key.</param>
    public static TValue GetOrNew<TKey, TValue>(this IDictionary<TKey, TValue> values, TKey key)
        where TValue : new()
    {
        if (!values.TryGetValue(key, out var value))
            values.Add(key, value = new());
        return value;
    }
}
