using System.Buffers;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Protocol.Encoders;

/// <summary>
/// Turns packets into bytes. It writes illegal packets too, since a test tool must be able to send packets that a
/// broker has to refuse; <see cref="PacketDecoder"/> is the judge. Fields that a version lacks are left out, as by a
/// broker that forwards a message to an older client. In 3.1.1 these are properties, reason codes outside CONNACK and
/// SUBACK, and subscription options but QoS.
/// </summary>
/// <remarks>
/// <see cref="ArgumentException"/> says that a value has no bytes: a string or binary field of more than 65535 bytes, a
/// packet of more than
/// 268435455. Lone surrogates in a string are written as U+FFFD.
/// </remarks>
internal static class PacketEncoder
{
    /// <summary>The packet's bytes.</summary>
    /// <param name="packet">Any packet.</param>
    /// <param name="version">The protocol version of the connection; a CONNECT brings its own.</param>
    public static byte[] Encode(Packet packet, ProtocolVersion version) => EncodeWith(packet, version, default);

    /// <summary>Appends the packet's bytes and returns their number.</summary>
    /// <param name="packet">Any packet.</param>
    /// <param name="version">The protocol version of the connection; a CONNECT brings its own.</param>
    /// <param name="writer">Receives the bytes.</param>
    public static int Encode(Packet packet, ProtocolVersion version, IBufferWriter<byte> writer)
    {
        var remaining = RemainingLength(packet, version);
        var total = 1 + VariableByteInteger.Length(remaining) + remaining;
        Write(packet, version, remaining, writer.GetSpan(total));
        writer.Advance(total);
        return total;
    }

    /// <summary>The number of bytes that the packet takes.</summary>
    /// <param name="packet">Any packet.</param>
    /// <param name="version">The protocol version of the connection; a CONNECT brings its own.</param>
    public static int GetLength(Packet packet, ProtocolVersion version)
    {
        var remaining = RemainingLength(packet, version);
        return 1 + VariableByteInteger.Length(remaining) + remaining;
    }

    /// <summary>
    /// The properties as <see cref="PacketWriter.WritePublish"/> takes them: without their leading length.
    /// </summary>
    /// <param name="properties">Any properties.</param>
    public static byte[] EncodeProperties(PacketProperties properties)
    {
        var counter = PacketBuffer.Counting();
        PropertyEncoder.Write(ref counter, properties);
        var bytes = new byte[counter.Length];
        var buffer = PacketBuffer.Writing(bytes);
        PropertyEncoder.Write(ref buffer, properties);
        return bytes;
    }

    /// <summary>The packet's bytes with more bytes in its first property section.</summary>
    internal static byte[] EncodeWith(Packet packet, ProtocolVersion version, ReadOnlySpan<byte> extraProperties)
    {
        var remaining = RemainingLength(packet, version, extraProperties);
        var bytes = new byte[1 + VariableByteInteger.Length(remaining) + remaining];
        Write(packet, version, remaining, bytes, extraProperties);
        return bytes;
    }

    private static int RemainingLength(
        Packet packet,
        ProtocolVersion version,
        ReadOnlySpan<byte> extraProperties = default
    )
    {
        var counter = PacketBuffer.Counting(extraProperties);
        WriteBody(ref counter, packet, version);
        if (counter.Length > VariableByteInteger.MaxValue)
            throw new ArgumentException(
                $"A packet of {counter.Length} bytes exceeds the "
                    + $"{VariableByteInteger.MaxValue} that MQTT can announce.",
                nameof(packet)
            );
        return counter.Length;
    }

    private static void Write(
        Packet packet,
        ProtocolVersion version,
        int remaining,
        Span<byte> destination,
        ReadOnlySpan<byte> extraProperties = default
    )
    {
        var buffer = PacketBuffer.Writing(destination, extraProperties);
        buffer.Byte(((int)packet.Type << 4) | Flags(packet));
        buffer.VariableByteInteger((uint)remaining);
        WriteBody(ref buffer, packet, version);
    }

    private static int Flags(Packet packet) =>
        packet switch
        {
            PublishPacket publish => (publish.Duplicate ? 8 : 0) | ((int)publish.Qos << 1) | (publish.Retain ? 1 : 0),
            PubrelPacket or SubscribePacket or UnsubscribePacket => 2,
            _ => 0,
        };

