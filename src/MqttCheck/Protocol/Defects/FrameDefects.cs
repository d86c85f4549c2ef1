using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.PacketType;

namespace MqttCheck.Protocol.Defects;

/// <summary>Defects of the fixed header, of lengths, strings and packet identifiers.</summary>
internal static class FrameDefects
{
    // A private-use character of three bytes whose place in the packet is overwritten with an encoded surrogate, also
    // of three bytes.
    private const string Marker = "\uE123";

    internal static ValueList<PacketDefect> All { get; } =
    [
        PacketDefect.ByBytes(
            "reserved-packet-type",
            Rules.PacketType,
            DefectVersions.Both,
            [.. Enum.GetValues<PacketType>().Where(type => type is not (Reserved or Connect or Auth))],
            bytes => WithFirstByte(bytes, bytes[0] & 0x0F)
        ),
        new("authentication-in-3.1.1", Rules.PacketType, DefectVersions.V311, [Auth], PacketEncoder.Encode),
        PacketDefect.ByBytes(
            "flags",
            Rules.Flags,
            DefectVersions.Both,
            [Connect, Connack, Puback, Pubrec, Pubcomp, Suback, Unsuback, Pingreq, Pingresp],
            bytes => WithFirstByte(bytes, bytes[0] | 1)
        ),
        PacketDefect.ByBytes(
            "pubrel-flags",
            Rules.PubrelFlags,
            DefectVersions.Both,
            [Pubrel],
            bytes => WithFirstByte(bytes, bytes[0] & 0xF0)
        ),
        PacketDefect.ByBytes(
            "subscribe-flags",
            Rules.SubscribeFlags,
            DefectVersions.Both,
            [Subscribe],
            bytes => WithFirstByte(bytes, bytes[0] & 0xF0)
        ),
        PacketDefect.ByBytes(
            "unsubscribe-flags",
            Rules.UnsubscribeFlags,
            DefectVersions.Both,
            [Unsubscribe],
            bytes => WithFirstByte(bytes, bytes[0] & 0xF0)
        ),
        PacketDefect.ByBytes(
            "disconnect-flags",
            Rules.DisconnectFlags,
            DefectVersions.Both,
            [Disconnect],
            bytes => WithFirstByte(bytes, bytes[0] | 1)
        ),
        PacketDefect.ByBytes(
            "auth-flags",
            Rules.AuthFlags,
            DefectVersions.V5,
            [Auth],
            bytes => WithFirstByte(bytes, bytes[0] | 1)
        ),
        PacketDefect.ByBytes(
            "remaining-length-of-five-bytes",
            Rules.LongInteger,
            DefectVersions.Both,
            [Publish, Subscribe, Pingreq],
            bytes => [bytes[0], 0x80, 0x80, 0x80, 0x80, 0x01, .. Body(bytes)]
        ),
        PacketDefect.ByBytes(
            "remaining-length-not-shortest",
            Rules.ShortestInteger,
            DefectVersions.V5,
            [Connect, Publish, Pingreq, Disconnect],
            Lengthen
        ),
        PacketDefect.ByBytes(
            "remaining-length-beyond-end",
            Rules.RemainingLength,
            DefectVersions.Both,
            [Connect, Publish, Subscribe, Pingreq],
            bytes => [.. WithLength(bytes[0], Body(bytes).Length + 1), .. Body(bytes)]
        ),
        PacketDefect.ByBytes(
            "last-byte-missing",
            Rules.Truncated,
            DefectVersions.Both,
            [Connect, Subscribe, Unsubscribe],
            bytes => WithBody(bytes[0], Body(bytes)[..^1])
        ),
        PacketDefect.ByBytes(
            "byte-behind-last-field",
            Rules.TrailingBytes,
            DefectVersions.Both,
            [Connect, Connack, Pingreq, Pingresp],
            bytes => WithBody(bytes[0], [.. Body(bytes), 0])
        ),
        PacketDefect.ByBytes(
            "field-without-flag",
            Rules.TrailingBytes,
            DefectVersions.Both,
            [Connect],
            bytes => WithBody(bytes[0], [.. Body(bytes), 0, 1, (byte)'a'])
        ),
        new(
            "string-not-utf-8",
            Rules.Utf8,
            DefectVersions.Both,
            [Connect, Publish, Subscribe, Unsubscribe],
            (packet, version) => WithSurrogate(PacketEncoder.Encode(WithText(packet, "a" + Marker), version))
        ),
        NotUtf8<ConnectPacket>(
            "client-identifier-not-utf-8",
            Connect,
            (packet, text) => packet with { ClientId = text }
        ),
        NotUtf8<ConnectPacket>(
            "will-topic-not-utf-8",
            Connect,
            (packet, text) => packet with { Will = new WillMessage(text, Bytes.Empty) }
        ),
        NotUtf8<ConnectPacket>("user-name-not-utf-8", Connect, (packet, text) => packet with { UserName = text }),
        NotUtf8<SubscribePacket>(
            "filter-not-utf-8",
            Subscribe,
            (packet, text) => (SubscribePacket)WithText(packet, text)
        ),
        NotUtf8<UnsubscribePacket>(
            "unsubscribe-filter-not-utf-8",
            Unsubscribe,
            (packet, text) => (UnsubscribePacket)WithText(packet, text)
        ),
        NotUtf8InProperty("response-topic-not-utf-8", (properties, text) => properties with { ResponseTopic = text }),
        NotUtf8InProperty("content-type-not-utf-8", (properties, text) => properties with { ContentType = text }),
        NotUtf8InProperty(
            "user-property-not-utf-8",
            (properties, text) => properties with { UserProperties = [new UserProperty("a", text)] }
        ),
        new(
            "null-character",
            Rules.NullCharacter,
            DefectVersions.Both,
            [Connect, Publish, Subscribe, Unsubscribe],
            (packet, version) => PacketEncoder.Encode(WithText(packet, "a\0b"), version)
        ),
        new(
            "packet-identifier-0",
            Rules.PacketId,
            DefectVersions.Both,
            [Publish, Subscribe, Unsubscribe],
            (packet, version) => PacketEncoder.Encode(WithPacketIdZero(packet), version),
            PacketOrigin.Client
        ),
        PacketDefect.ByValue<PublishPacket>(
            "packet-identifier-0-from-server",
            Rules.PacketIdFromServer,
            DefectVersions.Both,
            Publish,
            packet => (PublishPacket)WithPacketIdZero(packet),
            PacketOrigin.Server
        ),
        new(
            "acknowledged-packet-identifier-0",
            Rules.AnswerPacketId,
            DefectVersions.Both,
            [Puback, Pubrec, Pubrel, Pubcomp],
            (packet, version) => PacketEncoder.Encode(WithPacketIdZero(packet), version)
        ),
        new(
            "answered-packet-identifier-0",
            Rules.SubscriptionAnswerPacketId,
            DefectVersions.Both,
            [Suback, Unsuback],
            (packet, version) => PacketEncoder.Encode(WithPacketIdZero(packet), version)
        ),
    ];

