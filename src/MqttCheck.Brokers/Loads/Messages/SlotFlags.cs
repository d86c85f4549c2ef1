namespace MqttCheck.Brokers.Loads.Messages;

/// <summary>The state of an open message.</summary>
[Flags]
internal enum SlotFlags : byte
{
    /// <summary>The slot is free.</summary>
    None = 0,

    /// <summary>The slot holds a message whose outcome is not known yet.</summary>
    Open = 1,

    /// <summary>It does not count.</summary>
    WarmUp = 2,

    /// <summary>A receiver was offline on purpose.</summary>
    Offline = 4,

    /// <summary>It came after a later one.</summary>
    Reordered = 8,

    /// <summary>The broker's acknowledgement is still expected.</summary>
    AwaitsAcknowledgement = 16,

    /// <summary>It does not count as in flight any more.</summary>
    Expired = 32,

    /// <summary>The time of sending is that of the call of a client library.</summary>
    SentByCall = 64,
}
