using MqttCheck.Clients;

namespace MqttCheck.Logs;

/// <summary>
/// The columns of an exchange log and the words in them. The outcome comes last, so that a line that was cut short
/// cannot pass for a whole one.
/// </summary>
internal static class ExchangeColumns
{
    public static readonly string[] Names =
    [
        "message",
        "active_messages",
        "total_subscriptions",
        "topic_size",
        "message_size",
        "subscribers",
        "receivers",
        "latency_ms",
        "run",
        "client",
        "sequence",
        "issue_index",
        "intended_us",
        "sent_us",
        "send_bound_us",
        "ack_us",
        "last_delivery_us",
        "end_us",
        "qos",
        "topic",
        "phase",
        "outcome",
    ];

    /// <summary>The words for <see cref="ExchangePhase"/>, by value.</summary>
    public static readonly string[] Phases = ["warm-up", "counted", "cool-down", "reset"];

    /// <summary>The words for <see cref="ExchangeOutcome"/>, by value. None is the beginning of another.</summary>
    public static readonly string[] Outcomes =
    [
        "success",
        "timeout",
        "connection-lost",
        "refused",
        "violation",
        "cancelled",
    ];

    /// <summary>Writes a line with the values of all columns in the order of <see cref="Names"/>.</summary>
    /// <param name="exchange">The exchange.</param>
    /// <param name="to">The room for the line.</param>
    /// <returns>How many bytes it has.</returns>
    public static int FormatLine(in Exchange exchange, Span<byte> to)
    {
        var line = new CsvLine(to);
        line.Word(exchange.Message.Name());
        line.Number(exchange.ActiveMessages);
        line.Number(exchange.TotalSubscriptions);
        line.Number(exchange.TopicSize);
        line.Number(exchange.MessageSize);
        line.Number(exchange.Subscribers);
        line.Number(exchange.Receivers);
        line.Number(exchange.LatencyMilliseconds);
        line.Number(exchange.Run);
        line.Number(exchange.Client);
        line.Number(exchange.Sequence);
        line.Number(exchange.IssueIndex);
        line.Number(exchange.IntendedMicroseconds);
        line.Number(exchange.SentMicroseconds);
        line.Number(exchange.SendBoundMicroseconds);
        line.Number(exchange.AcknowledgedMicroseconds);
        line.Number(exchange.LastDeliveryMicroseconds);
        line.Number(exchange.EndMicroseconds);
        line.Number((int)exchange.Qos);
        line.Number(exchange.Topic);
        line.Word(Phases[(int)exchange.Phase]);
        line.Word(Outcomes[(int)exchange.Outcome]);
        return line.End();
    }
}
