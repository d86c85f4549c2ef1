using System.Text.Json.Nodes;
using MqttCheck.Json;

namespace MqttCheck.Tests.Json;

/// <summary>The schema of a format as a file: a part that stands in it more than once is written once.</summary>
internal sealed class PublishedSchema
{
    private const int Short = 80;
    private readonly Dictionary<string, int> _times = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _names = new(StringComparer.Ordinal);
    private readonly JsonObject _parts = [];

    /// <summary>The text of the file.</summary>
    /// <param name="title">The title of the schema.</param>
    /// <param name="description">What the files are for.</param>
    /// <param name="schema">The schema of the format.</param>
    public static byte[] Of(string title, string description, JsonObject schema)
    {
        var published = new PublishedSchema();
        published.Count(schema);
        var whole = JsonNodes.Object(
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("title", title),
            ("description", description)
        );
        foreach (var (key, value) in published.Shared(schema))
            whole[key] = value?.DeepClone();
        if (published._parts.Count > 0)
            whole["$defs"] = published._parts;
        return JsonText.Of(whole);
    }

    // The meaning belongs to the key and not to the part.
    private static string Text(JsonObject part)
    {
        var bare = part.DeepClone().AsObject();
        bare.Remove("description");
        bare.Remove("default");
        return bare.ToJsonString();
    }

    private static IEnumerable<JsonObject> Inner(JsonNode? node) =>
        node switch
        {
            JsonObject members => members.SelectMany(member => Inner(member.Value)).Prepend(members),
            JsonArray items => items.SelectMany(Inner),
            _ => [],
        };

    private void Count(JsonObject schema)
    {
        foreach (var part in Inner(schema).Where(part => part.ContainsKey("type")).Select(Text))
            _times[part] = _times.GetValueOrDefault(part) + 1;
    }

    private JsonObject Shared(JsonObject members) =>
        new(members.Select(member => KeyValuePair.Create(member.Key, Shared(member.Key, member.Value))));

    private JsonNode? Shared(string key, JsonNode? node) =>
        node switch
        {
            JsonObject part when Text(part) is var text && text.Length > Short && _times.GetValueOrDefault(text) > 1 =>
                Reference(key, text, part),
            JsonObject members => Shared(members),
            JsonArray items => new JsonArray([.. items.Select(item => Shared(key, item))]),
            _ => node?.DeepClone(),
        };

    private JsonObject Reference(string key, string text, JsonObject part)
    {
        if (!_names.TryGetValue(text, out var name))
        {
            name = _names[text] = _names.ContainsValue(key) ? $"{key}{_names.Count}" : key;
            _parts[name] = Shared(JsonNode.Parse(text)!.AsObject());
        }
        return JsonNodes.Object(
            ("description", part["description"]?.DeepClone()),
            ("$ref", $"#/$defs/{name}"),
            ("default", part["default"]?.DeepClone())
        );
    }
}
