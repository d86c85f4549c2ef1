using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>One packet of a hop before it is written as bytes, or instead.</summary>
internal readonly struct HopPacket
{
    public required HopPacketKind Kind { get; init; }

    /// <summary>The quality of service of a PUBLISH on this hop.</summary>
    public QualityOfService Qos { get; init; }

    /// <summary>DUP of a PUBLISH, Clean Start of a CONNECT, Session Present of a CONNACK.</summary>
    public bool Flag { get; init; }

    /// <summary>The packet identifier; 0 where there is none.</summary>
    public ushort PacketId { get; init; }

    /// <summary>The message that a PUBLISH carries, or the control message inside a PINGREQ.</summary>
    public PeerMessage Message { get; init; }

    public static HopPacket Of(HopPacketKind kind, ushort packetId = 0) => new() { Kind = kind, PacketId = packetId };

    /// <summary>PINGREQ with a control message inside.</summary>
    public static HopPacket PingreqWith(in PeerMessage message) =>
        new() { Kind = HopPacketKind.Pingreq, Message = PeerMessage.Control(message.ControlKind, message.Fields) };

    /// <summary>Whether it is a PINGREQ that has a control message inside.</summary>
    public bool HasStatement => Kind == HopPacketKind.Pingreq && Message.Kind == PeerMessageKind.Control;

    public static HopPacket Publish(in PeerMessage message, QualityOfService qos, ushort packetId, bool duplicate) =>
        new()
        {
            Kind = HopPacketKind.Publish,
            Qos = qos,
            Flag = duplicate,
            PacketId = packetId,
            Message = message,
        };
}
