namespace MqttCheck.Broker.Faults;

/// <summary>
/// Freedoms of the specification that the core does not use by default. They are for tests of the checker; no option of
/// the product sets them.
/// </summary>
[Flags]
internal enum BrokerHabits : byte
{
    /// <summary>The core as it is.</summary>
    None = 0,

    /// <summary>One copy for each overlapping subscription.</summary>
    OneCopyEach = 1,

    /// <summary>Packet identifiers all over their range.</summary>
    ScatteredIdentifiers = 2,

    /// <summary>QoS 1 is granted where QoS 2 is asked for.</summary>
    LowerGrant = 4,

    /// <summary>Connections end without DISCONNECT, but for those that are taken over.</summary>
    EndsUntold = 8,

    /// <summary>Deliveries of QoS 1 and 2 are sent 5 ms late, so that other packets overtake them.</summary>
    LateDeliveries = 16,

    /// <summary>Connections that are closed at random may end before a DISCONNECT is read.</summary>
    ClosesBeforeDisconnect = 32,

    /// <summary>PUBACK, PUBREC and PUBCOMP are sent 5 ms late, behind deliveries and other answers.</summary>
    LateAnswers = 64,
}
