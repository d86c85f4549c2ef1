namespace MqttCheck.Brokers.Loads.Logs;

/// <summary>
/// The columns of a message log and the words in them. The outcome comes last, so that a line that was cut short cannot
/// pass for a whole one.
/// </summary>
internal static class LoadColumns
{
    public static readonly string[] Names =
    [
        "publisher",
        "number",
        "phase",
        "qos",
        "payload_bytes",
        "intended_us",
        "sent_us",
        "send_bound_us",
        "ack_us",
        "delivered_us",
        "deliveries",
        "reordered",
        "offline",
        "outcome",
    ];

    /// <summary>The words for <see cref="LoadPart"/>, by value.</summary>
    public static readonly string[] Parts = ["counted", "warm-up", "repeat", "run"];

    /// <summary>The words for a further arrival: without and with DUP.</summary>
    public static readonly string[] Repeats = ["duplicate", "redelivery"];

    /// <summary>The words for <see cref="LoadOutcome"/>, by value.</summary>
    public static readonly string[] Outcomes =
    [
        "delivered",
        "lost",
        "unacknowledged",
        "refused",
        "unsent",
        "cancelled",
    ];

    /// <summary>The words for <see cref="LoadVerdict"/>, by value.</summary>
    public static readonly string[] Verdicts = ["valid", "invalid", "interrupted", "failed"];
}
