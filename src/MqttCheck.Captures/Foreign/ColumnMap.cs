using MqttCheck.Text;

namespace MqttCheck.Captures.Foreign;

/// <summary>The columns of a CSV file that stand for the parts of an exchange.</summary>
/// <param name="Columns">For each part its column, with the nanoseconds of its unit where one was given.</param>
internal sealed record ColumnMap(IReadOnlyDictionary<string, (string Column, long? Unit)> Columns)
{
    internal const string Time = "time";
    internal const string Latency = "latency";
    internal const string End = "end";
    internal const string Message = "message";
    internal const string Client = "client";
    internal const string Size = "size";
    internal const string Topic = "topic";
    internal const string Qos = "qos";
    internal const string Success = "success";

    private const string Allowed = "PART=COLUMN,..., with :s, :ms, :us or :ns behind the column of a time";

    private static readonly string[] s_times = [Time, Latency, End];
    private static readonly string[] s_parts = [.. s_times, Message, Client, Size, Topic, Qos, Success];

    private static readonly Dictionary<string, long> s_units = new(StringComparer.Ordinal)
    {
        ["s"] = 1_000_000_000,
        ["ms"] = 1_000_000,
        ["us"] = 1000,
        ["ns"] = 1,
    };

    /// <summary>Reads a map.</summary>
    /// <param name="text">For example <c>time=timeStamp,latency=elapsed</c>.</param>
    /// <exception cref="InputException">It is none; the message says what is allowed.</exception>
    public static ColumnMap Parse(string text)
    {
        var columns = new Dictionary<string, (string Column, long? Unit)>(StringComparer.Ordinal);
        foreach (var entry in text.Split(','))
        {
            var at = entry.IndexOf('=', StringComparison.Ordinal);
            if (at <= 0 || at == entry.Length - 1)
                throw Wrong($"'{Printable.Value(entry)}' given; allowed: {Allowed}");
            var (part, column) = (entry[..at].Trim(), entry[(at + 1)..].Trim());
            if (!s_parts.Contains(part))
                throw Wrong(
                    $"'{Printable.Value(part)}' given; allowed: {string.Join(", ", s_parts)}"
                        + NearestName.Meant(part, s_parts)
                );
            var unit = s_times.Contains(part) ? UnitOf(ref column) : null;
            if (!columns.TryAdd(part, (column, unit)))
                throw Wrong($"'{part}' given twice; allowed: each part once");
        }
        if (!columns.ContainsKey(Time) || columns.ContainsKey(Latency) == columns.ContainsKey(End))
            throw Wrong($"'{Printable.Value(text)}' given; allowed: with time, and either latency or end");
        return new(columns);
    }

    private static InputException Wrong(string what) => new($"--columns: {what}");

    private static long? UnitOf(ref string column)
    {
        var colon = column.LastIndexOf(':');
        if (colon <= 0 || !s_units.TryGetValue(column[(colon + 1)..], out var unit))
            return null;
        column = column[..colon];
        return unit;
    }
}
