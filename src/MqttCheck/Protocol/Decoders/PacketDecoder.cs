using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Protocol.Decoders;

/// <summary>
/// Turns the bytes of one packet into a value and checks every rule that the packet alone can break. Rules that need
/// the connection's or the session's state (identifiers in use, aliases, maximum sizes) are not its business.
/// </summary>
/// <remarks>
/// Decoding allocates no more than the memory limit that it is given: everything that grows with the packet is counted
/// before it is allocated. Small fields take more memory than bytes on the wire (a topic filter of one character, 4
/// bytes, takes 40), so a packet of very many of them can be refused although it is not longer than the limit.
/// </remarks>
public static class PacketDecoder
{
    /// <summary>
    /// The least memory limit; a smaller one counts as this, so that the packet's fixed fields and the report of what
    /// is wrong with it have room.
    /// </summary>
    public const int LeastMemoryLimitBytes = 16384;

    /// <summary>Strict decoding.</summary>
    /// <param name="wholePacket">
    /// Exactly one packet, from its first byte to its last (<see cref="PacketFrame"/>).
    /// </param>
    /// <param name="version">The protocol version of the connection; a CONNECT brings its own.</param>
    /// <param name="origin">Who sent it; <see cref="PacketOrigin.Unknown"/> accepts what either side may send.</param>
    /// <param name="memoryLimitBytes">
    /// The most memory that the call may allocate, for a receiver the largest packet it accepts;
    /// <see cref="LeastMemoryLimitBytes"/> at least. A packet whose content takes more is refused with
    /// <see cref="ReasonCode.QuotaExceeded"/>. By default memory is bounded by the length of the packet only.
    /// </param>
    /// <exception cref="ProtocolException">
    /// The first broken rule; no other exception is thrown, whatever the bytes.
    /// </exception>
    public static Packet Decode(
        ReadOnlySpan<byte> wholePacket,
        ProtocolVersion version,
        PacketOrigin origin = PacketOrigin.Unknown,
        int memoryLimitBytes = int.MaxValue
    )
    {
        var reader = new PacketReader(wholePacket, version, origin, memoryLimitBytes, violations: null);
        return Read(ref reader);
    }

    /// <summary>
    /// Observing: decodes what can be understood and lists every broken rule it sees (at most 64 of a packet, fewer if
    /// the memory limit is too small for their words).
    /// </summary>
    /// <param name="wholePacket">
    /// Exactly one packet, from its first byte to its last (<see cref="PacketFrame"/>).
    /// </param>
    /// <param name="version">The protocol version of the connection; a CONNECT brings its own.</param>
    /// <param name="origin">Who sent it; <see cref="PacketOrigin.Unknown"/> accepts what either side may send.</param>
    /// <param name="memoryLimitBytes">
    /// The most memory that the call may allocate, for a receiver the largest packet it accepts;
    /// <see cref="LeastMemoryLimitBytes"/> at least. A packet whose content takes more is refused with
    /// <see cref="ReasonCode.QuotaExceeded"/>. By default memory is bounded by the length of the packet only.
    /// </param>
    public static ObservedPacket Observe(
        ReadOnlySpan<byte> wholePacket,
        ProtocolVersion version,
        PacketOrigin origin = PacketOrigin.Unknown,
        int memoryLimitBytes = int.MaxValue
    )
    {
        var violations = new List<Violation>();
        var reader = new PacketReader(wholePacket, version, origin, memoryLimitBytes, violations);
        try
        {
            var packet = Read(ref reader);
            return new ObservedPacket(packet, ValueList.Take(violations));
        }
        catch (ProtocolException exception)
        {
            violations.Add(
                new Violation(exception.Statement, exception.Offset, exception.Message, exception.ReasonCode)
            );
            return new ObservedPacket(null, ValueList.Take(violations));
        }
    }

