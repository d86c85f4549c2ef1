namespace MqttCheck.Brokers.Loads.Logs;

/// <summary>What became of a message of a load. Every message has exactly one outcome.</summary>
public enum LoadOutcome : byte
{
    /// <summary>Every receiver has it.</summary>
    Delivered,

    /// <summary>
    /// The broker took it (it acknowledged it, or it was of QoS 0), and a receiver did not get it until the end of the
    /// run.
    /// </summary>
    Lost,

    /// <summary>It was sent, but the broker neither acknowledged it nor delivered it to all: it owes nothing.</summary>
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
