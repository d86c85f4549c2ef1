using System.Text.Json;
using System.Text.Json.Nodes;

namespace MqttCheck.Json;

/// <summary>A format of JSON objects, made of the one function that asks for its keys.</summary>
internal static class JsonFormat
{
    /// <summary>The kind of objects with these keys, and no others.</summary>
    /// <param name="fields">Asks for the keys and makes of their values what an object stands for.</param>
    /// <param name="allowed">The text about a missing object.</param>
    public static JsonKind<T> Of<T>(Func<JsonFields<T>, T> fields, string allowed = "an object") =>
        new(
            allowed,
            (tree, findings) => JsonObjectReader.Read(tree, findings, reader => fields(new Reading<T>(reader))),
            (writer, value) =>
            {
                writer.WriteStartObject();
                fields(new Writing<T>(writer, value));
                writer.WriteEndObject();
            },
            () => fields(new JsonDescription<T>()),
            () => Describe(fields).Schema
        );

    /// <summary>The kind of objects that say by which version of their schema they were written.</summary>
    /// <param name="schema">The version that this program reads and writes.</param>
    /// <param name="fields">As of <see cref="Of"/>.</param>
    /// <exception cref="InputException">Another version is read: it is of no use to read on.</exception>
    public static JsonKind<T> OfSchema<T>(int schema, Func<JsonFields<T>, T> fields)
    {
        var kind = Of<T>(of =>
        {
            of.Derived("schema", _ => schema);
            return fields(of);
        });
        return kind with
        {
            Read = (tree, findings) =>
            {
                var written = tree.Member("schema");
                if (written is null || written.Number != schema)
                    findings.Add(
                        written ?? tree,
                        "schema",
                        $"{written?.Given ?? "nothing"} given; allowed: {schema}, the version this program reads"
                    );
                findings.ThrowIfAny();
                return kind.Read(tree, findings);
            },
        };
    }

    /// <summary>Says which keys there are.</summary>
    /// <param name="fields">The function that asks for the keys.</param>
    public static JsonDescription<T> Describe<T>(Func<JsonFields<T>, T> fields)
    {
        var description = new JsonDescription<T>();
        fields(description);
        return description;
    }

    private sealed class Reading<T>(JsonObjectReader reader) : JsonFields<T>
    {
        public override JsonObjectReader Reader => reader;

        public override TValue Required<TValue>(
            string key,
            JsonKind<TValue> kind,
            Func<T, TValue> get,
            string meaning = ""
        ) => reader.Required(key, kind.Allowed) is { } tree ? kind.Read(tree, reader.Findings) : kind.StandIn();

        public override TValue Optional<TValue>(
            string key,
            JsonKind<TValue> kind,
            Func<T, TValue> get,
            TValue usual,
            string meaning = "",
            string? missing = null,
            bool always = false
        ) => reader.Optional(key) is { } tree ? kind.Read(tree, reader.Findings) : usual;

        public override void Derived(string key, Func<T, JsonNode?> get) => reader.Optional(key);

        public override void Exclude(string key, string other, string what) =>
            Refuse(key, reader.Tree.Member(other) is not null, _ => what);
    }

    private sealed class Writing<T>(Utf8JsonWriter writer, T owner) : JsonFields<T>
    {
        public override TValue Required<TValue>(
            string key,
            JsonKind<TValue> kind,
            Func<T, TValue> get,
            string meaning = ""
        )
        {
            var value = get(owner);
            writer.WritePropertyName(key);
            kind.Write(writer, value);
            return value;
        }

        public override TValue Optional<TValue>(
            string key,
            JsonKind<TValue> kind,
            Func<T, TValue> get,
            TValue usual,
            string meaning = "",
            string? missing = null,
            bool always = false
        ) => always || !EqualityComparer<TValue>.Default.Equals(get(owner), usual) ? Required(key, kind, get) : usual;

        public override void Derived(string key, Func<T, JsonNode?> get)
        {
            if (get(owner) is not { } value)
                return;
            writer.WritePropertyName(key);
            value.WriteTo(writer);
        }

        public override void Exclude(string key, string other, string what) { }
    }
}
