namespace MqttCheck.Protocol;

/// <summary>
/// Turns the bytes of one packet into a value and checks every rule that the packet alone can break. Rules that need the connection's or the
/// session's state (identifiers in use, aliases, maximum sizes) are not its business.
/// </summary>
public static class PacketDecoder
{
    /// <summary>Strict decoding.</summary>
    /// <param name="wholePacket">Exactly one packet, from its first byte to its last (<see cref="PacketFrame"/>).</param>
    /// <param name="version">The protocol version of the connection; a CONNECT brings its own.</param>
    /// <param name="origin">Who sent it; <see cref="PacketOrigin.Unknown"/> accepts what either side may send.</param>
    /// <exception cref="ProtocolException">The first broken rule; no other exception is thrown, whatever the bytes.</exception>
    public static Packet Decode(ReadOnlySpan<byte> wholePacket, ProtocolVersion version, PacketOrigin origin = PacketOrigin.Unknown)
    {
        var reader = new PacketReader(wholePacket, version, origin, violations: null);
        return Read(ref reader);
    }

    /// <summary>Observing: decodes what can be understood and lists every broken rule it sees (at most 64 of a packet).</summary>
    /// <param name="wholePacket">Exactly one packet, from its first byte to its last (<see cref="PacketFrame"/>).</param>
    /// <param name="version">The protocol version of the connection; a CONNECT brings its own.</param>
    /// <param name="origin">Who sent it; <see cref="PacketOrigin.Unknown"/> accepts what either side may send.</param>
    public static ObservedPacket Observe(ReadOnlySpan<byte> wholePacket, ProtocolVersion version, PacketOrigin origin = PacketOrigin.Unknown)
    {
        var violations = new List<Violation>();
        var reader = new PacketReader(wholePacket, version, origin, violations);
        try
        {
            var packet = Read(ref reader);
            return new ObservedPacket(packet, ValueList.Take(violations));
        }
        catch (ProtocolException exception)
        {
            violations.Add(new Violation(exception.Statement, exception.Offset, exception.Message, exception.ReasonCode));
            return new ObservedPacket(null, ValueList.Take(violations));
        }
    }

    internal static bool IsLegal(ReadOnlySpan<byte> wholePacket, ProtocolVersion version, PacketOrigin origin)
    {
        try
        {
            Decode(wholePacket, version, origin);
            return true;
        }
        catch (ProtocolException)
        {
            return false;
        }
    }

    private static Packet Read(ref PacketReader reader)
    {
        var first = reader.ReadByte("the first byte");
        var type = (PacketType)(first >> 4);
        if (type == PacketType.Connect) reader.Version = reader.PeekLevel();
        var remaining = reader.ReadVariableByteInteger("the remaining length");
        if (remaining > reader.Remaining)
            reader.Fail(Rules.RemainingLength, 1, $"the remaining length is {remaining}, but {reader.Remaining} bytes follow");
        if (remaining < reader.Remaining)
            reader.Report(Rules.RemainingLength, 1, $"the remaining length is {remaining}, but {reader.Remaining} bytes follow");
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
            PacketType.Puback or PacketType.Pubrec or PacketType.Pubrel or PacketType.Pubcomp => PublishDecoder.ReadAck(ref reader, type),
            PacketType.Subscribe => SubscriptionDecoder.ReadSubscribe(ref reader),
            PacketType.Suback => SubscriptionDecoder.ReadSuback(ref reader),
            PacketType.Unsubscribe => SubscriptionDecoder.ReadUnsubscribe(ref reader),
            PacketType.Unsuback => SubscriptionDecoder.ReadUnsuback(ref reader),
            PacketType.Pingreq => new PingreqPacket(),
            PacketType.Pingresp => new PingrespPacket(),
            PacketType.Disconnect => ConnectDecoder.ReadDisconnect(ref reader),
            _ => ConnectDecoder.ReadAuth(ref reader),
        };
        if (reader.Remaining > 0) reader.Report(Rules.TrailingBytes, reader.Position, $"{reader.Remaining} bytes follow the last field of the packet");
        return packet;
    }

    private static void CheckDirection(ref PacketReader reader, PacketType type)
    {
        var sender = type switch
        {
            PacketType.Connect or PacketType.Subscribe or PacketType.Unsubscribe or PacketType.Pingreq => PacketOrigin.Client,
            PacketType.Connack or PacketType.Suback or PacketType.Unsuback or PacketType.Pingresp => PacketOrigin.Server,
            PacketType.Disconnect when !reader.IsV5 => PacketOrigin.Client,
            _ => PacketOrigin.Unknown,
        };
        if (sender == PacketOrigin.Unknown || reader.Origin == PacketOrigin.Unknown || sender == reader.Origin) return;
        reader.Report(Rules.Direction, 0, $"{type.ToString().ToUpperInvariant()} from the {reader.Origin.ToString().ToLowerInvariant()}");
    }

    private static void CheckFlags(ref PacketReader reader, PacketType type, int flags)
    {
        if (type == PacketType.Publish) return;
        var (expected, rule) = type switch
        {
            PacketType.Pubrel => (2, Rules.PubrelFlags),
            PacketType.Subscribe => (2, Rules.SubscribeFlags),
            PacketType.Unsubscribe => (2, Rules.UnsubscribeFlags),
            PacketType.Disconnect => (0, Rules.DisconnectFlags),
            PacketType.Auth => (0, Rules.AuthFlags),
            _ => (0, Rules.Flags),
        };
        if (flags != expected) reader.Report(rule, 0, $"the flags of {type.ToString().ToUpperInvariant()} are {flags:b4}, not {expected:b4}");
    }
}
