using System.Globalization;
using System.Text;
using System.Text.Json;
using MqttCheck.Text;

namespace MqttCheck.Json;

/// <summary>
/// A JSON value that knows its line and its key, so that a finding about it can say where. Strict JSON: no comments, no
/// trailing commas, no key twice in an object.
/// </summary>
/// <remarks>A model file has ten thousands of values, so the keys to a value are put together when asked for.</remarks>
internal sealed class JsonTree(JsonTokenType type, int line, JsonTree? parent, string? key, int index)
{
    private static readonly IReadOnlyList<JsonTree> NoItems = [];
    private static readonly IReadOnlyList<KeyValuePair<string, JsonTree>> NoMembers = [];

    /// <summary>The token that begins the value: an object, an array, a string, a number, a boolean or null.</summary>
    public JsonTokenType Type { get; } = type;

    /// <summary>The line of the value's first character, from 1.</summary>
    public int Line { get; } = line;

    /// <summary>
    /// The keys from the root to the value, for example <c>groups[0].profile.qos</c>; empty at the root.
    /// </summary>
    public string Path =>
        (parent?.Path, key) switch
        {
            (null, _) => "",
            (var path, null) => string.Create(CultureInfo.InvariantCulture, $"{path}[{index}]"),
            ("", _) => Printable.Value(key),
            var (path, _) => $"{path}.{Printable.Value(key)}",
        };

    /// <summary>The members of an object in their order, empty for anything else.</summary>
    public IReadOnlyList<KeyValuePair<string, JsonTree>> Members { get; private init; } = NoMembers;

    /// <summary>The items of an array, empty for anything else.</summary>
    public IReadOnlyList<JsonTree> Items { get; private init; } = NoItems;

    /// <summary>The value of a number, NaN for anything else.</summary>
    public double Number { get; private init; } = double.NaN;

    /// <summary>A string's text, otherwise the value as written (shortened for objects and arrays).</summary>
    public string Text { get; private init; } = "";

    /// <summary>The value as it reads in a message.</summary>
    public string Given =>
        Type switch
        {
            JsonTokenType.String => $"\"{Printable.Value(Text)}\"",
            JsonTokenType.StartObject => "an object",
            JsonTokenType.StartArray => "an array",
            _ => Printable.Value(Text),
        };

    /// <summary>The value as it reads where its length matters.</summary>
    public string GivenWithCount =>
        Type switch
        {
            JsonTokenType.StartObject => string.Create(CultureInfo.InvariantCulture, $"an object of {Members.Count}"),
            JsonTokenType.StartArray => string.Create(CultureInfo.InvariantCulture, $"an array of {Items.Count}"),
            _ => Given,
        };

    /// <summary>The member of an object with the given key, or null.</summary>
    /// <param name="key">The exact key.</param>
    public JsonTree? Member(string key) => Members.FirstOrDefault(member => member.Key == key).Value;

    /// <summary>An object without some of its members.</summary>
    /// <param name="keys">Their keys.</param>
    public JsonTree Without(params IReadOnlyList<string> keys) =>
        new(Type, Line, parent, key, index)
        {
            Members = [.. Members.Where(member => !keys.Contains(member.Key))],
            Text = Text,
        };

    /// <summary>Reads one JSON document.</summary>
    /// <param name="utf8">The text, with or without a byte order mark.</param>
    /// <param name="source">The name of the document in messages: the file's path.</param>
    /// <param name="maximumDepth">How deeply values may be nested.</param>
    /// <exception cref="InputException">It is not JSON, or an object has a key twice.</exception>
    public static JsonTree Parse(ReadOnlySpan<byte> utf8, string source, int maximumDepth = 32)
    {
        if (utf8.StartsWith("\uFEFF"u8))
            utf8 = utf8[3..];
        if (utf8.Trim(" \t\r\n"u8).IsEmpty)
            throw new InputException($"{source}: the file is empty; allowed: a JSON object");
        var reader = new Utf8JsonReader(utf8, new JsonReaderOptions { MaxDepth = maximumDepth });
        var lines = new LineCounter();
        try
        {
            reader.Read();
            var tree = ReadValue(ref reader, utf8, ref lines, source, null, null, 0);
            // Anything after the document is an error that the reader reports.
            reader.Read();
            return tree;
        }
        catch (JsonException malformed)
        {
            var line = (malformed.LineNumber ?? 0) + 1;
            var detail = malformed.Message;
            var end = detail.IndexOf(" LineNumber:", StringComparison.Ordinal);
            if (end >= 0)
                detail = detail[..end];
            throw new InputException(
                string.Create(CultureInfo.InvariantCulture, $"{source}:{line}: not valid JSON: {detail}"),
                malformed
            );
        }
        catch (InvalidOperationException malformed)
        {
            // A string with bytes that are not UTF-8.
            throw new InputException($"{source}: not valid JSON: {malformed.Message}", malformed);
        }
    }

    private static JsonTree ReadValue(
        ref Utf8JsonReader reader,
        ReadOnlySpan<byte> utf8,
        ref LineCounter lines,
        string source,
        JsonTree? parent,
        string? name,
        int index
    )
    {
        var type = reader.TokenType;
        var line = lines.At(utf8, (int)reader.TokenStartIndex);
        switch (type)
        {
            case JsonTokenType.StartObject:
                var members = new List<KeyValuePair<string, JsonTree>>();
                var owner = new JsonTree(type, line, parent, name, index) { Members = members };
                var keys = new HashSet<string>(StringComparer.Ordinal);
                while (reader.Read() && reader.TokenType != JsonTokenType.EndObject)
                {
                    var key = reader.GetString()!;
                    if (!keys.Add(key))
                    {
                        var again = new JsonTree(type, lines.At(utf8, (int)reader.TokenStartIndex), owner, key, 0);
                        throw new InputException(
                            string.Create(
                                CultureInfo.InvariantCulture,
                                $"{source}:{again.Line}: {again.Path}: the key is given twice; allowed: once"
                            )
                        );
                    }
                    reader.Read();
                    members.Add(new(key, ReadValue(ref reader, utf8, ref lines, source, owner, key, 0)));
                }
                return owner;
            case JsonTokenType.StartArray:
                var items = new List<JsonTree>();
                var array = new JsonTree(type, line, parent, name, index) { Items = items };
                while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
                    items.Add(ReadValue(ref reader, utf8, ref lines, source, array, null, items.Count));
                return array;
            case JsonTokenType.String:
                return new(type, line, parent, name, index) { Text = reader.GetString()! };
            case JsonTokenType.Number:
                // A number beyond the range of a double becomes infinite; every reader of numbers checks the range.
                return new(type, line, parent, name, index)
                {
                    Number = reader.GetDouble(),
                    Text = Encoding.UTF8.GetString(reader.ValueSpan),
                };
            default:
                return new(type, line, parent, name, index) { Text = Encoding.UTF8.GetString(reader.ValueSpan) };
        }
    }

    // Tokens come in order, so each newline is counted once.
    private struct LineCounter
    {
        private int _position,
            _line;

        public int At(ReadOnlySpan<byte> utf8, int position)
        {
            _line += utf8[_position..position].Count((byte)'\n');
            _position = position;
            return _line + 1;
        }
    }
}
