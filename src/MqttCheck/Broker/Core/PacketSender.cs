using System.Buffers;
using System.Buffers.Binary;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Broker.Core;

/// <summary>Writes packets for a connection in its version, within what its client takes.</summary>
/// <param name="output">Receives the packets.</param>
internal sealed class PacketSender(IBrokerOutput output)
{
    // A topic alias and a message expiry with their identifiers.
    private const int AliasBytes = 3,
        ExpiryBytes = 5;

    /// <summary>Takes each PUBLISH of QoS 1 or 2 to send it later; null to send it now.</summary>
    public Action<Connection, byte[]>? Later { get; init; }

    /// <summary>Takes each PUBACK, PUBREC and PUBCOMP to send it later; null to send it now.</summary>
    public Action<Connection, byte[]>? AnswerLater { get; init; }

    private readonly ArrayBufferWriter<byte> _writer = new(256);
    private byte[] _packet = new byte[4096];
    private byte[] _properties = new byte[256];

    /// <summary>Sends a packet other than PUBLISH and the acknowledgements.</summary>
    /// <returns>False, and nothing is sent, if it is too large for the client.</returns>
    public bool Send(Connection to, Packet packet)
    {
        _writer.ResetWrittenCount();
        var length = PacketEncoder.Encode(packet, to.Version, _writer);
        if (length > to.MaximumPacketBytes)
            return false;
        output.Send(to.Number, _writer.WrittenSpan);
        return true;
    }

    public void SendAck(Connection to, PacketType type, ushort packetId, ReasonCode reason)
    {
        Span<byte> packet = stackalloc byte[PacketWriter.MaximumAckBytes];
        // In the long form a code that reports no error is left out where it does not fit.
        if (to.MaximumPacketBytes < PacketWriter.MaximumAckBytes && reason < ReasonCode.UnspecifiedError)
            reason = ReasonCode.Success;
        var length = PacketWriter.WriteAck(packet, type, packetId, to.Version, reason);
        if (length > to.MaximumPacketBytes)
            return;
        if (AnswerLater is not null && type != PacketType.Pubrel)
            AnswerLater(to, packet[..length].ToArray());
        else
            output.Send(to.Number, packet[..length]);
    }

    public void SendPingresp(Connection to)
    {
        Span<byte> packet = stackalloc byte[2];
        output.Send(to.Number, packet[..PacketWriter.WritePingresp(packet)]);
    }

    /// <summary>Whether the client takes a packet of this size.</summary>
    public bool Fits(Connection to, in Delivery delivery, long now) =>
        to.MaximumPacketBytes == uint.MaxValue
        || Length(to, delivery, WriteProperties(delivery, now)) <= to.MaximumPacketBytes;

    /// <summary>Sends a PUBLISH.</summary>
    /// <returns>False, and nothing is sent, if it is too large for the client.</returns>
    public bool SendPublish(Connection to, in Delivery delivery, ushort packetId, bool duplicate, long now)
    {
        var message = delivery.Message;
        var topic = message.Topic;
        ReadOnlySpan<byte> properties = default;
        if (to.Version == ProtocolVersion.V5)
        {
            var length = WriteProperties(delivery, now);
            if (Length(to, delivery, length) > to.MaximumPacketBytes)
                return false;
            // An alias must be defined before it is used, and what is late would define it late.
            if (
                Later is null
                && Length(to, delivery, length + AliasBytes) <= to.MaximumPacketBytes
                && to.Aliases.Of(topic, out var isKnown) is > 0 and var alias
            )
            {
                if (isKnown)
                    topic = default;
                _properties[length] = (byte)PropertyId.TopicAlias;
                BinaryPrimitives.WriteUInt16BigEndian(_properties.AsSpan(length + 1), alias);
                length += AliasBytes;
            }
            properties = _properties.AsSpan(0, length);
        }
        var total = PacketWriter.PublishLength(
            to.Version,
            topic.Length,
            message.Payload.Length,
            delivery.Qos,
            properties.Length
        );
        if (total > _packet.Length)
            _packet = new byte[Math.Max(total, 2 * _packet.Length)];
        PacketWriter.WritePublish(
            _packet,
            to.Version,
            topic,
            message.Payload,
            delivery.Qos,
            delivery.Retain,
            duplicate,
            packetId,
            properties
        );
        if (Later is not null && delivery.Qos != QualityOfService.AtMostOnce)
            Later(to, _packet[..total]);
        else
            output.Send(to.Number, _packet.AsSpan(0, total));
        return true;
    }

    private static int Length(Connection to, in Delivery delivery, int propertiesLength) =>
        PacketWriter.PublishLength(
            to.Version,
            delivery.Message.Topic.Length,
            delivery.Message.Payload.Length,
            delivery.Qos,
            propertiesLength
        );

    // The subscription identifiers, the rest of the expiry interval, and what the publisher sent; room for an alias is
    // left behind them.
    private int WriteProperties(in Delivery delivery, long now)
    {
        var message = delivery.Message;
        var identifiers = delivery.SubscriptionIdentifiers ?? [];
        var room = (5 * identifiers.Length) + ExpiryBytes + message.Properties.Length + AliasBytes;
        if (room > _properties.Length)
            _properties = new byte[Math.Max(room, 2 * _properties.Length)];
        var length = 0;
        foreach (var identifier in identifiers)
        {
            _properties[length++] = (byte)PropertyId.SubscriptionIdentifier;
            length += VariableByteInteger.Write(_properties.AsSpan(length), (int)identifier);
        }
        if (message.ExpiresAtNanoseconds != long.MaxValue)
        {
            // The receiver gets the remaining expiry interval, in whole seconds (MQTT-3.3.2-6).
            var left = Math.Max(0, (message.ExpiresAtNanoseconds - now + 999_999_999) / 1_000_000_000);
            _properties[length] = (byte)PropertyId.MessageExpiryInterval;
            BinaryPrimitives.WriteUInt32BigEndian(_properties.AsSpan(length + 1), (uint)left);
            length += ExpiryBytes;
        }
        message.Properties.CopyTo(_properties.AsSpan(length));
        return length + message.Properties.Length;
    }
}
