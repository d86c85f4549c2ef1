using System.Buffers.Text;
using System.Globalization;
using System.Text;
using CsvHelper;
using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Logs;

/// <summary>Converts one record of an exchange log; fields are asked for in the order of the columns' names.</summary>
/// <param name="csv">The reader at the record.</param>
/// <param name="columns">For each known column its index in the file.</param>
/// <param name="source">The name of the log in messages.</param>
/// <param name="findings">Takes what is wrong.</param>
internal ref struct ExchangeRow(CsvReader csv, int[] columns, string source, List<string> findings)
{
    private static readonly double[] s_powers =
    [
        1,
        1e1,
        1e2,
        1e3,
        1e4,
        1e5,
        1e6,
        1e7,
        1e8,
        1e9,
        1e10,
        1e11,
        1e12,
        1e13,
        1e14,
        1e15,
    ];

    private int _column;

    public Exchange Exchange() =>
        new()
        {
            Message = (MessageKind)Word(MessageKinds.Names),
            ActiveMessages = Integer(1, int.MaxValue),
            TotalSubscriptions = Integer(0, int.MaxValue),
            TopicSize = Integer(0, 65_535),
            MessageSize = Integer(0, int.MaxValue),
            Subscribers = Integer(0, int.MaxValue),
            Receivers = Integer(0, int.MaxValue),
            LatencyMilliseconds = NumberOrNothing(),
            Run = Integer(0, 1_000_000),
            Client = Integer(0, 1_000_000),
            Sequence = Integer(0, int.MaxValue),
            IssueIndex = Long(),
            IntendedMicroseconds = Number(),
            SentMicroseconds = Number(),
            SendBoundMicroseconds = NumberOrNothing(),
            AcknowledgedMicroseconds = NumberOrNothing(),
            LastDeliveryMicroseconds = NumberOrNothing(),
            EndMicroseconds = Number(),
            Qos = (QualityOfService)Integer(0, 2),
            Topic = Integer(-1, 65_535),
            Phase = (ExchangePhase)Word(ExchangeColumns.Phases),
            Outcome = (ExchangeOutcome)Word(ExchangeColumns.Outcomes),
        };

    private int Word(string[] words)
    {
        var span = Next();
        for (var index = 0; index < words.Length; index++)
        {
            if (Ascii.Equals(span, words[index]))
                return index;
        }
        Add(string.Join(", ", words));
        return 0;
    }

    private int Integer(int minimum, int maximum)
    {
        var span = Next();
        if (
            Utf8Parser.TryParse(span, out int value, out var used)
            && used == span.Length
            && value >= minimum
            && value <= maximum
        )
            return value;
        Add(
            maximum == int.MaxValue
                ? string.Create(CultureInfo.InvariantCulture, $"an integer, at least {minimum}")
                : string.Create(CultureInfo.InvariantCulture, $"an integer, {minimum} .. {maximum}")
        );
        return minimum;
    }

    private long Long()
    {
        var span = Next();
        if (Utf8Parser.TryParse(span, out long value, out var used) && used == span.Length && value >= 0)
            return value;
        Add("an integer, at least 0");
        return 0;
    }

    private double NumberOrNothing() => csv.GetSpan(columns[_column]).IsEmpty ? Nothing() : Number();

    private double Number()
    {
        var span = Next();
        if (TryParseShort(span, out var value))
            return value;
        // The parser of the framework reads to the nearest double, as the writer's shortest text demands.
        if (
            double.TryParse(
                span,
                NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent,
                CultureInfo.InvariantCulture,
                out value
            ) && double.IsFinite(value)
        )
            return value;
        Add("a finite number");
        return 0;
    }

    // Digits with at most one point: as long as the digits make an integer below 2^53 and the power of ten is exact,
    // too, one division rounds to the nearest double (Clinger 1990). Most numbers of a log are such, and this takes a
    // fraction of the time.
    private static bool TryParseShort(ReadOnlySpan<byte> text, out double value)
    {
        const int mostDigits = 15;
        value = 0;
        if (text.Length is 0 or > mostDigits + 1)
            return false;
        var (digits, decimals) = (0L, -1);
        foreach (var character in text)
        {
            if (character == '.' && decimals < 0)
            {
                decimals = 0;
                continue;
            }
            var digit = (uint)character - '0';
            if (digit > 9)
                return false;
            digits = digits * 10 + digit;
            if (decimals >= 0)
                decimals++;
        }
        // No digit before or after the point, or too many digits: for the other parser to judge.
        if (decimals == 0 || text[0] == '.' || text.Length - (decimals > 0 ? 1 : 0) > mostDigits)
            return false;
        value = decimals <= 0 ? digits : digits / s_powers[decimals];
        return true;
    }

    private double Nothing()
    {
        _column++;
        return double.NaN;
    }

    private ReadOnlySpan<byte> Next() => csv.GetSpan(columns[_column++]);

    private readonly void Add(string allowed)
    {
        var given = csv.GetString(columns[_column - 1]);
        if (given.Length > 60)
            given = given[..60] + "...";
        findings.Add(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{source}:{csv.LineNumber}: column {ExchangeColumns.Names[_column - 1]}: "
                    + $"\"{given}\" given; allowed: {allowed}"
            )
        );
    }
}
