namespace MqttCheck.Protocol;

/// <summary>
/// The packet types (section 2.2.1 of 3.1.1, 2.1.2 of 5): the upper four bits of a packet's first byte.
/// </summary>
public enum PacketType : byte
{
    /// <summary>Reserved: no packet has this type.</summary>
    Reserved = 0,

    /// <summary>Client: opens the session.</summary>
    Connect = 1,

    /// <summary>Server: answers CONNECT.</summary>
    Connack = 2,

    /// <summary>Both: carries a message.</summary>
    Publish = 3,

    /// <summary>Both: acknowledges a QoS 1 message.</summary>
    Puback = 4,

    /// <summary>Both: QoS 2, the message was received.</summary>
    Pubrec = 5,

    /// <summary>Both: QoS 2, the packet identifier may be released.</summary>
    Pubrel = 6,

    /// <summary>Both: QoS 2, the exchange is complete.</summary>
    Pubcomp = 7,

    /// <summary>Client: asks for subscriptions.</summary>
    Subscribe = 8,

    /// <summary>Server: answers SUBSCRIBE.</summary>
    Suback = 9,

    /// <summary>Client: removes subscriptions.</summary>
    Unsubscribe = 10,

    /// <summary>Server: answers UNSUBSCRIBE.</summary>
    Unsuback = 11,

    /// <summary>Client: keeps the connection alive.</summary>
    Pingreq = 12,

    /// <summary>Server: answers PINGREQ.</summary>
    Pingresp = 13,

    /// <summary>Both (3.1.1: client only): the last packet.</summary>
    Disconnect = 14,

    /// <summary>Both, MQTT 5 only: enhanced authentication.</summary>
    Auth = 15,
}
