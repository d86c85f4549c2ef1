using System.Diagnostics;
using System.Text;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>How many bytes a packet of a hop has when it is written as MQTT 5.</summary>
internal static class HopBytes
{
    /// <summary>The topic of a control message: the prefix and one character for its number.</summary>
    public const int ControlTopicBytes = 12;

    /// <summary>
    /// The characters of an identity: origin (4), incarnation (16), counter (16), hops (4) as hexadecimal digits, the
    /// publisher's quality of service (1).
    /// </summary>
    public const int IdentityCharacters = 41;

    /// <summary>The numbers of a control message as 8 bytes each.</summary>
    public const int ControlPayload = 8 * ControlFields.Count;

    // CONNECT: fixed header 2, protocol name 6, version, flags, keep alive 4, properties: length 1, session expiry 5,
    // user property 5 with both strings (the value has 21 characters); client identifier 2 + 19.
    private const int Connect = 2 + 6 + 4 + 1 + 5 + 5 + 14 + 21 + 21;

    // CONNACK: fixed header 2, flags, reason code, properties: length 1, topic alias maximum 3, maximum packet size 5,
    // receive maximum 3, user property 5 with both strings (the value has 16 characters).
    private const int Connack = 2 + 2 + 1 + 3 + 5 + 3 + 5 + 14 + 16;
    private const int Ack = 4;
    private const int Ping = 2;

    /// <summary>How long the statement inside a PINGREQ is: by so much the paper's PINGREQ grew, 78 to 114.</summary>
    public const int StatementBytes = 36;

    /// <summary>
    /// The characters that a hop which numbers messages adds to the identity: number (16) and queue length (8) as
    /// hexadecimal digits.
    /// </summary>
    public const int SequenceCharacters = 24;

    /// <summary>How long the text of a message's identity is.</summary>
    public static int IdentityTextOf(in RoutedMessage message) =>
        IdentityCharacters + (message.HopSequence > 0 ? SequenceCharacters : 0);

    /// <summary>How long the user property with the identity is.</summary>
    /// <param name="characters">The length of its text.</param>
    public static int IdentityProperty(int characters) => 1 + 2 + 14 + 2 + characters;

    public static int Of(in HopPacket packet) =>
        packet.Kind switch
        {
            HopPacketKind.Publish when packet.Message.Kind == PeerMessageKind.Data => PacketWriter.PublishLength(
                ProtocolVersion.V5,
                Encoding.UTF8.GetByteCount(packet.Message.Data.Topic),
                packet.Message.Data.PayloadBytes,
                packet.Qos,
                IdentityProperty(IdentityTextOf(packet.Message.Data))
            ),
            HopPacketKind.Publish => PacketWriter.PublishLength(
                ProtocolVersion.V5,
                ControlTopicBytes,
                ControlPayload + Encoding.UTF8.GetByteCount(packet.Message.Data.Topic ?? ""),
                packet.Qos
            ),
            HopPacketKind.Connect => Connect,
            HopPacketKind.Connack => Connack,
            HopPacketKind.Pingreq when packet.HasStatement => Ping + StatementBytes,
            HopPacketKind.Pingreq or HopPacketKind.Pingresp => Ping,
            HopPacketKind.Puback or HopPacketKind.Pubrec or HopPacketKind.Pubrel or HopPacketKind.Pubcomp => Ack,
            _ => throw new UnreachableException(),
        };
}
