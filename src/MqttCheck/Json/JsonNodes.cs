using System.Text.Json.Nodes;

namespace MqttCheck.Json;

/// <summary>JSON values to write, put together without a thought for where objects and arrays end.</summary>
internal static class JsonNodes
{
    /// <summary>An object.</summary>
    /// <param name="members">Its members in the order of writing; those that are null are left out.</param>
    public static JsonObject Object(params ReadOnlySpan<(string Key, JsonNode? Value)> members)
    {
        var result = new JsonObject();
        foreach (var (key, value) in members)
            if (value is not null)
                result.Add(key, value);
        return result;
    }

    /// <summary>An array.</summary>
    /// <param name="items">The items to write.</param>
    /// <param name="of">One of them as JSON.</param>
    public static JsonArray Array<T>(IEnumerable<T> items, Func<T, JsonNode?> of) => new([.. items.Select(of)]);

    /// <summary>An array of what is JSON already.</summary>
    public static JsonArray List(IEnumerable<JsonNode?> items) => new([.. items]);

    /// <summary>An array of texts.</summary>
    public static JsonArray Texts(IEnumerable<string> texts) => Array(texts, text => text);
}
