using System.Buffers.Binary;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Protocol.Encoders;

/// <summary>
/// Writes the frequent packets into a caller's span without allocation. Like <see cref="PacketEncoder"/> it writes what
/// it is given and does not judge it. Every method returns the number of bytes written and throws
/// <see cref="ArgumentException"/> if they do not fit.
/// </summary>
internal static class PacketWriter
{
    /// <summary>The longest packet that <see cref="WriteAck"/> and the pings write, in bytes.</summary>
    public const int MaximumAckBytes = 5;

    /// <summary>Bytes of a PUBLISH with the given parts.</summary>
    /// <param name="version">The protocol version of the connection.</param>
    /// <param name="topicBytes">Length of the topic name in UTF-8.</param>
    /// <param name="payloadBytes">Length of the payload.</param>
    /// <param name="qos">The quality of service.</param>
    /// <param name="propertiesBytes">Length of the encoded properties; they count in MQTT 5 only.</param>
    public static int PublishLength(
        ProtocolVersion version,
        int topicBytes,
        int payloadBytes,
        QualityOfService qos,
        int propertiesBytes = 0
    )
    {
        var remaining = PublishRemainingLength(version, topicBytes, payloadBytes, qos, propertiesBytes);
        return 1 + VariableByteInteger.Length(remaining) + remaining;
    }

    /// <summary>Writes a PUBLISH.</summary>
    /// <param name="destination">At least <see cref="PublishLength"/> bytes.</param>
    /// <param name="version">The protocol version of the connection.</param>
    /// <param name="topicUtf8">The topic name in UTF-8, at most 65535 bytes.</param>
    /// <param name="payload">The message.</param>
    /// <param name="qos">The quality of service.</param>
    /// <param name="retain">The retain flag.</param>
    /// <param name="duplicate">The duplicate flag.</param>
    /// <param name="packetId">The packet identifier, not written at QoS 0.</param>
    /// <param name="encodedProperties">
    /// Properties without their leading length (<see cref="PacketEncoder.EncodeProperties"/>); MQTT 5 only.
    /// </param>
    public static int WritePublish(
        Span<byte> destination,
        ProtocolVersion version,
        ReadOnlySpan<byte> topicUtf8,
        ReadOnlySpan<byte> payload,
        QualityOfService qos,
        bool retain,
        bool duplicate,
        ushort packetId,
        ReadOnlySpan<byte> encodedProperties = default
    )
    {
        if (topicUtf8.Length > TopicName.MaximumBytes)
            throw new ArgumentException(
                $"A topic name of {topicUtf8.Length} bytes does not fit its two-byte length.",
                nameof(topicUtf8)
            );
        var remaining = PublishRemainingLength(
            version,
            topicUtf8.Length,
            payload.Length,
            qos,
            encodedProperties.Length
        );
        var total = 1 + VariableByteInteger.Length(remaining) + remaining;
        RequireRoom(destination, total);

        destination[0] = (byte)(
            ((int)PacketType.Publish << 4) | (duplicate ? 8 : 0) | ((int)qos << 1) | (retain ? 1 : 0)
        );
        var position = 1 + VariableByteInteger.Write(destination[1..], remaining);
        BinaryPrimitives.WriteUInt16BigEndian(destination[position..], (ushort)topicUtf8.Length);
        position += 2;
        topicUtf8.CopyTo(destination[position..]);
        position += topicUtf8.Length;
        if (qos != QualityOfService.AtMostOnce)
        {
            BinaryPrimitives.WriteUInt16BigEndian(destination[position..], packetId);
            position += 2;
        }
        if (version >= ProtocolVersion.V5)
        {
            position += VariableByteInteger.Write(destination[position..], encodedProperties.Length);
            encodedProperties.CopyTo(destination[position..]);
            position += encodedProperties.Length;
        }
        payload.CopyTo(destination[position..]);
        return total;
    }

    /// <summary>Writes PUBACK, PUBREC, PUBREL or PUBCOMP without properties, in its shortest form.</summary>
    /// <param name="destination">At least <see cref="MaximumAckBytes"/> bytes always suffice.</param>
    /// <param name="type">Which of the four.</param>
    /// <param name="packetId">The packet identifier.</param>
    /// <param name="version">The protocol version of the connection.</param>
    /// <param name="reasonCode">The reason code; MQTT 5 only.</param>
    public static int WriteAck(
        Span<byte> destination,
        PacketType type,
        ushort packetId,
        ProtocolVersion version,
        ReasonCode reasonCode = ReasonCode.Success
    )
    {
        var withReason = version >= ProtocolVersion.V5 && reasonCode != ReasonCode.Success;
        var total = withReason ? 5 : 4;
        RequireRoom(destination, total);
        destination[0] = (byte)(((int)type << 4) | (type == PacketType.Pubrel ? 2 : 0));
        destination[1] = (byte)(total - 2);
        BinaryPrimitives.WriteUInt16BigEndian(destination[2..], packetId);
        if (withReason)
            destination[4] = (byte)reasonCode;
        return total;
    }

    /// <summary>Writes a PINGREQ.</summary>
    /// <param name="destination">At least 2 bytes.</param>
    public static int WritePingreq(Span<byte> destination) => WriteEmpty(destination, PacketType.Pingreq);

    /// <summary>Writes a PINGRESP.</summary>
    /// <param name="destination">At least 2 bytes.</param>
    public static int WritePingresp(Span<byte> destination) => WriteEmpty(destination, PacketType.Pingresp);

    private static int WriteEmpty(Span<byte> destination, PacketType type)
    {
        RequireRoom(destination, 2);
        destination[0] = (byte)((int)type << 4);
        destination[1] = 0;
        return 2;
    }

    private static int PublishRemainingLength(
        ProtocolVersion version,
        int topicBytes,
        int payloadBytes,
        QualityOfService qos,
        int propertiesBytes
    )
    {
        var remaining = 2L + topicBytes + payloadBytes;
        if (qos != QualityOfService.AtMostOnce)
            remaining += 2;
        if (version >= ProtocolVersion.V5)
            remaining += VariableByteInteger.Length(propertiesBytes) + propertiesBytes;
        if (remaining > VariableByteInteger.MaxValue)
            throw new ArgumentException(
                $"A packet of {remaining} bytes exceeds the {VariableByteInteger.MaxValue} that MQTT can announce."
            );
        return (int)remaining;
    }

    private static void RequireRoom(Span<byte> destination, int length)
    {
        if (destination.Length < length)
            throw new ArgumentException(
                $"The packet needs {length} bytes, the destination has {destination.Length}.",
                nameof(destination)
            );
    }
}
