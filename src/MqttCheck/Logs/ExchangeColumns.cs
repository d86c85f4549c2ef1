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
}
