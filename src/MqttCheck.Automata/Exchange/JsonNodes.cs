using System.Text.Json.Nodes;

namespace MqttCheck.Automata.Exchange;

/// <summary>The parts of a JSON document that is built before it is written.</summary>
internal static class JsonNodes
{
    /// <summary>An object of those members that have a value.</summary>
    public static JsonObject Of(params IEnumerable<(string Name, JsonNode? Value)> members) =>
        new(
            members
                .Where(member => member.Value is not null)
                .Select(member => KeyValuePair.Create(member.Name, member.Value))
        );

    public static JsonArray List(IEnumerable<JsonNode?> items) => new([.. items]);
}
