using System.Globalization;
using System.Text.Json;
using MqttCheck.Text;

namespace MqttCheck.Json;

/// <summary>
/// Reads the members of one JSON object, notes what is wrong with them, and at the end names the keys that nobody asked
/// for. After a finding a stand-in value is returned, so that reading goes on and finds the rest.
/// </summary>
internal sealed class JsonObjectReader
{
    private readonly List<string> _known = [];

    /// <summary>A reader of an object.</summary>
    /// <param name="tree">The value; noted as a finding if it is not an object.</param>
    /// <param name="findings">Receives the findings.</param>
    public JsonObjectReader(JsonTree tree, JsonFindings findings)
    {
        (Tree, Findings) = (tree, findings);
        if (tree.Type != JsonTokenType.StartObject)
            findings.Add(tree, $"{tree.Given} given; allowed: an object");
    }

    /// <summary>Reads an object whose keys are all asked for.</summary>
    /// <param name="tree">The value; noted as a finding if it is not an object.</param>
    /// <param name="findings">Receives the findings.</param>
    /// <param name="read">Makes of the object what it stands for.</param>
    public static T Read<T>(JsonTree tree, JsonFindings findings, Func<JsonObjectReader, T> read)
    {
        var reader = new JsonObjectReader(tree, findings);
        var result = read(reader);
        reader.End();
        return result;
    }

    /// <summary>The object.</summary>
    public JsonTree Tree { get; }

    /// <summary>Receives the findings.</summary>
    public JsonFindings Findings { get; }

    /// <summary>The value of a key, or null where the key is missing.</summary>
    /// <param name="key">The key.</param>
    public JsonTree? Optional(string key)
    {
        _known.Add(key);
        return Tree.Member(key);
    }

    /// <summary>The value of a key that must be there, or null after a finding.</summary>
    /// <param name="key">The key.</param>
    /// <param name="allowed">The allowed values, for the message.</param>
    public JsonTree? Required(string key, string allowed)
    {
        var value = Optional(key);
        if (value is null && Tree.Type == JsonTokenType.StartObject)
            Findings.Add(Tree, PathOf(key), $"the key is missing; allowed: {allowed}");
        return value;
    }

    /// <summary>The items of an array that must be there; none after a finding.</summary>
    /// <param name="key">The key.</param>
    /// <param name="allowed">The allowed items, for the message.</param>
    public IReadOnlyList<JsonTree> Array(string key, string allowed)
    {
        var value = Required(key, allowed);
        if (value is null)
            return [];
        if (value.Type != JsonTokenType.StartArray)
            Findings.Add(value, $"{value.Given} given; allowed: {allowed}");
        return value.Items;
    }

    /// <summary>A text.</summary>
    /// <param name="key">The key.</param>
    /// <param name="fallback">The value of a missing key; null if the key must be there.</param>
    public string Text(string key, string? fallback)
    {
        var value = fallback is null ? Required(key, "a text") : Optional(key);
        if (value is null)
            return fallback ?? "";
        if (value.Type == JsonTokenType.String)
            return value.Text;
        Findings.Add(value, $"{value.Given} given; allowed: a text");
        return "";
    }

    /// <summary>A boolean that must be there.</summary>
    /// <param name="key">The key.</param>
    public bool Flag(string key)
    {
        var value = Required(key, "true or false");
        if (value is not null && value.Type is not (JsonTokenType.True or JsonTokenType.False))
            Findings.Add(value, $"{value.Given} given; allowed: true or false");
        return value?.Type == JsonTokenType.True;
    }

    /// <summary>A number in a range.</summary>
    /// <param name="key">The key.</param>
    /// <param name="minimum">The least value allowed.</param>
    /// <param name="maximum">The greatest value allowed.</param>
    /// <param name="fallback">The value of a missing key; null if the key must be there.</param>
    public double Number(string key, double minimum, double maximum, double? fallback = null)
    {
        var value = fallback is null ? Required(key, RangeText("a number", minimum, maximum)) : Optional(key);
        return value is null ? fallback ?? minimum : Number(value, minimum, maximum, Findings);
    }

    /// <summary>An integer in a range.</summary>
    /// <param name="key">The key.</param>
    /// <param name="minimum">The least value allowed.</param>
    /// <param name="maximum">The greatest value allowed.</param>
    /// <param name="fallback">The value of a missing key; null if the key must be there.</param>
    public int Integer(string key, int minimum, int maximum, int? fallback = null)
    {
        var value = fallback is null ? Required(key, RangeText("an integer", minimum, maximum)) : Optional(key);
        return value is null ? fallback ?? minimum : Integer(value, minimum, maximum, Findings);
    }

    /// <summary>A number in a range.</summary>
    /// <param name="value">The value.</param>
    /// <param name="minimum">The least value allowed.</param>
    /// <param name="maximum">The greatest value allowed.</param>
    /// <param name="findings">Receives a finding.</param>
    /// <returns>The number, or the minimum after a finding.</returns>
    public static double Number(JsonTree value, double minimum, double maximum, JsonFindings findings)
    {
        if (value.Type == JsonTokenType.Number && value.Number >= minimum && value.Number <= maximum)
            return value.Number;
        findings.Add(value, $"{value.Given} given; allowed: {RangeText("a number", minimum, maximum)}");
        return minimum;
    }

    /// <summary>An integer in a range.</summary>
    /// <param name="value">The value.</param>
    /// <param name="minimum">The least value allowed.</param>
    /// <param name="maximum">The greatest value allowed.</param>
    /// <param name="findings">Receives a finding.</param>
    /// <returns>The number, or the minimum after a finding.</returns>
    public static int Integer(JsonTree value, int minimum, int maximum, JsonFindings findings)
    {
        if (
            value.Type == JsonTokenType.Number
            && value.Number >= minimum
            && value.Number <= maximum
            && value.Number == Math.Floor(value.Number)
        )
            return (int)value.Number;
        findings.Add(value, $"{value.Given} given; allowed: {RangeText("an integer", minimum, maximum)}");
        return minimum;
    }

    /// <summary>Notes the keys that were given and not asked for. Call it when every key has been asked for.</summary>
    public void End()
    {
        // The list is long; once is enough for an object. It is made where a key is unknown: a model has many objects.
        var isFirst = true;
        foreach (var (key, value) in Tree.Members)
        {
            if (_known.Contains(key))
                continue;
            var allowed = isFirst ? string.Join(", ", _known.Distinct()) : "the same keys";
            Findings.Add(value, $"unknown key; allowed: {allowed}{NearestName.Meant(key, _known.Distinct())}");
            isFirst = false;
        }
    }

    private string PathOf(string key) => Tree.Path.Length == 0 ? key : $"{Tree.Path}.{key}";

    /// <summary>A range in words.</summary>
    public static string RangeText(string what, double minimum, double maximum)
    {
        if (minimum == double.MinValue && maximum == double.MaxValue)
            return what;
        return maximum is int.MaxValue or double.MaxValue
            ? string.Create(CultureInfo.InvariantCulture, $"{what}, at least {minimum}")
            : string.Create(CultureInfo.InvariantCulture, $"{what}, {minimum} .. {maximum}");
    }
}
