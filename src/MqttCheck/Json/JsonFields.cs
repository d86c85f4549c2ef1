using System.Text.Json;
using System.Text.Json.Nodes;

namespace MqttCheck.Json;

/// <summary>
/// The keys of an object, asked for in their order by one function that makes the object of their values. The same
/// function reads a file, writes one, and says what the format is.
/// </summary>
/// <remarks>
/// One class for all three, because a generic virtual method is looked up and compiled once more for each type of
/// values, which is felt at every start.
/// </remarks>
/// <typeparam name="T">The type that the object stands for.</typeparam>
/// <param name="reader">The reader of the object; null where nothing is read.</param>
/// <param name="writer">Inside of the object that is written; null where nothing is written.</param>
/// <param name="owner">What is written.</param>
/// <param name="description">Where the format is described; null where it is not.</param>
internal sealed class JsonFields<T>(
    JsonObjectReader? reader,
    Utf8JsonWriter? writer,
    T? owner,
    JsonDescription? description
)
{
    /// <summary>The reader of the object; null where nothing is read.</summary>
    public JsonObjectReader? Reader => reader;

    /// <summary>A key that must be there.</summary>
    /// <param name="key">The key.</param>
    /// <param name="kind">The allowed values.</param>
    /// <param name="get">The value that is written.</param>
    /// <param name="meaning">What the key says, for the documentation.</param>
    public TValue Required<TValue>(string key, JsonKind<TValue> kind, Func<T, TValue> get, string meaning = "")
    {
        if (reader is not null)
            return reader.Required(key, kind.Allowed) is { } tree ? kind.Read(tree, reader.Findings) : kind.StandIn();
        if (writer is null)
        {
            description?.Add(key, kind.Schema, meaning);
            return kind.StandIn();
        }
        var value = get(owner!);
        writer.WritePropertyName(key);
        kind.Write(writer, value);
        return value;
    }

    /// <summary>A key that may be missing.</summary>
    /// <param name="key">The key.</param>
    /// <param name="kind">The allowed values.</param>
    /// <param name="get">The value that is written.</param>
    /// <param name="usual">The value of a missing key.</param>
    /// <param name="meaning">What the key says, for the documentation.</param>
    /// <param name="missing">What a missing key means, where the usual value does not say it.</param>
    /// <param name="always">Whether the usual value is written, too.</param>
    public TValue Optional<TValue>(
        string key,
        JsonKind<TValue> kind,
        Func<T, TValue> get,
        TValue usual,
        string meaning = "",
        string? missing = null,
        bool always = false
    )
    {
        if (reader is not null)
            return reader.Optional(key) is { } tree ? kind.Read(tree, reader.Findings) : usual;
        if (writer is null)
            description?.Add(key, kind.Schema, meaning, missing, usual, () => kind.ToBytes(usual));
        else if (always || !Equals(get(owner!), usual))
            return Required(key, kind, get);
        return usual;
    }

    /// <summary>A key that is written for other readers; this program computes its value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="get">The value; null for none.</param>
    public void Derived(string key, Func<T, JsonNode?> get)
    {
        reader?.Optional(key);
        description?.Add(key);
        if (writer is null || get(owner!) is not { } value)
            return;
        writer.WritePropertyName(key);
        value.WriteTo(writer);
    }

    /// <summary>Refuses two keys beside each other.</summary>
    /// <param name="key">The key that is refused.</param>
    /// <param name="other">The key beside it.</param>
    /// <param name="what">The error.</param>
    public void Exclude(string key, string other, string what)
    {
        Refuse(key, reader?.Tree.Member(other) is not null, _ => what);
        description?.Exclude(key, other);
    }

    /// <summary>A key without which there is no value.</summary>
    /// <inheritdoc cref="Required"/>
    public TValue? Nullable<TValue>(
        string key,
        JsonKind<TValue> kind,
        Func<T, TValue?> get,
        string meaning = "",
        string? missing = null
    )
        where TValue : class => Optional(key, kind!, get, null, meaning, missing);

    /// <summary>A key without which there is no value.</summary>
    /// <inheritdoc cref="Required"/>
    public TValue? Nullable<TValue>(
        string key,
        JsonKind<TValue> kind,
        Func<T, TValue?> get,
        string meaning = "",
        string? missing = null
    )
        where TValue : struct =>
        Optional(key, kind.As(value => (TValue?)value, value => value!.Value), get, null, meaning, missing);

    /// <summary>A key that says nothing, such as the name of a schema.</summary>
    /// <param name="key">The key.</param>
    public void Ignored(string key) => Derived(key, _ => null);

    /// <summary>Refuses a key with a reason of its own. Its value is not shown.</summary>
    /// <param name="key">The key, which is no key of the format.</param>
    /// <param name="why">The error.</param>
    public void Never(string key, string why)
    {
        // The reader gets to know the key only where it is given, so that other messages do not name it.
        if (reader?.Tree.Member(key) is not null)
            reader.Findings.Add(reader.Optional(key)!, why);
    }

    /// <summary>Notes what is wrong with a key beside the others; only where the key is given.</summary>
    /// <param name="key">The key.</param>
    /// <param name="isWrong">Whether there is something.</param>
    /// <param name="what">The error, of the value as given.</param>
    public void Refuse(string key, bool isWrong, Func<JsonTree, string> what)
    {
        if (isWrong && reader?.Tree.Member(key) is { } given)
            reader.Findings.Add(given, what(given));
    }

    /// <summary>Notes what is wrong with the keys taken together.</summary>
    /// <param name="isWrong">Whether there is something.</param>
    /// <param name="what">The error.</param>
    public void Refuse(bool isWrong, Func<string> what)
    {
        if (isWrong)
            reader?.Findings.Add(reader.Tree, what());
    }
}
