using System.Text;

namespace MqttCheck.Brokers.Wire.WebSockets;

/// <summary>The head of an HTTP/1.1 message: its first line and its fields.</summary>
/// <param name="firstLine">The first line.</param>
internal sealed class HttpHead(string firstLine)
{
    /// <summary>The longest head that is read.</summary>
    public const int MaximumBytes = 8 << 10;

    private readonly Dictionary<string, string> _fields = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>The first line.</summary>
    public string FirstLine { get; } = firstLine;

    /// <summary>
    /// The value of a field, the values joined by commas where it is repeated, empty where it is missing.
    /// </summary>
    /// <param name="field">Its name.</param>
    public string this[string field] => _fields.GetValueOrDefault(field, "");

    /// <summary>How long the head is, with the empty line that ends it.</summary>
    /// <param name="bytes">The start of the message.</param>
    /// <returns>Negative when its end is not there yet.</returns>
    public static int FindEnd(ReadOnlySpan<byte> bytes)
    {
        var end = bytes.IndexOf("\r\n\r\n"u8);
        return end < 0 ? -1 : end + 4;
    }

    /// <summary>Reads a head.</summary>
    /// <param name="bytes">All of it.</param>
    /// <returns>Null when a field has no name.</returns>
    public static HttpHead? Parse(ReadOnlySpan<byte> bytes)
    {
        var lines = Encoding.Latin1.GetString(bytes).Split("\r\n", StringSplitOptions.RemoveEmptyEntries);
        var head = new HttpHead(lines.Length > 0 ? lines[0] : "");
        foreach (var line in lines.Skip(1))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon <= 0)
                return null;
            var (name, value) = (line[..colon], line[(colon + 1)..].Trim());
            head._fields[name] = head._fields.TryGetValue(name, out var before) ? $"{before},{value}" : value;
        }
        return head;
    }

    /// <summary>Whether a field that is a list holds an element, whatever its case.</summary>
    /// <param name="field">The field's name.</param>
    /// <param name="element">The element.</param>
    public bool Lists(string field, string element) =>
        this[field].Split(',', StringSplitOptions.TrimEntries).Contains(element, StringComparer.OrdinalIgnoreCase);
}
