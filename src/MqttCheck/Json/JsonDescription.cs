using System.Text.Json;
using System.Text.Json.Nodes;

namespace MqttCheck.Json;

/// <summary>A format in words: its keys as a schema and as rows of a table.</summary>
/// <typeparam name="T">The type that an object of the format stands for.</typeparam>
internal sealed class JsonDescription<T> : JsonFields<T>
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

    public override TValue Required<TValue>(string key, JsonKind<TValue> kind, Func<T, TValue> get, string meaning = "")
    {
        _keys.Add(new(key, true, kind.Schema, meaning, "needed", null));
        return kind.StandIn();
    }

    public override TValue Optional<TValue>(
        string key,
        JsonKind<TValue> kind,
        Func<T, TValue> get,
        TValue usual,
        string meaning = "",
        string? missing = null,
        bool always = false
    )
    {
        var isNone = usual is null or "" or double.NaN || missing == "none";
        _keys.Add(new(key, false, kind.Schema, meaning, missing, isNone ? null : () => kind.ToBytes(usual)));
        return usual;
    }

    public override void Derived(string key, Func<T, JsonNode?> get) =>
        _keys.Add(new(key, false, null, "", "none", null));

    public override void Exclude(string key, string other, string what) =>
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