    private static byte[] Body(byte[] bytes) => bytes[(1 + VariableByteInteger.Read(bytes.AsSpan(1), out _))..];

    private static byte[] WithFirstByte(byte[] bytes, int first) => [(byte)first, .. bytes[1..]];

    private static byte[] WithLength(byte first, int length)
    {
        var header = new byte[1 + VariableByteInteger.Length(length)];
        header[0] = first;
        VariableByteInteger.Write(header.AsSpan(1), length);
        return header;
    }

    private static byte[] WithBody(byte first, byte[] body) => [.. WithLength(first, body.Length), .. body];

    private static byte[] Lengthen(byte[] bytes)
    {
        var header = WithLength(bytes[0], Body(bytes).Length);
        header[^1] |= 0x80;
        return [.. header, 0, .. Body(bytes)];
    }

    private static PacketDefect NotUtf8<T>(
        string name,
        PacketType type,
        Func<T, string, T> change,
        DefectVersions versions = DefectVersions.Both
    )
        where T : Packet =>
        new(
            name,
            Rules.Utf8,
            versions,
            [type],
            (packet, version) => WithSurrogate(PacketEncoder.Encode(change((T)packet, "a" + Marker), version))
        );

    private static PacketDefect NotUtf8InProperty(
        string name,
        Func<PacketProperties, string, PacketProperties> change
    ) =>
        NotUtf8<PublishPacket>(
            name,
            Publish,
            (packet, text) => packet with { Properties = change(packet.Properties, text) },
            DefectVersions.V5
        );

    private static byte[] WithSurrogate(byte[] bytes)
    {
        var place = bytes.AsSpan().IndexOf(System.Text.Encoding.UTF8.GetBytes(Marker));
        ReadOnlySpan<byte> surrogate = [0xED, 0xA0, 0x80];
        surrogate.CopyTo(bytes.AsSpan(place));
        return bytes;
    }

    private static Packet WithText(Packet packet, string text) =>
        packet switch
        {
            ConnectPacket connect => connect with { ClientId = text },
            PublishPacket publish => publish with { Topic = text },
            SubscribePacket subscribe => subscribe with
            {
                Subscriptions = [new SubscriptionRequest(text, QualityOfService.AtMostOnce)],
            },
            UnsubscribePacket unsubscribe => unsubscribe with { Filters = [text] },
            _ => packet,
        };

    private static Packet WithPacketIdZero(Packet packet) =>
        packet switch
        {
            PublishPacket publish => publish with { Qos = QualityOfService.AtLeastOnce, PacketId = 0 },
            AckPacket ack => ack with { PacketId = 0 },
            SubscribePacket subscribe => subscribe with { PacketId = 0 },
            SubackPacket suback => suback with { PacketId = 0 },
            UnsubscribePacket unsubscribe => unsubscribe with { PacketId = 0 },
            UnsubackPacket unsuback => unsuback with { PacketId = 0 },
            _ => packet,
        };
}
