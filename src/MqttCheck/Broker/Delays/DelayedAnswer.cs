namespace MqttCheck.Broker.Delays;

/// <summary>The actions of the broker that can be delayed.</summary>
public enum DelayedAnswer : byte
{
    /// <summary>CONNACK.</summary>
    Connack,

    /// <summary>SUBACK.</summary>
    Suback,

    /// <summary>UNSUBACK.</summary>
    Unsuback,

    /// <summary>PUBACK.</summary>
    Puback,

    /// <summary>PUBREC, PUBREL and PUBCOMP.</summary>
    Qos2,

    /// <summary>A PUBLISH to a subscriber.</summary>
    Publish,

    /// <summary>PINGRESP.</summary>
    Pingresp,

    /// <summary>
    /// Closing the connection, after DISCONNECT or for another reason, and what the broker says before.
    /// </summary>
    Close,
}
