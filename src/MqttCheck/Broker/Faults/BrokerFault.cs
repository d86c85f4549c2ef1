namespace MqttCheck.Broker.Faults;

/// <summary>
/// Faults and disturbances that the broker can be told to show with some probability. A disturbance is permitted by the
/// specification, but burdens clients. <see cref="FaultCatalogue"/> describes each.
/// </summary>
public enum BrokerFault : byte
{
    /// <summary>Fault: a QoS 1 or 2 message is not delivered to one subscriber.</summary>
    Lose,

    /// <summary>Fault: a QoS 0 or 2 message is delivered to one subscriber twice.</summary>
    Duplicate,

    /// <summary>Fault: a message is delivered to one subscriber after the next one.</summary>
    Reorder,

    /// <summary>
    /// Fault: a message is delivered with another quality of service than the lower of published and granted.
    /// </summary>
    WrongQos,

    /// <summary>Fault: a subscription goes on after UNSUBACK.</summary>
    IgnoreUnsubscribe,

    /// <summary>Fault: a message published with RETAIN is not kept.</summary>
    ForgetRetained,

    /// <summary>Fault: the old session lives on although the client asked for a clean start.</summary>
    StaleSession,

    /// <summary>Disturbance: a QoS 0 message is not delivered to one subscriber.</summary>
    LoseQos0,

    /// <summary>Disturbance: a QoS 1 message is delivered to one subscriber twice.</summary>
    RepeatQos1,

    /// <summary>Disturbance: a CONNECT is refused as "server unavailable".</summary>
    Refuse,

    /// <summary>Disturbance: the connection is closed on receipt of a packet.</summary>
    Disconnect,

    /// <summary>Disturbance: the broker stops reading from a connection for 100 ms on receipt of a packet.</summary>
    SlowReader,
}
