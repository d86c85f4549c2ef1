using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace MqttCheck.Json;

/// <summary>The kinds of values that many formats share.</summary>
internal static class JsonKinds
{
    private const string TimeForm = "a time as 2026-01-31T12:00:00.000Z";

    /// <summary>Any text.</summary>
    public static JsonKind<string> Text { get; } = TextWhere("a text", _ => true);

    /// <summary>An array of texts; another value in it is taken by its text.</summary>
    public static JsonKind<IReadOnlyList<string>> Texts { get; } =
        List(Text with { Read = (tree, _) => tree.Text, Schema = null }, "an array of texts");

    /// <summary>True or false.</summary>
    public static JsonKind<bool> Flag { get; } =
        new(
            "true or false",
            (tree, findings) =>
                Is(tree, findings, tree.Type is JsonTokenType.True or JsonTokenType.False, "true or false")
                && tree.Type == JsonTokenType.True,
            (writer, value) => writer.WriteBooleanValue(value),
            () => false,
            () => JsonNodes.Object(("type", "boolean"))
        );

    /// <summary>An integer of 64 bits as a text, since JSON numbers do not hold them everywhere.</summary>
    public static JsonKind<ulong> Seed { get; } =
        new(
            "an integer as a text",
            (tree, findings) =>
                Is(
                    tree,
                    findings,
                    ulong.TryParse(tree.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var seed),
                    $"an integer as a text, \"0\" .. \"{ulong.MaxValue}\""
                )
                    ? seed
                    : 0,
            (writer, seed) => writer.WriteStringValue(seed.ToString(CultureInfo.InvariantCulture)),
            () => 0
        );

