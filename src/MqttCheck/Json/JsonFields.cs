using System.Text.Json;
using System.Text.Json.Nodes;

namespace MqttCheck.Json;

/// <summary>
/// The keys of an object, asked for in their order by one function that makes the object of their values. The same
/// function reads a file, writes one, and says what the format is.
/// </summary>
/// <typeparam name="T">The type that the object stands for.</typeparam>
internal abstract class JsonFields<T>
{
    /// <summary>The reader of the object; null where nothing is read.</summary>
    public virtual JsonObjectReader? Reader => null;

    /// <summary>A key that must be there.</summary>
    /// <param name="key">The key.</param>
    /// <param name="kind">The allowed values.</param>
    /// <param name="get">The value that is written.</param>
    /// <param name="meaning">What the key says, for the documentation.</param>
    public abstract TValue Required<TValue>(
        string key,
        JsonKind<TValue> kind,
        Func<T, TValue> get,
        string meaning = ""
    );

    /// <summary>A key that may be missing.</summary>
    /// <param name="key">The key.</param>
    /// <param name="kind">The allowed values.</param>
    /// <param name="get">The value that is written.</param>
    /// <param name="usual">The value of a missing key.</param>
    /// <param name="meaning">What the key says, for the documentation.</param>
    /// <param name="missing">What a missing key means, where the usual value does not say it.</param>
    /// <param name="always">Whether the usual value is written, too.</param>
    public abstract TValue Optional<TValue>(
        string key,
        JsonKind<TValue> kind,
        Func<T, TValue> get,
        TValue usual,
        string meaning = "",
        string? missing = null,
        bool always = false
    );

    /// <summary>A key that is written for other readers; this program computes its value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="get">The value; null for none.</param>
    public abstract void Derived(string key, Func<T, JsonNode?> get);

    /// <summary>Refuses two keys beside each other.</summary>
    /// <param name="key">The key that is refused.</param>
    /// <param name="other">The key beside it.</param>
    /// <param name="what">The error.</param>
    public abstract void Exclude(string key, string other, string what);

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

    /// <summary>Notes what is wrong with a key beside the others; only where the key is given.</summary>
    /// <param name="key">The key.</param>
    /// <param name="isWrong">Whether there is something.</param>
    /// <param name="what">The error, of the value as given.</param>
    public void Refuse(string key, bool isWrong, Func<JsonTree, string> what)
    {
        if (isWrong && Reader?.Tree.Member(key) is { } given)
            Reader.Findings.Add(given, what(given));
    }

    /// <summary>Notes what is wrong with the keys taken together.</summary>
    /// <param name="isWrong">Whether there is something.</param>
    /// <param name="what">The error.</param>
    public void Refuse(bool isWrong, Func<string> what)
    {
        if (isWrong)
            Reader?.Findings.Add(Reader.Tree, what());
    }
}
