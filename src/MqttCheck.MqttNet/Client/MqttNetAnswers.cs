using System.Buffers;
using System.Text;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MQTTnet;

namespace MqttCheck.MqttNet.Client;

/// <summary>
/// Converts the results that the library gives an application into the packets from which they came. There is one
/// instance for each loop; a returned span is valid until the next call.
/// </summary>
internal sealed class MqttNetAnswers
{
    private byte[] _buffer = new byte[512];

    /// <summary>The result of connecting as CONNACK.</summary>
    /// <param name="result">The result.</param>
    /// <param name="version">The protocol version.</param>
    public static ReadOnlySpan<byte> Connack(MqttClientConnectResult result, ProtocolVersion version)
    {
        var code = (ReasonCode)result.ResultCode;
        if (version < ProtocolVersion.V5)
            return PacketEncoder.Encode(new ConnackPacket(result.IsSessionPresent, code), version);
        var properties = new PacketProperties
        {
            ReceiveMaximum = Given(result.ReceiveMaximum),
            MaximumPacketSizeBytes = result.MaximumPacketSize is > 0 and var bytes ? bytes : null,
            MaximumQos =
                result.MaximumQoS < MQTTnet.Protocol.MqttQualityOfServiceLevel.ExactlyOnce
                    ? (QualityOfService)result.MaximumQoS
                    : null,
            WildcardSubscriptionAvailable = result.WildcardSubscriptionAvailable ? null : false,
            AssignedClientIdentifier = string.IsNullOrEmpty(result.AssignedClientIdentifier)
                ? null
                : result.AssignedClientIdentifier,
            // The server keep alive is left out, because the library obeys it.
        };
        return PacketEncoder.Encode(
            new ConnackPacket(result.IsSessionPresent, code) { Properties = properties },
            version
        );
    }

    /// <summary>
    /// The result of a publication as its last acknowledgement: PUBACK, PUBCOMP, or PUBREC where that refuses.
    /// </summary>
    /// <param name="result">The result.</param>
    /// <param name="packetId">The identifier of the request.</param>
    /// <param name="qos">The quality of service of the publication, at least 1.</param>
    /// <param name="version">The protocol version.</param>
    public ReadOnlySpan<byte> Acknowledgement(
        MqttClientPublishResult result,
        ushort packetId,
        QualityOfService qos,
        ProtocolVersion version
    )
    {
        var code = (ReasonCode)result.ReasonCode;
        var type =
            qos == QualityOfService.AtLeastOnce ? PacketType.Puback
            : code.IsError() ? PacketType.Pubrec
            : PacketType.Pubcomp;
        // PUBREC may report success without matching subscribers, which PUBCOMP does not repeat.
        if (type == PacketType.Pubcomp)
            code = ReasonCode.Success;
        return _buffer.AsSpan(0, PacketWriter.WriteAck(_buffer, type, packetId, version, code));
    }

    /// <summary>The result of a subscription as SUBACK.</summary>
    /// <param name="result">The result.</param>
    /// <param name="packetId">The identifier of the request.</param>
    /// <param name="version">The protocol version.</param>
    public static ReadOnlySpan<byte> Suback(
        MqttClientSubscribeResult result,
        ushort packetId,
        ProtocolVersion version
    ) =>
        PacketEncoder.Encode(
            new SubackPacket(packetId, [.. result.Items.Select(item => (ReasonCode)item.ResultCode)]),
            version
        );

    /// <summary>The result of the end of a subscription as UNSUBACK.</summary>
    /// <param name="result">The result.</param>
    /// <param name="packetId">The identifier of the request.</param>
    /// <param name="version">The protocol version.</param>
    public static ReadOnlySpan<byte> Unsuback(
        MqttClientUnsubscribeResult result,
        ushort packetId,
        ProtocolVersion version
    ) =>
        PacketEncoder.Encode(
            version < ProtocolVersion.V5
                ? new UnsubackPacket(packetId)
                : new UnsubackPacket(packetId, [.. result.Items.Select(item => (ReasonCode)item.ResultCode)]),
            version
        );

    /// <summary>A received message as PUBLISH.</summary>
    /// <param name="message">The message.</param>
    /// <param name="packetId">The broker's identifier; not written at QoS 0.</param>
    /// <param name="version">The protocol version.</param>
    public ReadOnlySpan<byte> Publish(MqttApplicationMessage message, ushort packetId, ProtocolVersion version)
    {
        var topicBytes = Encoding.UTF8.GetByteCount(message.Topic);
        Span<byte> topic = topicBytes <= 512 ? stackalloc byte[topicBytes] : new byte[topicBytes];
        Encoding.UTF8.GetBytes(message.Topic, topic);
        var qos = (QualityOfService)message.QualityOfServiceLevel;
        var payload = message.Payload.IsSingleSegment ? message.Payload.FirstSpan : message.Payload.ToArray();
        var length = PacketWriter.PublishLength(version, topicBytes, payload.Length, qos);
        if (_buffer.Length < length)
            _buffer = new byte[Math.Max(length, _buffer.Length * 2)];
        return _buffer.AsSpan(
            0,
            PacketWriter.WritePublish(_buffer, version, topic, payload, qos, message.Retain, message.Dup, packetId)
        );
    }

    /// <summary>The broker's DISCONNECT.</summary>
    /// <param name="code">Its reason.</param>
    public static ReadOnlySpan<byte> Disconnect(ReasonCode code) =>
        PacketEncoder.Encode(new DisconnectPacket(code), ProtocolVersion.V5);

    /// <summary>PINGRESP.</summary>
    public static ReadOnlySpan<byte> Pingresp => [0xD0, 0x00];

    // The library has 0 for a value that the broker did not send.
    private static ushort? Given(ushort? value) => value is 0 ? null : value;
}