    private static void WriteBody(ref PacketBuffer buffer, Packet packet, ProtocolVersion version)
    {
        var isV5 = version >= ProtocolVersion.V5;
        switch (packet)
        {
            case ConnectPacket connect:
                WriteConnect(ref buffer, connect);
                break;
            case ConnackPacket connack:
                WriteConnack(ref buffer, connack, isV5);
                break;
            case PublishPacket publish:
                WritePublish(ref buffer, publish, isV5);
                break;
            case AckPacket ack:
                buffer.UInt16(ack.PacketId);
                WriteReason(ref buffer, ack.ReasonCode, ack.Properties, isV5);
                break;
            case SubscribePacket subscribe:
                WriteSubscribe(ref buffer, subscribe, isV5);
                break;
            case SubackPacket suback:
                buffer.UInt16(suback.PacketId);
                if (isV5)
                    PropertyEncoder.WriteSection(ref buffer, suback.Properties);
                foreach (var code in suback.ReasonCodes)
                    buffer.Byte((int)code);
                break;
            case UnsubscribePacket unsubscribe:
                WriteUnsubscribe(ref buffer, unsubscribe, isV5);
                break;
            case UnsubackPacket unsuback:
                buffer.UInt16(unsuback.PacketId);
                if (!isV5)
                    break;
                PropertyEncoder.WriteSection(ref buffer, unsuback.Properties);
                foreach (var code in unsuback.ReasonCodes)
                    buffer.Byte((int)code);
                break;
            case DisconnectPacket disconnect:
                WriteReason(ref buffer, disconnect.ReasonCode, disconnect.Properties, isV5);
                break;
            case AuthPacket auth:
                WriteReason(ref buffer, auth.ReasonCode, auth.Properties, isV5);
                break;
        }
    }

    private static void WriteConnack(ref PacketBuffer buffer, ConnackPacket connack, bool isV5)
    {
        buffer.Byte(connack.SessionPresent ? 1 : 0);
        buffer.Byte(isV5 ? (int)connack.ReasonCode : ReturnCode(connack.ReasonCode));
        if (isV5)
            PropertyEncoder.WriteSection(ref buffer, connack.Properties);
    }

    private static void WritePublish(ref PacketBuffer buffer, PublishPacket publish, bool isV5)
    {
        buffer.Text(publish.Topic);
        if (publish.Qos != QualityOfService.AtMostOnce)
            buffer.UInt16(publish.PacketId);
        if (isV5)
            PropertyEncoder.WriteSection(ref buffer, publish.Properties);
        buffer.Raw(publish.Payload.Span);
    }

    private static void WriteSubscribe(ref PacketBuffer buffer, SubscribePacket subscribe, bool isV5)
    {
        buffer.UInt16(subscribe.PacketId);
        if (isV5)
            PropertyEncoder.WriteSection(ref buffer, subscribe.Properties);
        foreach (var request in subscribe.Subscriptions)
        {
            buffer.Text(request.Filter);
            buffer.Byte(isV5 ? SubscriptionOptions(request) : (int)request.Qos);
        }
    }

    private static void WriteUnsubscribe(ref PacketBuffer buffer, UnsubscribePacket unsubscribe, bool isV5)
    {
        buffer.UInt16(unsubscribe.PacketId);
        if (isV5)
            PropertyEncoder.WriteSection(ref buffer, unsubscribe.Properties);
        foreach (var filter in unsubscribe.Filters)
            buffer.Text(filter);
    }

    private static void WriteConnect(ref PacketBuffer buffer, ConnectPacket connect)
    {
        var isV5 = connect.ProtocolVersion >= ProtocolVersion.V5;
        buffer.Text(connect.ProtocolName);
        buffer.Byte((int)connect.ProtocolVersion);
        var flags = connect.CleanStart ? 2 : 0;
        if (connect.Will is { } w)
            flags |= 4 | ((int)w.Qos << 3) | (w.Retain ? 0x20 : 0);
        if (connect.Password is not null)
            flags |= 0x40;
        if (connect.UserName is not null)
            flags |= 0x80;
        buffer.Byte(flags);
        buffer.UInt16(connect.KeepAliveSeconds);
        if (isV5)
            PropertyEncoder.WriteSection(ref buffer, connect.Properties);
        buffer.Text(connect.ClientId);
        if (connect.Will is { } will)
        {
            if (isV5)
                PropertyEncoder.WriteSection(ref buffer, will.Properties);
            buffer.Text(will.Topic);
            buffer.Binary(will.Payload.Span);
        }
        if (connect.UserName is { } userName)
            buffer.Text(userName);
        if (connect.Password is { } password)
            buffer.Binary(password.Span);
    }

    // The shortest of the legal forms: success without properties is left out, an empty property section too (3.4.2.1,
    // 3.14.2.1).
    private static void WriteReason(ref PacketBuffer buffer, ReasonCode reason, PacketProperties properties, bool isV5)
    {
        var hasProperties = !properties.IsEmpty || buffer.HasExtraProperties;
        if (!isV5 || (reason == ReasonCode.Success && !hasProperties))
            return;
        buffer.Byte((int)reason);
        if (hasProperties)
            PropertyEncoder.WriteSection(ref buffer, properties);
    }

    private static int ReturnCode(ReasonCode reason) =>
        ConnectReturnCodes.TryFromReasonCode(reason, out var code) ? (int)code : (int)reason;

    private static int SubscriptionOptions(SubscriptionRequest request) =>
        (int)request.Qos
        | (request.NoLocal ? 4 : 0)
        | (request.RetainAsPublished ? 8 : 0)
        | ((int)request.RetainHandling << 4);
}
