using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Protocol;
using MqttCheck.Text;

namespace MqttCheck.Captures.Foreign;

/// <summary>Reads any CSV file whose columns somebody named.</summary>
internal sealed class MappedLog
{
    private const long Millisecond = 1_000_000;

    // A number of milliseconds between them is no duration anybody measures, and no date: it counts seconds since 1970.
    private const double LeastSeconds = 1e9;
    private const double LeastMilliseconds = 1e11;

    // From there on, a date would lie beyond the year 5000: it counts microseconds or nanoseconds.
    private const double MostMilliseconds = 1e14;

    private static readonly string[] s_yes = ["true", "yes", "1", "ok", "success"];
    private static readonly string[] s_no = ["false", "no", "0", "error", "failure", "timeout"];

    private readonly CsvTable _table;
    private readonly ColumnMap _map;
    private readonly ForeignLog _log;
    private readonly Dictionary<string, int> _columns;

    private MappedLog(CsvTable table, ColumnMap map)
    {
        (_table, _map) = (table, map);
        _columns = map.Columns.ToDictionary(
            pair => pair.Key,
            pair => table.Require(pair.Value.Column, "next: name that in --columns"),
            StringComparer.Ordinal
        );
        var end = map.Columns.GetValueOrDefault(ColumnMap.End, map.Columns.GetValueOrDefault(ColumnMap.Latency));
        _log = new(
            "named columns",
            $"from sending to what the column {Printable.Value(end.Column)} means, taken for the acknowledgement",
            map.Columns.Values.Max(column => column.Unit ?? Millisecond)
        );
    }

    /// <summary>Reads a file.</summary>
    /// <exception cref="InputException">It cannot be read; the message says where and what is allowed.</exception>
    public static ForeignLog Read(string path, ColumnMap map)
    {
        using var table = new CsvTable(path, hasHeader: true);
        var reader = new MappedLog(table, map);
        while (table.Read())
            reader.Add();
        table.RequireRight();
        reader.NoteMissing();
        return reader._log;
    }

    private void Add()
    {
        if (KindOf() is not { } kind)
            return;
        var sent = TimeOf(ColumnMap.Time);
        var end = Has(ColumnMap.Latency)
            ? Duration() is { } latency
                ? sent + latency
                : null
            : Text(ColumnMap.End).Length > 0
                ? TimeOf(ColumnMap.End)
                : (long?)null;
        if (end < sent)
            Wrong(Has(ColumnMap.End) ? ColumnMap.End : ColumnMap.Latency, "not before the time of sending");
        _log.Exchanges.Add(
            new()
            {
                Kind = kind,
                Client = Text(ColumnMap.Client),
                Sent = sent,
                End = end,
                HasFailed = Has(ColumnMap.Success) && !IsSuccess(),
                Topic = Text(ColumnMap.Topic),
                Size = Integer(ColumnMap.Size, int.MaxValue, "an integer, at least 0"),
                Qos = (QualityOfService)Integer(ColumnMap.Qos, 2, "0, 1 or 2"),
            }
        );
    }

    private void NoteMissing()
    {
        _log.MissDeliveries();
        Note(ColumnMap.Message, "every line counts as a publication");
        Note(ColumnMap.Client, "all lines are of one client");
        Note(ColumnMap.Topic, "all messages have one topic");
        Note(ColumnMap.Size, "the model knows nothing of their effect");
        Note(ColumnMap.Qos, "the log has QoS 0");
        Note(ColumnMap.Success, "a line without an end is one whose end is not known");
    }

    private void Note(string part, string follows)
    {
        if (!Has(part))
            _log.Missing.Add($"{part}: {follows}");
    }

    private bool Has(string part) => _columns.ContainsKey(part);

    private string Text(string part) => _columns.TryGetValue(part, out var column) ? _table.Text(column) : "";

    private void Wrong(string part, string allowed) => _table.Wrong(_columns[part], _map.Columns[part].Column, allowed);

    private MessageKind? KindOf()
    {
        if (!Has(ColumnMap.Message))
            return MessageKind.Publish;
        var text = Text(ColumnMap.Message);
        var kind = MessageWords.Find(text);
        if (kind is null)
            _log.Skip($"lines of \"{Printable.Value(text)}\", which names no kind of message or several");
        return kind;
    }

    private bool IsSuccess()
    {
        var text = Text(ColumnMap.Success).Trim();
        if (s_yes.Contains(text, StringComparer.OrdinalIgnoreCase))
            return true;
        if (!s_no.Contains(text, StringComparer.OrdinalIgnoreCase))
            Wrong(ColumnMap.Success, string.Join(", ", s_yes.Concat(s_no)));
        return false;
    }

    private int Integer(string part, int most, string allowed)
    {
        if (!Has(part))
            return 0;
        if (
            int.TryParse(Text(part), NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            && value >= 0
            && value <= most
        )
            return value;
        Wrong(part, allowed);
        return 0;
    }

    private long? Duration()
    {
        var text = Text(ColumnMap.Latency);
        return text.Length == 0 ? null : Number(ColumnMap.Latency, text, "a number, at least 0; empty for no answer");
    }

    private long TimeOf(string part)
    {
        const string allowed = "a number, or a date and time such as 2026-05-01T12:00:00.123Z";
        var text = Text(part);
        if (_map.Columns[part].Unit is null)
        {
            if (double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number))
            {
                if (number is >= LeastSeconds and < LeastMilliseconds)
                    Wrong(part, $"milliseconds; next: {part}=COLUMN:s for seconds since 1970, :ms if it is right");
                else if (number >= MostMilliseconds)
                    Wrong(part, $"milliseconds; next: {part}=COLUMN:us or :ns for smaller units, :ms if it is right");
            }
            else if (
                DateTimeOffset.TryParse(
                    text,
                    CultureInfo.InvariantCulture,
                    DateTimeStyles.AssumeUniversal,
                    out var date
                )
            )
                return (date - DateTimeOffset.UnixEpoch).Ticks * 100;
        }
        return Number(part, text, allowed);
    }

    private long Number(string part, string text, string allowed)
    {
        var unit = _map.Columns[part].Unit ?? Millisecond;
        if (
            decimal.TryParse(
                text,
                NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent,
                CultureInfo.InvariantCulture,
                out var value
            )
            && value <= long.MaxValue / 4 / unit
        )
            return (long)(value * unit);
        Wrong(part, allowed);
        return 0;
    }
}
