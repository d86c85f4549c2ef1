using System.Diagnostics;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Loads.Logs;

/// <summary>A line of a message log: a message, a further arrival of one, or the verdict on the run.</summary>
internal readonly struct LoadLine
{
    private readonly LoadMessage _message;
    private readonly LoadPart _part;

    // The part decides to which enumeration this value belongs.
    private readonly byte _outcome;

    private LoadLine(in LoadMessage message, LoadPart part, byte outcome) =>
        (_message, _part, _outcome) = (message, part, outcome);

    public static LoadLine Of(in LoadMessage message) =>
        new(message, message.IsWarmUp ? LoadPart.WarmUp : LoadPart.Counted, (byte)message.Outcome);

    public static LoadLine Of(in LoadRepeat repeat) =>
        new(
            Blank with
            {
                Publisher = repeat.Publisher,
                Number = repeat.Number,
                Qos = repeat.Qos,
                PayloadBytes = repeat.PayloadBytes,
                DeliveredNanoseconds = repeat.ArrivedNanoseconds,
            },
            LoadPart.Repeat,
            repeat.IsRedelivery ? (byte)1 : (byte)0
        );

    /// <summary>The last line: how many messages came before, and whether they can be used.</summary>
    public static LoadLine Of(LoadVerdict verdict, long messages) =>
        new(Blank with { Publisher = -1, Number = messages }, LoadPart.Run, (byte)verdict);

    /// <summary>Formats the line.</summary>
    /// <param name="line">The line.</param>
    /// <param name="to">Room for it.</param>
    /// <returns>Its length in bytes, the newline included.</returns>
    public static int Format(in LoadLine line, Span<byte> to)
    {
        ref readonly var message = ref line._message;
        var text = new CsvLine(to);
        text.Number(message.Publisher);
        text.Number(message.Number);
        text.Word(LoadColumns.Parts[(int)line._part]);
        text.Number((long)message.Qos);
        text.Number(message.PayloadBytes);
        text.Microseconds(Known(message.IntendedNanoseconds));
        text.Microseconds(Known(message.SentNanoseconds));
        text.Microseconds(Known(message.SendBoundNanoseconds));
        text.Microseconds(Known(message.AcknowledgedNanoseconds));
        text.Microseconds(Known(message.DeliveredNanoseconds));
        text.Number(message.Deliveries);
        text.Number(message.IsReordered ? 1L : 0);
        text.Number(message.IsOffline ? 1L : 0);
        text.Word(line.Outcome);
        return text.End();
    }

    private string Outcome =>
        (
            _part switch
            {
                LoadPart.Repeat => LoadColumns.Repeats,
                LoadPart.Run => LoadColumns.Verdicts,
                LoadPart.Counted or LoadPart.WarmUp => LoadColumns.Outcomes,
                _ => throw new UnreachableException(),
            }
        )[_outcome];

    private static LoadMessage Blank =>
        new()
        {
            Publisher = 0,
            Number = 0,
            IsWarmUp = false,
            IsOffline = false,
            IsReordered = false,
            Qos = QualityOfService.AtMostOnce,
            PayloadBytes = 0,
            IntendedNanoseconds = LoadMessage.None,
            SentNanoseconds = LoadMessage.None,
            SendBoundNanoseconds = LoadMessage.None,
            AcknowledgedNanoseconds = LoadMessage.None,
            DeliveredNanoseconds = LoadMessage.None,
            Deliveries = 0,
            Outcome = LoadOutcome.Delivered,
        };

    private static long? Known(long nanoseconds) => nanoseconds == LoadMessage.None ? null : nanoseconds;
}
