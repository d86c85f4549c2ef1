using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>
/// Packet identifiers, topic aliases and windows of the messages that clients get, and the exchanges by which these
/// come.
/// </summary>
internal sealed class IncomingMessageJudge(
    Judgements judgements,
    DeliveryJudge deliveries,
    UnexpectedDeliveryJudge unexpected
) : Judge(judgements)
{
    public void Received(ClientSession session, ObservedConnection connection, PublishPacket delivery)
    {
        delivery = ResolveAlias(session, connection, delivery);
        var hasIdentifier = delivery.Qos != QualityOfService.AtMostOnce;
        if (hasIdentifier)
            Check(Statements.PacketIdentifier);
        if (hasIdentifier && session.Incoming.TryGetValue(delivery.PacketId, out var open))
        {
            if (IsAgain(connection, open, delivery))
            {
                ReceivedAgain(session, connection, open, delivery);
                return;
            }
            if (!open.IsFinished && open.Connection == connection.Number)
            {
                Deviate(
                    Statements.PacketIdentifier,
                    $"QoS {(int)open.Packet.Qos}",
                    $"{session.Name} gets a new message with identifier {delivery.PacketId}, which is in use"
                );
            }
        }
        var publication = unexpected.Identify(session, delivery);
        if (IsV5 && hasIdentifier)
            Check(Statements.NoLiveResend);
        if (publication is not null)
            Check(Statements.Payload);
        var isResend = JudgeResend(session, connection, publication, delivery);
        if (hasIdentifier)
        {
            session.Incoming[delivery.PacketId] = new IncomingMessage(
                delivery.PacketId,
                delivery,
                publication,
                connection.Number
            )
            {
                IsOfReplaced = connection.IsTakenOver,
                ReceivedAt = Now,
                // The broker may continue another session, which knows nothing of the message.
                MayBeGone =
                    connection.IsTakenOver
                    && (connection.ExpirySeconds == 0 || session.Connection is { Connect.CleanStart: true }),
            };
            JudgeWindow(session, connection);
        }
        if (publication is null)
            unexpected.Foreign(session, delivery);
        else if (!isResend)
            deliveries.Delivered(session, connection, delivery, publication);
    }

    /// <summary>A client sends PUBACK, PUBREC or PUBCOMP.</summary>
    public void AcknowledgementSent(ClientSession session, ObservedConnection connection, AckPacket ack)
    {
        var isRefusal = ack.ReasonCode.IsError() && ack is PubackPacket or PubrecPacket;
        connection.LastSent = new(ack.Type, $"{Wording.Packet(ack.Type)}{(isRefusal ? " with an error" : "")}");
        if (!session.Incoming.TryGetValue(ack.PacketId, out var message))
            return;
        message.IsAcknowledged = true;
        // The identifier is free behind a PUBREC with an error too (MQTT 5, section 4.3.3).
        if (ack is not PubrecPacket || isRefusal)
            message.IsFinished = true;
        if (!isRefusal)
            return;
        message.RefusedAt = Now;
        if (ack is PubrecPacket)
            Check(Statements.RefusalEndsExchange);
    }

    public void PubrelReceived(ClientSession session, ObservedConnection connection, ushort packetId)
    {
        Check(Statements.Pubrel);
        if (session.Incoming.TryGetValue(packetId, out var message))
        {
            Check(Statements.NotBehindPubrel);
            if (message.RefusedAt is not null)
                Deviate(
                    Statements.RefusalEndsExchange,
                    "PUBREL",
                    $"{session.Name} gets PUBREL {packetId} for a message that it refused",
                    mustRecur: true
                );
            message.IsReleased = true;
            message.ResendDue = false;
            message.Connection = connection.Number;
        }
        else if (session.Presence == Presence.Yes && session.Ended.Count == 0 && session.Stale.Count == 0)
        {
            Deviate(
                Statements.AnswerIdentifier,
                "PUBREL",
                $"{session.Name} gets PUBREL {packetId} for a message that it did not get"
            );
        }
    }

    public static void AddOwed(ClientSession session, List<Obligation> owed)
    {
        foreach (var message in session.Incoming.Values)
        {
            if (message.ResendDue)
            {
                var (state, packets) = message.IsAcknowledged
                    ? ("PUBREC sent", " or PUBREL")
                    : ("not acknowledged", "");
                owed.Add(
                    new Obligation(
                        Statements.Resend,
                        $"QoS {(int)message.Packet.Qos}, {state}",
                        $"{session.Name} resumed its session and does not "
                            + $"get PUBLISH {message.PacketId}{packets} again",
                        session.Client
                    )
                    {
                        Waive = () => message.ResendDue = false,
                    }
                );
            }
            else if (
                message
                    is {
                        Packet.Qos: QualityOfService.ExactlyOnce,
                        IsAcknowledged: true,
                        IsReleased: false,
                        IsFinished: false
                    }
                && message.Connection == session.Connection!.Number
            )
            {
                owed.Add(
                    new Obligation(
                        Statements.Pubrel,
                        "no answer",
                        $"{session.Name}'s PUBREC {message.PacketId} is not answered by PUBREL",
                        session.Client
                    )
                    {
                        Waive = () => message.IsReleased = true,
                    }
                );
            }
        }
    }

    // Whether it is the same message with the same identifier, sent again.
    private static bool IsAgain(ObservedConnection connection, IncomingMessage open, PublishPacket delivery)
    {
        if (
            open.Packet.Payload != delivery.Payload
            || open.Packet.Topic != delivery.Topic
            || open.Packet.Qos != delivery.Qos
        )
            return false;
        return !open.IsFinished || (open.Connection != connection.Number && delivery.Duplicate);
    }

    private PublishPacket ResolveAlias(ClientSession session, ObservedConnection connection, PublishPacket delivery)
    {
        if (delivery.Properties.TopicAlias is not { } alias)
            return delivery;
        Check(Statements.TopicAlias);
        if (alias > (connection.Connect?.Properties.TopicAliasMaximum ?? 0))
            Deviate(
                Statements.TopicAlias,
                "above the maximum",
                $"{session.Name} gets topic alias {alias}, above its maximum"
            );
        if (delivery.Topic.Length > 0)
        {
            connection.AliasesFromServer[alias] = delivery.Topic;
            return delivery;
        }
        if (connection.AliasesFromServer.TryGetValue(alias, out var topic))
            return delivery with { Topic = topic };
        Deviate(
            Statements.TopicAlias,
            "not defined",
            $"{session.Name} gets topic alias {alias}, which was not defined on this connection"
        );
        return delivery;
    }

    private void ReceivedAgain(
        ClientSession session,
        ObservedConnection connection,
        IncomingMessage open,
        PublishPacket delivery
    )
    {
        // A PUBLISH on the replaced connection was sent before those on the connection that replaced it.
        if (connection.Number < open.Connection)
            return;
        var isOnSameConnection = open.Connection == connection.Number;
        // Behind PUBCOMP the identifier is free, for another copy of the message too.
        if (open is { IsReleased: true, IsFinished: false, MayBeGone: false })
        {
            // One empty message looks like another.
            if (!delivery.Payload.IsEmpty)
                Deviate(
                    Statements.NotBehindPubrel,
                    isOnSameConnection ? "same connection" : "resumed session",
                    $"{session.Name} gets PUBLISH {delivery.PacketId} again, whose PUBREL has come before"
                );
            return;
        }
        Check(Statements.DupOnResend);
        // After a clean start whose answer was not seen it may be a new message with the identifier of the old one.
        if (!delivery.Duplicate && !open.IsFinished && !open.MayBeGone)
        {
            var where = isOnSameConnection ? "same connection" : "resumed session";
            Deviate(
                Statements.DupOnResend,
                $"QoS {(int)delivery.Qos}, {where}",
                $"{session.Name} gets PUBLISH {delivery.PacketId} again without DUP"
            );
        }
        if (open.RefusedAt is { } refusedAt)
        {
            JudgeRefused(session, open, refusedAt);
        }
        else if (isOnSameConnection && IsV5)
        {
            Deviate(
                Statements.NoLiveResend,
                $"QoS {(int)delivery.Qos}",
                $"{session.Name} gets PUBLISH {delivery.PacketId} again on the same connection"
            );
        }
        else if (!isOnSameConnection && !open.IsFinished)
            JudgeResendOrder(session, connection, open, delivery);
        open.ResendDue = false;
        open.Connection = connection.Number;
        if (open.Packet.Qos == QualityOfService.AtLeastOnce)
            open.IsAcknowledged = open.IsFinished = false;
    }

    // "If PUBACK or PUBREC is received containing a Reason Code of 0x80 or greater the corresponding PUBLISH packet is
    // treated as acknowledged, and MUST NOT be retransmitted" (MQTT-4.4.0-2). It was received if something sent behind
    // it was answered.
    private void JudgeRefused(ClientSession session, IncomingMessage open, int refusedAt)
    {
        if (WasTaken(open.Connection, refusedAt))
            Deviate(
                Statements.RefusedNotResent,
                $"QoS {(int)open.Packet.Qos}",
                $"{session.Name} gets PUBLISH {open.PacketId} again, which it refused",
                mustRecur: true
            );
        (open.RefusedAt, open.IsAcknowledged, open.IsFinished) = (null, false, false);
    }

    private bool WasTaken(int connection, int entry)
    {
        var isAsked = false;
        foreach (var later in Run.Trace.Skip(entry + 1).Where(later => later.Connection == connection))
        {
            if (later is { Kind: TraceKind.Sent, Packet: PingreqPacket })
                isAsked = true;
            else if (isAsked && later is { Kind: TraceKind.Received, Packet: PingrespPacket })
                return true;
        }
        return false;
    }

    // "it MUST re-send them in the order in which the original PUBLISH packets were sent" (MQTT-4.6.0-1), which a
    // server must follow towards each subscriber (section 4.6). Messages of the two qualities of service may be
    // kept apart.
    private void JudgeResendOrder(
        ClientSession session,
        ObservedConnection connection,
        IncomingMessage open,
        PublishPacket delivery
    )
    {
        if (open.IsAcknowledged || open.IsOfReplaced)
            return;
        var qos = delivery.Qos;
        if (
            session.LastResent.TryGetValue(qos, out var last)
            && last.Connection == connection.Number
            && last.Message.Packet.Topic == open.Packet.Topic
        )
        {
            Check(Statements.ResendOrder);
            if (open.ReceivedAt < last.Message.ReceivedAt)
                Deviate(
                    Statements.ResendOrder,
                    $"QoS {(int)qos}",
                    $"{session.Name} gets PUBLISH {delivery.PacketId} again after PUBLISH {last.Message.PacketId}, "
                        + "which came later at first"
                );
        }
        session.LastResent[qos] = (connection.Number, open);
    }

    // Whether it is a message that an earlier connection left open, sent again with another identifier.
    private bool JudgeResend(
        ClientSession session,
        ObservedConnection connection,
        Publication? publication,
        PublishPacket delivery
    )
    {
        if (publication is null || delivery.Qos == QualityOfService.AtMostOnce)
            return false;
        var left = session.Incoming.Values.FirstOrDefault(m =>
            m is { IsFinished: false, ResendDue: true }
            && m.Publication == publication
            && m.Connection != connection.Number
            && m.Packet.Qos == delivery.Qos
        );
        if (left is null)
            return false;
        Deviate(
            Statements.Resend,
            $"other identifier, QoS {(int)delivery.Qos}",
            $"{session.Name} gets {publication} again with identifier {delivery.PacketId}; it was {left.PacketId}"
        );
        session.Incoming.Remove(left.PacketId);
        return true;
    }

    private void JudgeWindow(ClientSession session, ObservedConnection connection)
    {
        if (!IsV5 || connection.Connect?.Properties.ReceiveMaximum is not { } maximum)
            return;
        Check(Statements.ReceiveMaximum);
        var open = session.Incoming.Values.Count(m => m.Connection == connection.Number && !m.IsFinished);
        if (open <= maximum)
            return;
        Deviate(
            Statements.ReceiveMaximum,
            $"window {maximum}",
            $"{session.Name} has {open} open messages with Receive Maximum {maximum}"
        );
    }
}