    /// <summary>A time of the world.</summary>
    public static JsonKind<DateTimeOffset> Time { get; } =
        new(
            TimeForm,
            (tree, findings) =>
                Is(
                    tree,
                    findings,
                    DateTimeOffset.TryParse(
                        tree.Text,
                        CultureInfo.InvariantCulture,
                        DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
                        out var time
                    ),
                    TimeForm
                )
                    ? time
                    : DateTimeOffset.UnixEpoch,
            (writer, time) =>
                writer.WriteStringValue(
                    time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture)
                ),
            () => DateTimeOffset.UnixEpoch
        );

    /// <summary>A number in a range.</summary>
    public static JsonKind<double> Number(double minimum = double.MinValue, double maximum = double.MaxValue) =>
        new(
            JsonObjectReader.RangeText("a number", minimum, maximum),
            (tree, findings) => JsonObjectReader.Number(tree, minimum, maximum, findings),
            (writer, number) => writer.WriteNumberValue(number),
            () => minimum,
            () => Range("number", minimum, maximum)
        );

    /// <summary>An integer in a range.</summary>
    public static JsonKind<int> Integer(int minimum, int maximum = int.MaxValue) =>
        new(
            JsonObjectReader.RangeText("an integer", minimum, maximum),
            (tree, findings) => JsonObjectReader.Integer(tree, minimum, maximum, findings),
            (writer, number) => writer.WriteNumberValue(number),
            () => minimum,
            () => Range("integer", minimum, maximum)
        );

    /// <summary>A time in seconds.</summary>
    public static JsonKind<TimeSpan> Seconds(double minimum, double maximum) =>
        Number(minimum, maximum).As(TimeSpan.FromSeconds, time => time.TotalSeconds);

    /// <summary>An integer of 64 bits, as far as a number of JSON holds it.</summary>
    public static JsonKind<long> Long(double minimum, double maximum) =>
        Number(minimum, maximum).As(number => (long)number, number => number) with
        {
            Write = (writer, number) => writer.WriteNumberValue(number),
        };

    /// <summary>An integer of up to 64 bits, read by its digits.</summary>
    public static JsonKind<ulong> Digits(ulong maximum) =>
        new(
            $"an integer, 0 .. {maximum}",
            (tree, findings) =>
                Is(
                    tree,
                    findings,
                    UInt128.TryParse(tree.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                        && tree.Type == JsonTokenType.Number
                        && number <= maximum,
                    $"an integer, 0 .. {maximum}"
                )
                    ? (ulong)number
                    : 0,
            (writer, number) => writer.WriteNumberValue(number),
            () => 0
        );

    /// <summary>A text that fulfils a condition.</summary>
    /// <param name="allowed">The allowed texts, for messages.</param>
    /// <param name="isAllowed">The condition.</param>
    /// <param name="pattern">The condition as a regular expression, for the schema.</param>
    /// <param name="other">The allowed values, for the message about what is no text; null for the same.</param>
    public static JsonKind<string> TextWhere(
        string allowed,
        Func<string, bool> isAllowed,
        string? pattern = null,
        string? other = null
    ) =>
        new(
            other ?? allowed,
            (tree, findings) =>
                Is(tree, findings, tree.Type == JsonTokenType.String, other ?? allowed)
                && Is(tree, findings, isAllowed(tree.Text), allowed)
                    ? tree.Text
                    : "",
            (writer, text) => writer.WriteStringValue(text),
            () => "",
            () => JsonNodes.Object(("type", "string"), ("pattern", pattern))
        );

    /// <summary>One of some words, each in quotation marks in messages.</summary>
    /// <param name="words">Each with its meaning; the first stands in after a finding.</param>
    public static JsonKind<T> Choice<T>(params (string Text, T Value)[] words) =>
        Word(string.Join(", ", TextsOf(words).Select(text => $"\"{text}\"")), null, words);

    /// <summary>One of some words.</summary>
    /// <param name="words">Each with its meaning; the first stands in after a finding.</param>
    public static JsonKind<T> Word<T>(params (string Text, T Value)[] words) =>
        Word(string.Join(", ", TextsOf(words)), "a text", words);

    /// <summary>One of some words.</summary>
    /// <param name="allowed">The words, for messages.</param>
    /// <param name="other">The allowed values, for the message about what is no text; null for the same.</param>
    /// <param name="words">Each with its meaning; the first stands in after a finding.</param>
    public static JsonKind<T> Word<T>(string allowed, string? other, (string Text, T Value)[] words)
    {
        var texts = TextsOf(words);
        return TextWhere(allowed, texts.Contains, $"^({string.Join('|', texts)})$", other)
            .As(
                text => words[Math.Max(0, Array.IndexOf(texts, text))].Value,
                value => Array.Find(words, word => Equals(word.Value, value)).Text
            );
    }

    /// <summary>A number above 0.</summary>
    /// <param name="maximum">The largest number.</param>
    /// <param name="allowed">The allowed numbers, for the message about 0.</param>
    public static JsonKind<double> Positive(double maximum, string allowed) =>
        Number(0, maximum) with
        {
            Read = (tree, findings) =>
            {
                if (tree is not { Type: JsonTokenType.Number, Number: 0 })
                    return JsonObjectReader.Number(tree, 0, maximum, findings);
                findings.Add(tree, $"0 given; allowed: {allowed}");
                return 1;
            },
            StandIn = () => 1,
            Schema = () => JsonNodes.Object(("type", "number"), ("exclusiveMinimum", 0), ("maximum", maximum)),
        };

    /// <summary>An array.</summary>
    /// <param name="item">The kind of its items.</param>
    /// <param name="allowed">The allowed items, for messages.</param>
    /// <param name="check">Looks at each item that was read, given those before it.</param>
    public static JsonKind<IReadOnlyList<T>> List<T>(
        JsonKind<T> item,
        string allowed,
        Action<IReadOnlyList<T>, T, JsonTree, JsonFindings>? check = null
    ) =>
        new(
            allowed,
            (tree, findings) =>
            {
                Is(tree, findings, tree.Type == JsonTokenType.StartArray, allowed);
                var values = new List<T>(tree.Items.Count);
                foreach (var at in tree.Items)
                {
                    var value = item.Read(at, findings);
                    check?.Invoke(values, value, at, findings);
                    values.Add(value);
                }
                return values;
            },
            (writer, values) =>
            {
                writer.WriteStartArray();
                foreach (var value in values)
                    item.Write(writer, value);
                writer.WriteEndArray();
            },
            () => [],
            () => JsonNodes.Object(("type", "array"), ("items", item.Schema?.Invoke()))
        );

    /// <summary>An object with a text under any key, written in the order of the keys.</summary>
    public static JsonKind<IReadOnlyDictionary<string, string>> Details { get; } =
        new(
            "an object with texts",
            ReadDetails,
            (writer, details) =>
            {
                writer.WriteStartObject();
                foreach (var key in details.Keys.Order(StringComparer.Ordinal))
                    writer.WriteString(key, details[key]);
                writer.WriteEndObject();
            },
            () => new Dictionary<string, string>()
        );

    /// <summary>An array of a fixed length.</summary>
    /// <param name="allowed">The allowed arrays, for the message about another length.</param>
    /// <param name="items">The kind of each item.</param>
    public static JsonKind<IReadOnlyList<T>> Tuple<T>(string allowed, params JsonKind<T>[] items) =>
        List(items[0], allowed) with
        {
            Read = (tree, findings) =>
            {
                var at = 0;
                return Is(tree, findings, tree.Items.Count == items.Length, allowed)
                    ? Array.ConvertAll(items, kind => kind.Read(tree.Items[at++], findings))
                    : Array.ConvertAll(items, kind => kind.StandIn());
            },
            Schema = () =>
                JsonNodes.Object(
                    ("type", "array"),
                    ("prefixItems", JsonNodes.Array(items, kind => kind.Schema?.Invoke())),
                    ("minItems", items.Length),
                    ("maxItems", items.Length)
                ),
        };

    /// <summary>Notes a value that is not allowed.</summary>
    /// <param name="tree">The value.</param>
    /// <param name="findings">Receives the finding.</param>
    /// <param name="isAllowed">Whether it is allowed.</param>
    /// <param name="allowed">The allowed values.</param>
    public static bool Is(JsonTree tree, JsonFindings findings, bool isAllowed, string allowed)
    {
        if (!isAllowed)
            findings.Add(tree, $"{tree.Given} given; allowed: {allowed}");
        return isAllowed;
    }

    private static string[] TextsOf<T>((string Text, T Value)[] words) => Array.ConvertAll(words, word => word.Text);

    private static Dictionary<string, string> ReadDetails(JsonTree tree, JsonFindings findings)
    {
        Is(tree, findings, tree.Type == JsonTokenType.StartObject, "an object with texts");
        return tree.Members.ToDictionary(member => member.Key, member => Text.Read(member.Value, findings));
    }

    private static JsonObject Range(string type, double minimum, double maximum) =>
        JsonNodes.Object(
            ("type", type),
            ("minimum", minimum > double.MinValue ? minimum : null),
            ("maximum", maximum is < double.MaxValue and not int.MaxValue ? maximum : null)
        );
}
