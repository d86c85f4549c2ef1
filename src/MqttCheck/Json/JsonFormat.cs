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
            (tree, findings) =>
                JsonObjectReader.Read(tree, findings, reader => fields(new(reader, null, default, null))),
            (writer, value) =>
            {
                writer.WriteStartObject();
                fields(new(null, writer, value, null));
                writer.WriteEndObject();
            },
            () => fields(new(null, null, default, new())),
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
    public static JsonDescription Describe<T>(Func<JsonFields<T>, T> fields)
    {
        var description = new JsonDescription();
        fields(new(null, null, default, description));
        return description;
    }
}