    private static Packet Read(ref PacketReader reader)
    {
        var first = reader.ReadByte("the first byte");
        var type = (PacketType)(first >> 4);
        if (type == PacketType.Connect)
            reader.Version = reader.PeekLevel();
        var remaining = reader.ReadVariableByteInteger("the remaining length");
        if (remaining > reader.Remaining)
            reader.Fail(
                Rules.RemainingLength,
                1,
                $"the remaining length is {remaining}, but {reader.Remaining} bytes follow"
            );
        if (remaining < reader.Remaining)
            reader.Report(
                Rules.RemainingLength,
                1,
                $"the remaining length is {remaining}, but {reader.Remaining} bytes follow"
            );
        reader.End = reader.Position + remaining;
        if (type == PacketType.Reserved || (type == PacketType.Auth && !reader.IsV5))
            reader.Fail(Rules.PacketType, 0, $"packet type {(int)type} is reserved");
        CheckDirection(ref reader, type);
        CheckFlags(ref reader, type, first & 0xF);

        Packet packet = type switch
        {
            PacketType.Connect => ConnectDecoder.ReadConnect(ref reader),
            PacketType.Connack => ConnectDecoder.ReadConnack(ref reader),
            PacketType.Publish => PublishDecoder.ReadPublish(ref reader, first & 0xF),
            PacketType.Puback or PacketType.Pubrec or PacketType.Pubrel or PacketType.Pubcomp => PublishDecoder.ReadAck(
                ref reader,
                type
            ),
            PacketType.Subscribe => SubscriptionDecoder.ReadSubscribe(ref reader),
            PacketType.Suback => SubscriptionDecoder.ReadSuback(ref reader),
            PacketType.Unsubscribe => SubscriptionDecoder.ReadUnsubscribe(ref reader),
            PacketType.Unsuback => SubscriptionDecoder.ReadUnsuback(ref reader),
            PacketType.Pingreq => new PingreqPacket(),
            PacketType.Pingresp => new PingrespPacket(),
            PacketType.Disconnect => ConnectDecoder.ReadDisconnect(ref reader),
            _ => ConnectDecoder.ReadAuth(ref reader),
        };
        if (reader.Remaining > 0)
            reader.Report(
                Rules.TrailingBytes,
                reader.Position,
                $"{reader.Remaining} bytes follow the last field of the packet"
            );
        return packet;
    }

    private static void CheckDirection(ref PacketReader reader, PacketType type)
    {
        var sender = type switch
        {
            PacketType.Connect or PacketType.Subscribe or PacketType.Unsubscribe or PacketType.Pingreq =>
                PacketOrigin.Client,
            PacketType.Connack or PacketType.Suback or PacketType.Unsuback or PacketType.Pingresp =>
                PacketOrigin.Server,
            PacketType.Disconnect when !reader.IsV5 => PacketOrigin.Client,
            _ => PacketOrigin.Unknown,
        };
        if (sender == PacketOrigin.Unknown || reader.Origin == PacketOrigin.Unknown || sender == reader.Origin)
            return;
        reader.Report(
            Rules.Direction,
            0,
            $"{type.ToString().ToUpperInvariant()} from the {reader.Origin.ToString().ToLowerInvariant()}"
        );
    }

    private static void CheckFlags(ref PacketReader reader, PacketType type, int flags)
    {
        if (type == PacketType.Publish)
            return;
        var (expected, rule) = type switch
        {
            PacketType.Pubrel => (2, Rules.PubrelFlags),
            PacketType.Subscribe => (2, Rules.SubscribeFlags),
            PacketType.Unsubscribe => (2, Rules.UnsubscribeFlags),
            PacketType.Disconnect => (0, Rules.DisconnectFlags),
            PacketType.Auth => (0, Rules.AuthFlags),
            _ => (0, Rules.Flags),
        };
        if (flags != expected)
            reader.Report(
                rule,
                0,
                $"the flags of {type.ToString().ToUpperInvariant()} are {flags:b4}, not {expected:b4}"
            );
    }
}
