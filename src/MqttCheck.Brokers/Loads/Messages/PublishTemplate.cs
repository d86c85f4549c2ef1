using System.Buffers.Binary;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Loads.Messages;

/// <summary>
/// The PUBLISH of one publisher. It is written once, and only the differing fields change per message. A returned span
/// is valid until the next call.
/// </summary>
internal sealed class PublishTemplate
{
    private readonly ProtocolVersion _version;
    private readonly byte[] _topic;
    private readonly LoadPayload _payload;
    private readonly QualityOfService _qos;
    private readonly byte[] _packet;
    private readonly byte[]? _sizedPayload;
    private readonly int _idOffset;

    /// <summary>The packets of a publisher.</summary>
    /// <param name="version">The protocol version.</param>
    /// <param name="topic">The topic in UTF-8.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="qos">The quality of service.</param>
    /// <param name="owner">The publisher, if each shall have payloads of its own.</param>
    public PublishTemplate(
        ProtocolVersion version,
        byte[] topic,
        LoadPayload payload,
        QualityOfService qos,
        int? owner = null
    )
    {
        (_version, _topic, _payload, _qos) = (version, topic, payload, qos);
        _packet = new byte[PacketWriter.PublishLength(version, topic.Length, payload.MaximumBytes, qos)];
        var pattern = new byte[payload.MaximumBytes];
        payload.WritePattern(pattern);
        if (owner is { } publisher)
            payload.WriteOwner(pattern, publisher);
        PacketWriter.WritePublish(_packet, version, topic, pattern, qos, retain: false, duplicate: false, packetId: 1);
        // The identifier follows the topic. In version 5 one byte of empty properties separates it from the payload.
        _idOffset = _packet.Length - pattern.Length - (version >= ProtocolVersion.V5 ? 1 : 0) - sizeof(ushort);
        if (payload.HasSizes)
            _sizedPayload = pattern;
    }

    /// <summary>The largest packet, in bytes.</summary>
    public int MaximumBytes => _packet.Length;

    /// <summary>The packet of a message.</summary>
    /// <param name="publisher">The publisher's number.</param>
    /// <param name="number">The message's number.</param>
    /// <param name="packetId">The packet identifier; not written at QoS 0.</param>
    /// <param name="unixMilliseconds">The time.</param>
    /// <param name="random">The source of payload sizes and of random bytes.</param>
    /// <param name="payloadBytes">The size of its payload.</param>
    public ReadOnlySpan<byte> Next(
        int publisher,
        long number,
        ushort packetId,
        long unixMilliseconds,
        ref RandomStream random,
        out int payloadBytes
    )
    {
        if (_sizedPayload is null)
        {
            payloadBytes = _payload.MaximumBytes;
            if (_qos != QualityOfService.AtMostOnce)
                BinaryPrimitives.WriteUInt16BigEndian(_packet.AsSpan(_idOffset), packetId);
            _payload.Fill(
                _packet.AsSpan(_packet.Length - payloadBytes),
                publisher,
                number,
                unixMilliseconds,
                ref random
            );
            return _packet;
        }
        payloadBytes = _payload.NextBytes(ref random);
        var payload = _sizedPayload.AsSpan(0, payloadBytes);
        _payload.Fill(payload, publisher, number, unixMilliseconds, ref random);
        return _packet.AsSpan(
            0,
            PacketWriter.WritePublish(
                _packet,
                _version,
                _topic,
                payload,
                _qos,
                retain: false,
                duplicate: false,
                packetId
            )
        );
    }
}
