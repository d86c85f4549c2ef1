using System.Buffers.Binary;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// Reads in place the answers that differ between the protocol versions: MQTT 5 adds reason codes and properties.
/// </summary>
internal static class ServerAnswers
{
    /// <summary>Reads a CONNACK.</summary>
    /// <param name="version">The protocol version.</param>
    /// <param name="packet">The whole packet.</param>
    /// <param name="connack">The fields of the packet.</param>
    /// <returns>Whether it is well formed.</returns>
    public static bool TryReadConnack(ProtocolVersion version, ReadOnlySpan<byte> packet, out Connack connack)
    {
        connack = default;
        if (packet[0] != 0x20 || !TryReadBody(packet, out var body) || body.Length < 2 || body[0] > 1)
            return false;
        connack = new()
        {
            SessionPresent = body[0] == 1,
            Code = body[1],
            MaximumQos = QualityOfService.ExactlyOnce,
            MaximumPacketBytes = long.MaxValue,
        };
        if (version < ProtocolVersion.V5)
            return body.Length == 2;
        if (
            !((ReasonCode)body[1]).IsAllowedIn(PacketType.Connack, PacketOrigin.Server)
            || !TryReadProperties(body[2..], out var properties, out var rest)
            || !rest.IsEmpty
        )
            return false;
        var reader = new PropertyReader(properties);
        while (reader.MoveNext())
        {
            if (reader.Id == PropertyId.MaximumQos)
                connack.MaximumQos = (QualityOfService)Math.Min(reader.Number, 2);
            else if (reader.Id == PropertyId.MaximumPacketSize)
                connack.MaximumPacketBytes = reader.Number;
            else if (reader.Id == PropertyId.ServerKeepAlive)
                connack.KeepAliveSeconds = (int)reader.Number;
            else if (reader.Id == PropertyId.TopicAliasMaximum)
                connack.TopicAliasMaximum = (int)reader.Number;
            else if (reader.Id == PropertyId.RetainAvailable)
                connack.LacksRetain = reader.Number == 0;
            else if (reader.Id == PropertyId.SharedSubscriptionAvailable)
                connack.LacksShares = reader.Number == 0;
        }
        return !reader.IsMalformed;
    }

    /// <summary>Reads a SUBACK to one topic filter.</summary>
    /// <param name="version">The protocol version.</param>
    /// <param name="packet">The whole packet.</param>
    /// <param name="packetId">Its packet identifier.</param>
    /// <param name="code">The granted quality of service, or a failure.</param>
    /// <returns>Whether it is well formed.</returns>
    public static bool TryReadSuback(
        ProtocolVersion version,
        ReadOnlySpan<byte> packet,
        out ushort packetId,
        out ReasonCode code
    )
    {
        (packetId, code) = (0, default);
        if (packet[0] != 0x90 || !TryReadIdentified(version, packet, out packetId, out var codes) || codes.Length != 1)
            return false;
        code = (ReasonCode)codes[0];
        return version < ProtocolVersion.V5
            ? codes[0] is <= 2 or 0x80
            : code.IsAllowedIn(PacketType.Suback, PacketOrigin.Server);
    }

    /// <summary>Reads an UNSUBACK to one topic filter.</summary>
    /// <param name="version">The protocol version.</param>
    /// <param name="packet">The whole packet.</param>
    /// <param name="packetId">Its packet identifier.</param>
    /// <param name="code">Success or a failure; success before MQTT 5, which has none.</param>
    /// <returns>Whether it is well formed.</returns>
    public static bool TryReadUnsuback(
        ProtocolVersion version,
        ReadOnlySpan<byte> packet,
        out ushort packetId,
        out ReasonCode code
    )
    {
        (packetId, code) = (0, default);
        if (packet[0] != 0xB0 || !TryReadIdentified(version, packet, out packetId, out var codes))
            return false;
        if (version < ProtocolVersion.V5)
            return codes.IsEmpty;
        if (codes.Length != 1)
            return false;
        code = (ReasonCode)codes[0];
        return code.IsAllowedIn(PacketType.Unsuback, PacketOrigin.Server);
    }

    /// <summary>Reads a DISCONNECT from the server, which only MQTT 5 has.</summary>
    /// <param name="packet">The whole packet.</param>
    /// <param name="code">The reason.</param>
    /// <returns>Whether it is well formed.</returns>
    public static bool TryReadDisconnect(ReadOnlySpan<byte> packet, out ReasonCode code)
    {
        code = ReasonCode.Success;
        if (packet[0] != 0xE0 || !TryReadBody(packet, out var body))
            return false;
        if (body.Length > 0)
            code = (ReasonCode)body[0];
        return code.IsAllowedIn(PacketType.Disconnect, PacketOrigin.Server);
    }

    private static bool TryReadIdentified(
        ProtocolVersion version,
        ReadOnlySpan<byte> packet,
        out ushort packetId,
        out ReadOnlySpan<byte> codes
    )
    {
        packetId = 0;
        codes = default;
        if (!TryReadBody(packet, out var body) || body.Length < 2)
            return false;
        packetId = BinaryPrimitives.ReadUInt16BigEndian(body);
        codes = body[2..];
        return version < ProtocolVersion.V5 || TryReadProperties(codes, out _, out codes);
    }

    private static bool TryReadBody(ReadOnlySpan<byte> packet, out ReadOnlySpan<byte> body)
    {
        var lengthBytes = VariableByteInteger.Read(packet[1..], out var length);
        body = lengthBytes > 0 ? packet[(1 + lengthBytes)..] : default;
        return lengthBytes > 0 && body.Length == length;
    }

    private static bool TryReadProperties(
        ReadOnlySpan<byte> from,
        out ReadOnlySpan<byte> properties,
        out ReadOnlySpan<byte> rest
    )
    {
        properties = rest = default;
        var lengthBytes = VariableByteInteger.Read(from, out var length);
        if (lengthBytes <= 0 || from.Length - lengthBytes < length)
            return false;
        properties = from.Slice(lengthBytes, length);
        rest = from[(lengthBytes + length)..];
        return true;
    }

    /// <summary>The fields of a CONNACK.</summary>
    public struct Connack
    {
        /// <summary>Whether the broker resumes a session.</summary>
        public bool SessionPresent;

        /// <summary>The code: 0 for success, otherwise a return code of 3.1.1 or a reason code of MQTT 5.</summary>
        public byte Code;

        /// <summary>The highest quality of service that the broker serves.</summary>
        public QualityOfService MaximumQos;

        /// <summary>The largest packet that it takes.</summary>
        public long MaximumPacketBytes;

        /// <summary>The server keep alive in seconds, 0 if it sets none.</summary>
        public int KeepAliveSeconds;

        /// <summary>The topic alias maximum.</summary>
        public int TopicAliasMaximum;

        /// <summary>Whether the broker does not support retained messages.</summary>
        public bool LacksRetain;

        /// <summary>Whether it has no shared subscriptions.</summary>
        public bool LacksShares;
    }
}
