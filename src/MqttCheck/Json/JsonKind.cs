using System.Text.Json;
using System.Text.Json.Nodes;

namespace MqttCheck.Json;

/// <summary>
/// A kind of JSON value, declared once: how it is read, how it is written, and which values are allowed.
/// </summary>
/// <param name="Allowed">The allowed values, for the message about a missing key.</param>
/// <param name="Read">Reads a value; what is wrong becomes a finding, and a stand-in is returned.</param>
/// <param name="Write">Writes a value.</param>
/// <param name="StandIn">The value of a key that is missing though it must be there.</param>
/// <param name="Schema">The allowed values as JSON schema; every value where none is given.</param>
internal sealed record JsonKind<T>(
    string Allowed,
    Func<JsonTree, JsonFindings, T> Read,
    Action<Utf8JsonWriter, T> Write,
    Func<T> StandIn,
    Func<JsonObject>? Schema = null
)
{
    // Fields: properties are compiled once more for each type of values, and that was felt at every start.
    public string Allowed = Allowed;
    public Func<JsonTree, JsonFindings, T> Read = Read;
    public Action<Utf8JsonWriter, T> Write = Write;
    public Func<T> StandIn = StandIn;
    public Func<JsonObject>? Schema = Schema;

    /// <summary>The same values under another type.</summary>
    /// <param name="to">Makes the value that is used of the one that is read.</param>
    /// <param name="from">Makes the value that is written.</param>
    public JsonKind<TOther> As<TOther>(Func<T, TOther> to, Func<TOther, T> from) =>
        new(
            Allowed,
            (tree, findings) => to(Read(tree, findings)),
            (writer, value) => Write(writer, from(value)),
            () => to(StandIn()),
            Schema
        );

    /// <summary>Values of this kind or of another one.</summary>
    /// <param name="other">The other kind.</param>
    /// <param name="isOther">Whether a value that is read is of the other kind.</param>
    /// <param name="writesOther">Whether a value is written as one of the other kind.</param>
    public JsonKind<T> Or(JsonKind<T> other, Func<JsonTree, bool> isOther, Func<T, bool> writesOther) =>
        this with
        {
            Read = (tree, findings) => (isOther(tree) ? other : this).Read(tree, findings),
            Write = (writer, value) => (writesOther(value) ? other : this).Write(writer, value),
            Schema = () => JsonNodes.Object(("oneOf", JsonNodes.List([Schema?.Invoke(), other.Schema?.Invoke()]))),
        };

    /// <summary>The same kind with another text about a missing key.</summary>
    /// <param name="allowed">The allowed values.</param>
    public JsonKind<T> Named(string allowed) => this with { Allowed = allowed };

    /// <summary>The same kind with a check that is done where nothing else was wrong.</summary>
    /// <param name="check">Notes what is wrong.</param>
    public JsonKind<T> Then(Action<JsonTree, JsonFindings, T> check) =>
        this with
        {
            Read = (tree, findings) =>
            {
                var before = findings.Count;
                var value = Read(tree, findings);
                if (findings.Count == before)
                    check(tree, findings, value);
                return value;
            },
        };

    /// <summary>Reads a whole file.</summary>
    /// <param name="utf8Json">Its text.</param>
    /// <param name="source">Its name in messages.</param>
    /// <exception cref="InputException">The text is malformed: every finding with line and key.</exception>
    public T Parse(ReadOnlySpan<byte> utf8Json, string source)
    {
        var findings = new JsonFindings(source);
        var value = Read(JsonTree.Parse(utf8Json, source), findings);
        findings.ThrowIfAny();
        return value;
    }

    /// <summary>The text of a whole file.</summary>
    /// <param name="value">The value to write.</param>
    public byte[] ToBytes(T value) => JsonText.Of(writer => Write(writer, value));
}
