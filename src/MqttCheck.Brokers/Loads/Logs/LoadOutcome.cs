namespace MqttCheck.Brokers.Loads.Logs;

/// <summary>The outcome of a message of a load. Every message has exactly one outcome.</summary>
internal enum LoadOutcome : byte
{
    /// <summary>Every receiver has it.</summary>
    Delivered,

    /// <summary>
    /// The broker took it (by acknowledging it, or at QoS 0), but a receiver did not get it before the end of the run.
    /// </summary>
    Lost,

    /// <summary>
    /// It was sent, but the broker neither acknowledged it nor delivered it to all receivers. The broker is not liable
    /// for it.
    /// </summary>
    Unacknowledged,

    /// <summary>The broker answered it with a reason code that refuses it.</summary>
    Refused,

    /// <summary>
    /// It was due, but never sent: its publisher had no connection, or too many messages in flight until the end.
    /// </summary>
    Unsent,

    /// <summary>The run was cancelled while it was open.</summary>
    Cancelled,
}
