using System.Buffers.Binary;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Protocol.Frames;

/// <summary>
/// PUBACK, PUBREC, PUBREL or PUBCOMP read in place, without allocation. It accepts exactly what
/// <see cref="PacketDecoder"/> accepts.
/// </summary>
public readonly ref struct AckView
{
    private AckView(PacketType type, ushort packetId, ReasonCode reasonCode, ReadOnlySpan<byte> properties)
    {
        Type = type;
        PacketId = packetId;
        ReasonCode = reasonCode;
        RawProperties = properties;
    }

    /// <summary>Which of the four.</summary>
    public PacketType Type { get; }

    /// <summary>The packet identifier.</summary>
    public ushort PacketId { get; }

    /// <summary>The reason code; success if the packet has none.</summary>
    public ReasonCode ReasonCode { get; }

    /// <summary>The properties without their leading length.</summary>
    public ReadOnlySpan<byte> RawProperties { get; }

    /// <summary>
    /// Reads an acknowledgement; false if it breaks a rule, which <see cref="PacketDecoder"/> then names.
    /// </summary>
    /// <param name="version">The protocol version of the connection.</param>
    /// <param name="wholePacket">Exactly one packet, from its first byte to its last.</param>
    /// <param name="view">The fields.</param>
    /// <param name="origin">Who sent it: some reason codes come from the server only.</param>
    public static bool TryParse(
        ProtocolVersion version,
        ReadOnlySpan<byte> wholePacket,
        out AckView view,
        PacketOrigin origin = PacketOrigin.Unknown
    )
    {
        view = default;
        if (wholePacket.Length < 4)
            return false;
        var type = (PacketType)(wholePacket[0] >> 4);
        var flags = type == PacketType.Pubrel ? 2 : 0;
        if (type is < PacketType.Puback or > PacketType.Pubcomp || (wholePacket[0] & 0xF) != flags)
            return false;
        var packetId = BinaryPrimitives.ReadUInt16BigEndian(wholePacket[2..]);
        if (wholePacket.Length == 4 && wholePacket[1] == 2)
        {
            view = new AckView(type, packetId, ReasonCode.Success, default);
            return packetId != 0;
        }
        if (wholePacket.Length == 5 && wholePacket[1] == 3 && version >= ProtocolVersion.V5)
        {
            var reason = (ReasonCode)wholePacket[4];
            view = new AckView(type, packetId, reason, default);
            return packetId != 0 && reason.IsAllowedIn(type, origin);
        }
        return TryParseLong(version, wholePacket, type, origin, out view);
    }

    private static bool TryParseLong(
        ProtocolVersion version,
        ReadOnlySpan<byte> wholePacket,
        PacketType type,
        PacketOrigin origin,
        out AckView view
    )
    {
        view = default;
        var isV5 = version >= ProtocolVersion.V5;
        var lengthBytes = VariableByteInteger.Read(wholePacket[1..], out var remaining);
        if (lengthBytes <= 0 || 1 + lengthBytes + remaining != wholePacket.Length)
            return false;
        if (isV5 ? lengthBytes != VariableByteInteger.Length(remaining) || remaining < 4 : remaining != 2)
            return false;
        var body = wholePacket[(1 + lengthBytes)..];
        var packetId = BinaryPrimitives.ReadUInt16BigEndian(body);
        if (packetId == 0)
            return false;
        if (!isV5)
        {
            view = new AckView(type, packetId, ReasonCode.Success, default);
            return true;
        }
        var reason = (ReasonCode)body[2];
        var properties = body[3..];
        var prefix = VariableByteInteger.Read(properties, out var propertiesLength);
        if (
            prefix <= 0
            || prefix != VariableByteInteger.Length(propertiesLength)
            || prefix + propertiesLength != properties.Length
        )
            return false;
        properties = properties[prefix..];
        view = new AckView(type, packetId, reason, properties);
        return reason.IsAllowedIn(type, origin) && AreLegal(properties);
    }

    private static bool AreLegal(ReadOnlySpan<byte> properties)
    {
        var hasReasonString = false;
        var reader = new PropertyReader(properties);
        while (reader.MoveNext())
        {
            switch (reader.Id)
            {
                case PropertyId.ReasonString when !hasReasonString && PropertyReader.IsText(reader.Data):
                    hasReasonString = true;
                    break;
                case PropertyId.UserProperty
                    when PropertyReader.IsText(reader.Data) && PropertyReader.IsText(reader.PairValue):
                    break;
                default:
                    return false;
            }
        }
        return !reader.IsMalformed;
    }
}
