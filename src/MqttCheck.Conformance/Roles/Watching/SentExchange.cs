using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>A message of QoS 1 or 2 that a client sends.</summary>
internal sealed class SentExchange(PublishPacket packet, long number)
{
    public PublishPacket Packet => packet;

    /// <summary>Its place in the order of first sending.</summary>
    public long Number => number;

    public ExchangeStage Stage { get; set; } = ExchangeStage.Published;

    /// <summary>The connection that carried its PUBLISH or PUBREL last.</summary>
    public required WatchedConnection On { get; set; }

    /// <summary>When the broker sent what ends the exchange.</summary>
    public long DoneNanoseconds { get; set; }

    /// <summary>Whether the client sent PUBREL, however far it knows of the end.</summary>
    public bool IsReleased { get; set; }

    /// <summary>Whether an error ended it.</summary>
    public bool IsRefused { get; set; }

    /// <summary>Whether another packet is this message once more.</summary>
    public bool IsSame(PublishPacket other) =>
        other.Qos == packet.Qos
        && other.Payload == packet.Payload
        && other.Retain == packet.Retain
        && IsSameTopic(other);

    // A topic may be given by alias the second time.
    private bool IsSameTopic(PublishPacket other) =>
        other.Topic == packet.Topic || other.Topic.Length == 0 || packet.Topic.Length == 0;
}

/// <summary>How far an exchange is, as the broker knows it.</summary>
internal enum ExchangeStage : byte
{
    /// <summary>The client sent PUBLISH.</summary>
    Published,

    /// <summary>The broker sent PUBREC.</summary>
    Received,

    /// <summary>The broker sent PUBREC on a connection that ended; the client may not know.</summary>
    PerhapsReceived,

    /// <summary>The client sent PUBREL.</summary>
    Released,

    /// <summary>The broker sent what ends the exchange.</summary>
    Done,

    /// <summary>The same on a connection that ended soon; the client may not know.</summary>
    PerhapsDone,

    /// <summary>The session of the client is gone, and the standard leaves it open what the client does.</summary>
    Optional,
}
