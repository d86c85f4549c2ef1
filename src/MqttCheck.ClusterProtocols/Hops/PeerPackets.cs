using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Peers;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>
/// The packets of a hop as MQTT 5. The identity of a message is the value of one user property: origin (4),
/// incarnation (16), counter (16) and hops (4) as hexadecimal digits, and the publisher's quality of service (1). A hop
/// that numbers messages adds its number (16) and the length of the sender's queue (8).
/// </summary>
/// <param name="insidePings">How messages inside PINGREQ are written; null for none.</param>
internal sealed class PeerPackets(IPingContent? insidePings = null)
{
    private const long Second = 1_000_000_000;
    private const int ExpiryBytes = 5;

    // The kind of a control message is one character of its topic.
    private const char FirstKind = '0';
    private const int MostKind = 'z' - FirstKind;

    private byte[] _packet = new byte[1024];
    private byte[] _properties = new byte[256];

    /// <summary>The text by which a CONNECT identifies the process that sends it.</summary>
    /// <param name="node">The node.</param>
    /// <param name="incarnation">Its process.</param>
    public static string Greeting(int node, ulong incarnation) =>
        string.Create(CultureInfo.InvariantCulture, $"{node:x4}-{incarnation:x16}");

    /// <summary>Reads what <see cref="Greeting"/> writes.</summary>
    public static bool TryReadGreeting(string text, out int node, out ulong incarnation)
    {
        incarnation = 0;
        return int.TryParse(text.AsSpan(0, Math.Min(4, text.Length)), NumberStyles.AllowHexSpecifier, null, out node)
            && text.Length == 21
            && text[4] == '-'
            && ulong.TryParse(text.AsSpan(5), NumberStyles.AllowHexSpecifier, null, out incarnation);
    }

    /// <summary>The text by which a CONNACK identifies the process that sends it.</summary>
    public static string Answer(ulong incarnation) => string.Create(CultureInfo.InvariantCulture, $"{incarnation:x16}");

    /// <summary>CONNECT.</summary>
    /// <param name="node">The node that sends it.</param>
    /// <param name="incarnation">Its process.</param>
    /// <param name="cleanStart">Whether the session before is forgotten.</param>
    /// <param name="isInBand">Whether the top bit of the protocol level marks it as that of a broker.</param>
    public static byte[] Connect(int node, ulong incarnation, bool cleanStart, bool isInBand = false)
    {
        var packet = PacketEncoder.Encode(
            new ConnectPacket
            {
                CleanStart = cleanStart,
                ClientId = string.Create(CultureInfo.InvariantCulture, $"{PeerProtocol.ClientIdPrefix}{node:x4}"),
                Properties = new PacketProperties
                {
                    SessionExpiryIntervalSeconds = uint.MaxValue,
                    UserProperties = [new UserProperty(PeerProtocol.PropertyName, Greeting(node, incarnation))],
                },
            },
            ProtocolVersion.V5
        );
        if (isInBand)
            ConnectLevel.Mark(packet);
        return packet;
    }

    /// <summary>Writes a packet that is no CONNECT.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="now">The time, in nanoseconds.</param>
    /// <returns>Its bytes, valid until the next call.</returns>
    public ReadOnlySpan<byte> Write(in HopPacket packet, long now)
    {
        switch (packet.Kind)
        {
            case HopPacketKind.Publish when packet.Message.Kind == PeerMessageKind.Data:
                return WriteData(packet, now);
            case HopPacketKind.Publish:
                return WriteControl(packet);
            case HopPacketKind.Pingreq when packet.HasStatement:
                (_packet[0], _packet[1]) = ((byte)PacketType.Pingreq << 4, HopBytes.StatementBytes);
                insidePings!.Write(_packet.AsSpan(2), packet.Message);
                return _packet.AsSpan(0, 2 + HopBytes.StatementBytes);
            case HopPacketKind.Pingreq:
                return _packet.AsSpan(0, PacketWriter.WritePingreq(_packet));
            case HopPacketKind.Pubrel:
                return _packet.AsSpan(
                    0,
                    PacketWriter.WriteAck(_packet, PacketType.Pubrel, packet.PacketId, ProtocolVersion.V5)
                );
            default:
                throw new ArgumentOutOfRangeException(nameof(packet), packet.Kind, "not sent by the sending half");
        }
    }

