using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>
/// Limits: what CONNACK says that the broker does not offer, and the largest packet that a client takes.
/// </summary>
internal sealed class LimitJudge(Judgements judgements) : Judge(judgements)
{
    // A delivery can have more properties than the publication.
    private const int PropertyBytes = 64;

    // The properties of the last CONNACK of the run; null before the first.
    private PacketProperties? _announced;

    /// <summary>CONNACK says what is not offered: a will beyond that must have been refused.</summary>
    public void Accepted(ClientSession session, ObservedConnection connection)
    {
        _announced = connection.Connack!.Properties;
        if (!IsV5 || connection.Connect!.Will is not { } will)
            return;
        var limits = _announced;
        if (limits is not { MaximumQos: not null } and not { RetainAvailable: false })
            return;
        Check(Statements.WillWithinLimits);
        if (will.Qos > (limits.MaximumQos ?? QualityOfService.ExactlyOnce))
        {
            Deviate(
                Statements.WillWithinLimits,
                $"QoS {(int)will.Qos}",
                $"{session.Name}'s CONNECT with a will of QoS {(int)will.Qos} is accepted; "
                    + $"CONNACK announces Maximum QoS {(int)limits.MaximumQos!}"
            );
        }
        else if (will.Retain && limits.RetainAvailable == false)
        {
            Deviate(
                Statements.WillWithinLimits,
                "RETAIN",
                $"{session.Name}'s CONNECT with a retained will is accepted; CONNACK says that nothing is retained"
            );
        }
    }

    // "If a Server receives a CONNECT packet containing a Will QoS that exceeds its capabilities, it MUST reject the
    // connection" (MQTT-3.2.2-12; 3.2.2-13 for RETAIN). Another CONNACK may have told the limit; before the first, the
    // reason is believed.
    public bool IsRefusedForWill(ObservedConnection connection, ReasonCode reason) =>
        IsV5
        && connection.Connect?.Will is { } will
        && reason switch
        {
            ReasonCode.QosNotSupported => will.Qos > QualityOfService.AtMostOnce
                && (_announced is null || will.Qos > _announced.MaximumQos),
            ReasonCode.RetainNotSupported => will.Retain && (_announced is null || _announced.RetainAvailable == false),
            _ => false,
        };

    // A packet sent before CONNACK could not obey the limits of CONNACK. The broker ends the connection (MQTT 5,
    // 3.2.2.3.3 to 3.2.2.3.6).
    public bool WereExceeded(ClientSession session, ObservedConnection connection, ConnackPacket connack) =>
        session.Awaited.Any(a =>
            a.Subscribe is { } s && s.Subscriptions.Any(request => IsUnavailable(connection, request.Filter))
        )
        || (
            connack.Properties.SubscriptionIdentifierAvailable == false
            && session.Awaited.Any(a => a.Subscribe is { Properties.SubscriptionIdentifiers.Count: > 0 })
        )
        || PublicationsExceed(connection, connack.Properties);

    /// <summary>Whether CONNACK says that such a filter is not offered: then it may be refused in any way.</summary>
    public bool IsUnavailable(ObservedConnection connection, string filter) =>
        IsV5
        && connection.Connack is { } connack
        && (
            (
                connack.Properties.SharedSubscriptionAvailable == false
                && filter.StartsWith("$share/", StringComparison.Ordinal)
            )
            || (connack.Properties.WildcardSubscriptionAvailable == false && filter.AsSpan().IndexOfAny('+', '#') >= 0)
        );

    /// <summary>A packet came: it must not be larger than its client takes.</summary>
    public void Received(ClientSession session, ObservedConnection connection, Packet? packet)
    {
        if (!IsV5 || packet is null || connection.Connect?.Properties.MaximumPacketSizeBytes is not { } maximum)
            return;
        Check(Statements.MaximumPacketSize, Wording.Packet(packet.Type));
        var length = PacketEncoder.GetLength(packet, Version);
        if (length <= maximum)
            return;
        Deviate(
            Statements.MaximumPacketSize,
            Wording.Packet(packet.Type),
            $"{session.Name} gets a packet of {length} bytes; its Maximum Packet Size is {maximum}"
        );
    }

    // If a connection does not accept packets of this size, the broker drops waiting messages for good.
    public void DropTooLarge(ClientSession session)
    {
        foreach (
            var expected in session.Expected.Values.Where(expected =>
                MayBeTooLarge(session, expected.Publication.Packet)
            )
        )
            expected.IsDue = false;
        foreach (
            var read in session.Reads.Where(read =>
                Run.WritesTo(read.Topic).Exists(write => MayBeTooLarge(session, write.Publication.Packet))
            )
        )
            read.IsDue = false;
    }

    /// <summary>Whether a message may be too large for a client: then it is not owed to it.</summary>
    public static bool MayBeTooLarge(ClientSession session, PublishPacket packet)
    {
        if (IsTooLarge(session.Displaced, packet))
            return true;
        // Until a connection is accepted the broker may not have seen the end of the one before.
        for (
            var connection = session.Connection;
            connection is not null;
            connection = connection.IsAccepted ? null : connection.Previous
        )
        {
            if (IsTooLarge(connection, packet))
                return true;
        }
        return false;
    }

    // MQTT 5 alone has such a limit.
    private static bool IsTooLarge(ObservedConnection? connection, PublishPacket packet) =>
        connection?.Connect?.Properties.MaximumPacketSizeBytes is { } maximum
        && PacketEncoder.GetLength(packet, ProtocolVersion.V5) + PropertyBytes > maximum;

    private bool PublicationsExceed(ObservedConnection connection, PacketProperties limits)
    {
        if (!IsV5)
            return false;
        Publication[] sent = [.. Run.Publications.Where(publication => publication.Connection == connection.Number)];
        // Exchanges that an earlier connection left unfinished are resumed here, and count against Receive Maximum.
        var numbers = new HashSet<int> { connection.Number };
        for (var earlier = connection.Previous; earlier is not null; earlier = earlier.Previous)
            numbers.Add(earlier.Number);
        var inFlight = Run.Publications.Count(p =>
            p.Qos > QualityOfService.AtMostOnce && numbers.Contains(p.Connection)
        );
        return inFlight > (limits.ReceiveMaximum ?? ushort.MaxValue)
            || Array.Exists(
                sent,
                p =>
                    p.Qos > (limits.MaximumQos ?? QualityOfService.ExactlyOnce)
                    || (p.Packet.Retain && limits.RetainAvailable == false)
                    || (p.Packet.Properties.TopicAlias ?? 0) > (limits.TopicAliasMaximum ?? 0)
                    || PacketEncoder.GetLength(p.Packet, Version) > (limits.MaximumPacketSizeBytes ?? uint.MaxValue)
            );
    }
}
