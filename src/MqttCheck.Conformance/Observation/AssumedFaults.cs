namespace MqttCheck.Conformance.Observation;

/// <summary>
/// Faults that a broker may be assumed to have. Each makes the model less certain: deliveries that were owed or
/// forbidden become merely possible.
/// </summary>
[Flags]
internal enum AssumedFaults
{
    /// <summary>Nothing beyond what one statement says.</summary>
    None = 0,

    /// <summary>A subscription with No Local may bring messages of its own client.</summary>
    NoLocalIgnored = 1,

    /// <summary>A stored message may answer a subscription with RETAIN clear.</summary>
    StoredFlagClear = 1 << 1,

    /// <summary>A live message may have RETAIN set or clear.</summary>
    LiveFlagAny = 1 << 2,

    /// <summary>A message may come at any quality of service.</summary>
    QosAny = 1 << 3,

    /// <summary>The codes of SUBACK do not tell what was granted.</summary>
    GrantsUnknown = 1 << 4,

    /// <summary>Messages may be taken for messages of another topic.</summary>
    TopicsConfused = 1 << 5,

    /// <summary>A stored message may stay, whatever is published after it.</summary>
    StoredStays = 1 << 6,

    /// <summary>A stored message may be gone, or not be sent.</summary>
    StoredMissing = 1 << 7,

    /// <summary>Retain handling may be ignored.</summary>
    RetainHandlingIgnored = 1 << 8,

    /// <summary>A session may go on after its end.</summary>
    SessionOutlives = 1 << 9,

    /// <summary>A session may go on after a clean start.</summary>
    CleanStartIgnored = 1 << 10,

    /// <summary>A session may end with its connection, and CONNACK does not tell whether it did.</summary>
    SessionLost = 1 << 11,

    /// <summary>A will may be lost.</summary>
    WillLost = 1 << 12,

    /// <summary>A will that waits may be published at any time, and never.</summary>
    WillUntimely = 1 << 13,

    /// <summary>A will may be published after DISCONNECT.</summary>
    WillKept = 1 << 14,

    /// <summary>A subscription may be lost.</summary>
    SubscriptionLost = 1 << 15,

    /// <summary>A subscription may go on after UNSUBACK.</summary>
    UnsubscribeIgnored = 1 << 16,

    /// <summary>Messages may be lost that wait for a client to come back.</summary>
    QueueLost = 1 << 17,

    /// <summary>Messages may be lost.</summary>
    MessageLost = 1 << 18,

    /// <summary>Messages of shared subscriptions may be lost.</summary>
    SharedLost = 1 << 19,

    /// <summary>A message may come more often than it should.</summary>
    CopiesAny = 1 << 20,

    /// <summary>A filter that begins with a wildcard may match a topic that begins with $.</summary>
    DollarMatched = 1 << 21,

    /// <summary>Unfinished exchanges may not be sent again.</summary>
    ResendLost = 1 << 22,

    /// <summary>A stored message may be sent to a shared subscription.</summary>
    SharedStored = 1 << 24,

    /// <summary>A message without RETAIN may replace or remove the stored one.</summary>
    StoredTouched = 1 << 25,

    /// <summary>Acknowledgements may be missing, or have another identifier.</summary>
    AcknowledgementsAny = 1 << 23,
}