    /// <summary>Reads a PUBLISH of a peer.</summary>
    /// <param name="published">The message as the broker has taken it.</param>
    /// <param name="nodes">How many nodes there are.</param>
    /// <param name="message">The message that it carries.</param>
    /// <returns>False for what no node writes.</returns>
    public static bool TryRead(Message published, int nodes, out PeerMessage message)
    {
        message = default;
        if (published.Topic.StartsWith("$mqttcheck/"u8))
            return TryReadControl(published, out message);
        var reader = new PropertyReader(published.Properties);
        if (
            !reader.MoveNext()
            || reader.Id != PropertyId.UserProperty
            || !reader.Data.SequenceEqual("mqttcheck-peer"u8)
            || !TryReadIdentity(reader.PairValue, nodes, out var routed)
        )
            return false;
        message = PeerMessage.Of(
            routed with
            {
                Topic = Encoding.UTF8.GetString(published.Topic),
                Retain = published.Retain,
                PayloadBytes = published.Payload.Length,
                Content = new Message(
                    published.Topic,
                    published.Properties[HopBytes.IdentityProperty(reader.PairValue.Length)..],
                    published.Payload,
                    routed.Qos,
                    published.Retain,
                    published.ExpiresAtNanoseconds,
                    published.Publisher
                ),
            }
        );
        return true;
    }

    /// <summary>Reads a packet that comes back from a peer.</summary>
    /// <param name="bytes">The whole packet.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="acceptedBy">The process that sent the packet, if it is a CONNACK.</param>
    /// <returns>False for what no node sends, and for a refusal.</returns>
    public static bool TryReadAnswer(ReadOnlySpan<byte> bytes, out HopPacket packet, out ulong acceptedBy)
    {
        (packet, acceptedBy) = (default, 0);
        switch ((PacketType)(bytes[0] >> 4))
        {
            case PacketType.Pingresp:
                packet = HopPacket.Of(HopPacketKind.Pingresp);
                return true;
            case PacketType.Connack:
                return TryReadConnack(bytes, out packet, out acceptedBy);
            default:
                if (
                    !AckView.TryParse(ProtocolVersion.V5, bytes, out var ack, PacketOrigin.Server)
                    || KindOf(ack.Type) is not { } kind
                )
                    return false;
                packet = HopPacket.Of(kind, ack.PacketId);
                return true;
        }
    }

    private static HopPacketKind? KindOf(PacketType type) =>
        type switch
        {
            PacketType.Puback => HopPacketKind.Puback,
            PacketType.Pubrec => HopPacketKind.Pubrec,
            PacketType.Pubcomp => HopPacketKind.Pubcomp,
            _ => null,
        };

    private static bool TryReadConnack(ReadOnlySpan<byte> bytes, out HopPacket packet, out ulong acceptedBy)
    {
        (packet, acceptedBy) = (default, 0);
        // Flags and reason code follow the fixed header, which is two bytes for so short a packet.
        if (bytes.Length < 5 || bytes[1] > 127 || bytes[3] != 0)
            return false;
        packet = new HopPacket { Kind = HopPacketKind.Connack, Flag = (bytes[2] & 1) != 0 };
        var prefix = VariableByteInteger.Read(bytes[4..], out var length);
        if (prefix <= 0 || bytes.Length < 4 + prefix + length)
            return false;
        var reader = new PropertyReader(bytes.Slice(4 + prefix, length));
        while (reader.MoveNext())
            if (reader.Id == PropertyId.UserProperty && reader.Data.SequenceEqual("mqttcheck-peer"u8))
                return ulong.TryParse(reader.PairValue, NumberStyles.AllowHexSpecifier, null, out acceptedBy);
        return false;
    }

    private ReadOnlySpan<byte> WriteData(in HopPacket packet, long now)
    {
        var message = packet.Message.Data;
        var content = message.Content!;
        var identity = HopBytes.IdentityTextOf(message);
        var room = ExpiryBytes + HopBytes.IdentityProperty(identity) + content.Properties.Length;
        if (room > _properties.Length)
            _properties = new byte[2 * room];
        var length = 0;
        _properties[length++] = (byte)PropertyId.UserProperty;
        length += WriteText(_properties.AsSpan(length), "mqttcheck-peer"u8);
        BinaryPrimitives.WriteUInt16BigEndian(_properties.AsSpan(length), (ushort)identity);
        length += 2;
        WriteIdentity(_properties.AsSpan(length, identity), message);
        length += identity;
        content.Properties.CopyTo(_properties.AsSpan(length));
        length += content.Properties.Length;
        if (content.ExpiresAtNanoseconds != long.MaxValue)
        {
            var left = Math.Max(0, (content.ExpiresAtNanoseconds - now + Second - 1) / Second);
            _properties[length] = (byte)PropertyId.MessageExpiryInterval;
            BinaryPrimitives.WriteUInt32BigEndian(_properties.AsSpan(length + 1), (uint)left);
            length += ExpiryBytes;
        }
        return WritePublish(packet, content.Topic, content.Payload, message.Retain, _properties.AsSpan(0, length));
    }

