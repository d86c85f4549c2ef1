using System.Globalization;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Loads.Logs;

/// <summary>One line of a message log as it is read.</summary>
internal sealed class LoadRow
{
    private readonly string _source;
    private readonly int _line;
    private readonly string[] _fields;
    private readonly byte _outcome;

    /// <summary>Reads a line.</summary>
    /// <param name="text">The line without its newline.</param>
    /// <param name="source">What to call the file in messages.</param>
    /// <param name="line">The number of the line, from 1.</param>
    public LoadRow(string text, string source, int line)
    {
        (_source, _line) = (source, line);
        _fields = text.Split(',');
        if (_fields.Length != LoadColumns.Names.Length)
        {
            Finding = string.Create(
                CultureInfo.InvariantCulture,
                $"{source}:{line}: {_fields.Length} fields given; allowed: {LoadColumns.Names.Length}"
            );
            return;
        }
        Part = (LoadPart)Word(2, LoadColumns.Parts);
        Publisher = (int)Integer(0, Part == LoadPart.Run ? -1 : 0, int.MaxValue);
        Number = Integer(1, 0, long.MaxValue);
        Qos = (QualityOfService)Integer(3, 0, 2);
        PayloadBytes = (int)Integer(4, 0, int.MaxValue);
        Intended = Time(5);
        Sent = Time(6);
        SendBound = Time(7);
        Acknowledged = Time(8);
        Delivered = Time(9);
        Deliveries = (int)Integer(10, 0, int.MaxValue);
        IsReordered = Integer(11, 0, 1) == 1;
        IsOffline = Integer(12, 0, 1) == 1;
        _outcome = Word(
            13,
            Part switch
            {
                LoadPart.Repeat => LoadColumns.Repeats,
                LoadPart.Run => LoadColumns.Verdicts,
                _ => LoadColumns.Outcomes,
            }
        );
    }

    /// <summary>What is wrong with the line, or null.</summary>
    public string? Finding { get; private set; }

    public LoadPart Part { get; }

    public long Number { get; }

    public LoadVerdict Verdict => (LoadVerdict)_outcome;

    private int Publisher { get; }

    private QualityOfService Qos { get; }

    private int PayloadBytes { get; }

    private long Intended { get; }

    private long Sent { get; }

    private long SendBound { get; }

    private long Acknowledged { get; }

    private long Delivered { get; }

    private int Deliveries { get; }

    private bool IsReordered { get; }

    private bool IsOffline { get; }

    /// <summary>The message of a line of a message.</summary>
    public LoadMessage Message() =>
        new()
        {
            Publisher = Publisher,
            Number = Number,
            IsWarmUp = Part == LoadPart.WarmUp,
            IsOffline = IsOffline,
            IsReordered = IsReordered,
            Qos = Qos,
            PayloadBytes = PayloadBytes,
            IntendedNanoseconds = Intended,
            SentNanoseconds = Sent,
            SendBoundNanoseconds = SendBound,
            AcknowledgedNanoseconds = Acknowledged,
            DeliveredNanoseconds = Delivered,
            Deliveries = Deliveries,
            Outcome = (LoadOutcome)_outcome,
        };

    /// <summary>The arrival of a line of a further arrival.</summary>
    public LoadRepeat Repeat() => new(Publisher, Number, Qos, PayloadBytes, Delivered, _outcome == 1);

    private byte Word(int column, string[] words)
    {
        var index = Array.IndexOf(words, _fields[column]);
        if (index < 0)
            Find(column, string.Join(", ", words));
        return (byte)Math.Max(index, 0);
    }

    private long Integer(int column, long least, long most)
    {
        if (
            long.TryParse(_fields[column], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value)
            && value >= least
            && value <= most
        )
            return value;
        Find(column, string.Create(CultureInfo.InvariantCulture, $"an integer, {least} .. {most}"));
        return 0;
    }

    // Microseconds with three decimals; nothing where something did not happen.
    private long Time(int column)
    {
        var text = _fields[column];
        if (text.Length == 0)
            return LoadMessage.None;
        if (
            text.Length > 4
            && text[^4] == '.'
            && decimal.TryParse(
                text,
                NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint,
                CultureInfo.InvariantCulture,
                out var microseconds
            )
            && decimal.Abs(microseconds) <= long.MaxValue / 1000m
        )
            return (long)(microseconds * 1000);
        Find(column, "a number of microseconds with three decimals, or nothing");
        return 0;
    }

    private void Find(int column, string allowed) =>
        Finding ??=
            $"{_source}:{_line}: column {LoadColumns.Names[column]}: \"{_fields[column]}\" given; allowed: {allowed}";
}
