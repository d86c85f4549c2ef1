using System.Buffers.Binary;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Protocol.Frames;

/// <summary>
/// A PUBLISH read in place, without allocation: the fields are slices of the packet. It accepts exactly what
/// <see cref="PacketDecoder"/> accepts.
/// </summary>
public readonly ref struct PublishView
{
    private byte Flags { get; init; }

    /// <summary>The topic name in UTF-8; MQTT 5: empty if <see cref="TopicAlias"/> stands for it.</summary>
    public ReadOnlySpan<byte> Topic { get; private init; }

    /// <summary>The message.</summary>
    public ReadOnlySpan<byte> Payload { get; private init; }

    /// <summary>The properties without their leading length; empty in 3.1.1.</summary>
    public ReadOnlySpan<byte> RawProperties { get; private init; }

    /// <summary>The packet identifier, 0 at QoS 0.</summary>
    public ushort PacketId { get; private init; }

    /// <summary>The topic alias, 0 if absent.</summary>
    public ushort TopicAlias { get; private init; }

    /// <summary>The quality of service.</summary>
    public QualityOfService Qos => (QualityOfService)((Flags >> 1) & 3);

    /// <summary>The retain flag.</summary>
    public bool Retain => (Flags & 1) != 0;

    /// <summary>The duplicate flag.</summary>
    public bool Duplicate => (Flags & 8) != 0;

    /// <summary>The properties one by one.</summary>
    public PropertyReader Properties => new(RawProperties);

    /// <summary>Reads a PUBLISH; false if it breaks a rule, which <see cref="PacketDecoder"/> then names.</summary>
    /// <param name="version">The protocol version of the connection.</param>
    /// <param name="wholePacket">Exactly one packet, from its first byte to its last.</param>
    /// <param name="view">The fields.</param>
    /// <param name="origin">Who sent it: a client must not send subscription identifiers (MQTT-3.3.4-6).</param>
    // Hot loop: every PUBLISH of a load is read here, and each part would have to hand on the rest of the packet.
    public static bool TryParse(
        ProtocolVersion version,
        ReadOnlySpan<byte> wholePacket,
        out PublishView view,
        PacketOrigin origin = PacketOrigin.Unknown
    )
    {
        view = default;
        if (wholePacket.Length < 4)
            return false;
        var flags = wholePacket[0];
        var qos = (flags >> 1) & 3;
        if (flags >> 4 != (int)PacketType.Publish || qos == 3 || (qos == 0 && (flags & 8) != 0))
            return false;
        var lengthBytes = VariableByteInteger.Read(wholePacket[1..], out var remaining);
        if (lengthBytes <= 0 || 1 + lengthBytes + remaining != wholePacket.Length)
            return false;
        var isV5 = version >= ProtocolVersion.V5;
        if (isV5 && lengthBytes != VariableByteInteger.Length(remaining))
            return false;

        var body = wholePacket[(1 + lengthBytes)..];
        if (body.Length < 2)
            return false;
        var topicLength = BinaryPrimitives.ReadUInt16BigEndian(body);
        body = body[2..];
        if (body.Length < topicLength)
            return false;
        var topic = body[..topicLength];
        body = body[topicLength..];

        ushort packetId = 0;
        if (qos > 0)
        {
            if (body.Length < 2)
                return false;
            packetId = BinaryPrimitives.ReadUInt16BigEndian(body);
            if (packetId == 0)
                return false;
            body = body[2..];
        }

        ReadOnlySpan<byte> properties = default;
        ushort topicAlias = 0;
        if (isV5)
        {
            var prefix = VariableByteInteger.Read(body, out var propertiesLength);
            if (
                prefix <= 0
                || prefix != VariableByteInteger.Length(propertiesLength)
                || body.Length - prefix < propertiesLength
            )
                return false;
            properties = body.Slice(prefix, propertiesLength);
            body = body[(prefix + propertiesLength)..];
            if (propertiesLength > 0 && !AreLegal(properties, origin, out topicAlias))
                return false;
        }
        if (topic.IsEmpty ? topicAlias == 0 : !TopicName.IsValid(topic))
            return false;
        view = new()
        {
            Flags = (byte)(flags & 0xF),
            Topic = topic,
            PacketId = packetId,
            RawProperties = properties,
            TopicAlias = topicAlias,
            Payload = body,
        };
        return true;
    }

    private static bool AreLegal(ReadOnlySpan<byte> properties, PacketOrigin origin, out ushort topicAlias)
    {
        topicAlias = 0;
        var seen = 0UL;
        var reader = new PropertyReader(properties);
        while (reader.MoveNext())
        {
            if ((PropertyTable.PlacesOf(reader.Id) & (1 << (int)PacketType.Publish)) == 0)
                return false;
            if (reader.Id is not (PropertyId.UserProperty or PropertyId.SubscriptionIdentifier))
            {
                var bit = 1UL << (int)reader.Id;
                if ((seen & bit) != 0)
                    return false;
                seen |= bit;
            }
            switch (reader.Id)
            {
                case PropertyId.PayloadFormatIndicator when reader.Number > 1:
                case PropertyId.SubscriptionIdentifier when reader.Number == 0 || origin == PacketOrigin.Client:
                case PropertyId.TopicAlias when reader.Number == 0:
                case PropertyId.ContentType when !PropertyReader.IsText(reader.Data):
                case PropertyId.ResponseTopic when !TopicName.IsValid(reader.Data):
                case PropertyId.UserProperty
                    when !PropertyReader.IsText(reader.Data) || !PropertyReader.IsText(reader.PairValue):
                    return false;
                case PropertyId.TopicAlias:
                    topicAlias = (ushort)reader.Number;
                    break;
            }
        }
        return !reader.IsMalformed;
    }
}