    private ReadOnlySpan<byte> WriteControl(in HopPacket packet)
    {
        var message = packet.Message;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(message.ControlKind, MostKind, nameof(packet));
        Span<byte> topic = stackalloc byte[HopBytes.ControlTopicBytes];
        "$mqttcheck/"u8.CopyTo(topic);
        topic[^1] = (byte)(FirstKind + message.ControlKind);
        var text = message.Data.Topic ?? "";
        var payload = new byte[HopBytes.ControlPayload + Encoding.UTF8.GetByteCount(text)];
        var fields = message.Fields;
        for (var i = 0; i < ControlFields.Count; i++)
            BinaryPrimitives.WriteInt64BigEndian(payload.AsSpan(8 * i), fields[i]);
        Encoding.UTF8.GetBytes(text, payload.AsSpan(HopBytes.ControlPayload));
        return WritePublish(packet, topic, payload, retain: false, []);
    }

    private ReadOnlySpan<byte> WritePublish(
        in HopPacket packet,
        scoped ReadOnlySpan<byte> topic,
        scoped ReadOnlySpan<byte> payload,
        bool retain,
        scoped ReadOnlySpan<byte> properties
    )
    {
        var total = PacketWriter.PublishLength(
            ProtocolVersion.V5,
            topic.Length,
            payload.Length,
            packet.Qos,
            properties.Length
        );
        if (total > _packet.Length)
            _packet = new byte[Math.Max(total, 2 * _packet.Length)];
        PacketWriter.WritePublish(
            _packet,
            ProtocolVersion.V5,
            topic,
            payload,
            packet.Qos,
            retain,
            packet.Flag,
            packet.PacketId,
            properties
        );
        return _packet.AsSpan(0, total);
    }

    private static bool TryReadControl(Message published, out PeerMessage message)
    {
        message = default;
        var topic = published.Topic;
        var payload = published.Payload;
        if (topic.Length != HopBytes.ControlTopicBytes || payload.Length < HopBytes.ControlPayload)
            return false;
        var kind = topic[^1] - FirstKind;
        if (kind is < 0 or > MostKind)
            return false;
        var fields = new ControlFields();
        for (var i = 0; i < ControlFields.Count; i++)
            fields[i] = BinaryPrimitives.ReadInt64BigEndian(payload[(8 * i)..]);
        message = PeerMessage.Control((byte)kind, fields, Encoding.UTF8.GetString(payload[HopBytes.ControlPayload..]));
        return true;
    }

    private static void WriteIdentity(Span<byte> to, in RoutedMessage message)
    {
        message.Origin.TryFormat(to, out _, "x4", CultureInfo.InvariantCulture);
        message.Incarnation.TryFormat(to[4..], out _, "x16", CultureInfo.InvariantCulture);
        message.Counter.TryFormat(to[20..], out _, "x16", CultureInfo.InvariantCulture);
        message.Hops.TryFormat(to[36..], out _, "x4", CultureInfo.InvariantCulture);
        to[40] = (byte)('0' + (int)message.Qos);
        if (to.Length == HopBytes.IdentityCharacters)
            return;
        message.HopSequence.TryFormat(to[41..], out _, "x16", CultureInfo.InvariantCulture);
        message.HopQueueLength.TryFormat(to[57..], out _, "x8", CultureInfo.InvariantCulture);
    }

    private static bool TryReadIdentity(ReadOnlySpan<byte> text, int nodes, out RoutedMessage message)
    {
        message = default;
        var (sequence, queueLength) = (0L, 0);
        if (
            text.Length - HopBytes.IdentityCharacters is not (0 or HopBytes.SequenceCharacters)
            || !int.TryParse(text[..4], NumberStyles.AllowHexSpecifier, null, out var origin)
            || !ulong.TryParse(text[4..20], NumberStyles.AllowHexSpecifier, null, out var incarnation)
            || !long.TryParse(text[20..36], NumberStyles.AllowHexSpecifier, null, out var counter)
            || !int.TryParse(text[36..40], NumberStyles.AllowHexSpecifier, null, out var hops)
            || text[40] is < (byte)'0' or > (byte)'2'
            || origin >= nodes
            || (text.Length > HopBytes.IdentityCharacters && !TryReadHop(text[41..], out sequence, out queueLength))
        )
            return false;
        message = new RoutedMessage
        {
            Origin = origin,
            Incarnation = incarnation,
            Counter = counter,
            Topic = "",
            Qos = (QualityOfService)(text[40] - '0'),
            Hops = hops,
            HopSequence = sequence,
            HopQueueLength = queueLength,
        };
        return true;
    }

    private static bool TryReadHop(ReadOnlySpan<byte> text, out long sequence, out int queueLength)
    {
        queueLength = 0;
        return long.TryParse(text[..16], NumberStyles.AllowHexSpecifier, null, out sequence)
            && int.TryParse(text[16..], NumberStyles.AllowHexSpecifier, null, out queueLength)
            && sequence > 0
            && queueLength >= 0;
    }

    private static int WriteText(Span<byte> to, ReadOnlySpan<byte> text)
    {
        BinaryPrimitives.WriteUInt16BigEndian(to, (ushort)text.Length);
        text.CopyTo(to[2..]);
        return 2 + text.Length;
    }
}
