using System.Text.Json;
using System.Text.Json.Nodes;

namespace MqttCheck.Json;

/// <summary>A format in words: its keys as a schema and as rows of a table.</summary>
internal sealed class JsonDescription
{
    private readonly List<Key> _keys = [];
    private readonly List<JsonNode> _exclusions = [];

    /// <summary>The format as JSON schema.</summary>
    public JsonObject Schema =>
        JsonNodes.Object(
            ("type", "object"),
            ("required", _keys.Any(key => key.IsNeeded) ? JsonNodes.Texts(Names(key => key.IsNeeded)) : null),
            ("not", _exclusions.Count > 0 ? JsonNodes.Object(("anyOf", JsonNodes.List(_exclusions))) : null),
            ("additionalProperties", false),
            ("properties", new JsonObject(_keys.Select(key => KeyValuePair.Create(key.Name, (JsonNode?)key.Schema))))
        );

    /// <summary>The keys that have a meaning, as rows of a Markdown table.</summary>
    public IEnumerable<string> Rows =>
        _keys.Where(key => key.Meaning.Length > 0).Select(key => $"| `{key.Name}` | {key.Meaning} | {key.Missing} |");

    /// <summary>A key that must be there.</summary>
    /// <param name="key">The key.</param>
    /// <param name="schema">The allowed values; null for every value.</param>
    /// <param name="meaning">What the key says.</param>
    public void Add(string key, Func<JsonObject>? schema, string meaning) =>
        _keys.Add(new(key, true, schema, meaning, "needed", null));

    /// <summary>A key that may be missing.</summary>
    /// <param name="key">The key.</param>
    /// <param name="schema">The allowed values; null for every value.</param>
    /// <param name="meaning">What the key says.</param>
    /// <param name="missing">What a missing key means; null where the usual value says it.</param>
    /// <param name="usual">The value of a missing key.</param>
    /// <param name="toBytes">Its text.</param>
    public void Add(
        string key,
        Func<JsonObject>? schema,
        string meaning,
        string? missing,
        object? usual,
        Func<byte[]> toBytes
    )
    {
        var isNone = usual is null or "" or double.NaN || missing == "none";
        _keys.Add(new(key, false, schema, meaning, missing, isNone ? null : toBytes));
    }

    /// <summary>A key that may have any value and says nothing.</summary>
    /// <param name="key">The key.</param>
    public void Add(string key) => _keys.Add(new(key, false, null, "", "none", null));

    /// <summary>Two keys that are not given beside each other.</summary>
    /// <param name="key">The one.</param>
    /// <param name="other">The other.</param>
    public void Exclude(string key, string other) =>
        _exclusions.Add(JsonNodes.Object(("required", JsonNodes.Texts([other, key]))));

    private IEnumerable<string> Names(Func<Key, bool> isMeant) => _keys.Where(isMeant).Select(key => key.Name);

    private sealed record Key(
        string Name,
        bool IsNeeded,
        Func<JsonObject>? Allowed,
        string Meaning,
        string? Said,
        Func<byte[]>? Usual
    )
    {
        public string Missing => Said ?? Text(Default);

        public JsonObject Schema
        {
            get
            {
                var schema = Allowed?.Invoke() ?? [];
                if (Meaning.Length > 0)
                    schema.Insert(0, "description", Meaning);
                if (Default is { } usual)
                    schema["default"] = usual;
                return schema;
            }
        }

        private JsonNode? Default => Usual is null ? null : JsonNode.Parse(Usual());

        private static string Text(JsonNode? usual) =>
            usual is null ? "none"
            : usual.GetValueKind() == JsonValueKind.Number ? usual.ToJsonString()
            : $"`{usual}`";
    }
}
