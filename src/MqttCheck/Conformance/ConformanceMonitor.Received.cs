using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance;

/// <content>The packets that clients receive, and the exchanges by which messages come.</content>
public sealed partial class ConformanceMonitor
{
    private void Received(ClientSession session, ConnectionState connection, TraceEntry entry)
    {
        Check(Statements.Encoding);
        JudgeSize(session, connection, entry.Packet);
        if (entry.Packet is SubackPacket or UnsubackPacket or PubackPacket or PubrecPacket or PingrespPacket)
            connection.OpenQos0 = null;
        // How a CONNECT that cannot be understood is refused is not laid down.
        foreach (var violation in connection.Defect is null ? entry.Violations : [])
            Deviate(
                Statements.Encoding,
                $"{violation.Statement} in {entry.Packet?.Type.ToString().ToUpperInvariant() ?? "a packet"}",
                $"{Name(session)} gets a packet that breaks {violation.Statement}: {violation.Message}"
            );
        if (connection.Connack is null && entry.Packet is not (ConnackPacket or AuthPacket or DisconnectPacket or null))
        {
            Check(Statements.ConnackFirst);
            Deviate(
                Statements.ConnackFirst,
                entry.Packet.Type.ToString(),
                $"{Name(session)} gets {entry.Packet.Type} before CONNACK"
            );
        }
        switch (entry.Packet)
        {
            case ConnackPacket connack:
                ReceivedConnack(session, connection, connack);
                break;
            case PublishPacket publish:
                ReceivedPublish(session, connection, publish, entry.Nanoseconds);
                break;
            case PubackPacket ack:
                ReceivedPublishAnswer(session, connection, PacketType.Puback, ack.PacketId, ack.ReasonCode);
                break;
            case PubrecPacket ack:
                ReceivedPublishAnswer(session, connection, PacketType.Pubrec, ack.PacketId, ack.ReasonCode);
                break;
            case PubcompPacket ack:
                ReceivedPublishAnswer(session, connection, PacketType.Pubcomp, ack.PacketId, ack.ReasonCode);
                break;
            case PubrelPacket pubrel:
                ReceivedPubrel(session, connection, pubrel.PacketId);
                break;
            case SubackPacket suback:
                ReceivedSuback(session, connection, suback);
                break;
            case UnsubackPacket unsuback:
                ReceivedUnsuback(session, connection, unsuback);
                break;
            case PingrespPacket:
                ReceivedPingresp(session, connection);
                break;
            case DisconnectPacket disconnect:
                ReceivedDisconnect(session, connection, disconnect);
                break;
        }
    }

    private void ReceivedPingresp(ClientSession session, ConnectionState connection)
    {
        Check(Statements.Pingresp);
        Take(session, connection, PacketType.Pingresp, 0);
        // Of several that wait it is not known which one is answered.
        if (
            connection.Defect is null
            && !session.Awaited.Exists(a => a.Type == PacketType.Pingresp && a.Connection == connection.Number)
        )
            EndQos0Writes(connection);
        if (connection.Defect is not { } defect)
            return;
        // The broker answers what came behind the packet that had to end the connection.
        Deviate(
            MalformedStatement(defect),
            defect,
            $"{Name(session)}'s connection goes on after a packet with {DescribeDefect(defect)}"
        );
        connection.Defect = null;
    }

    private void ReceivedPublish(
        ClientSession session,
        ConnectionState connection,
        PublishPacket delivery,
        long nanoseconds
    )
    {
        delivery = ResolveAlias(session, connection, delivery);
        if (delivery.Qos != QualityOfService.AtMostOnce)
            Check(Statements.PacketIdentifier);
        if (
            delivery.Qos != QualityOfService.AtMostOnce
            && session.Incoming.TryGetValue(delivery.PacketId, out var open)
        )
        {
            if (
                open.Packet.Payload == delivery.Payload
                && open.Packet.Topic == delivery.Topic
                && open.Packet.Qos == delivery.Qos
                && !(open.IsFinished && (open.Connection == connection.Number || !delivery.Duplicate))
            )
            {
                ReceivedAgain(session, connection, open, delivery);
                return;
            }
            if (!open.IsFinished && open.Connection == connection.Number)
                Deviate(
                    Statements.PacketIdentifier,
                    $"QoS {(int)open.Packet.Qos}",
                    $"{Name(session)} gets a new message with identifier {delivery.PacketId}, which is in use"
                );
        }
        var publication = Identify(session, delivery);
        if (IsV5 && delivery.Qos != QualityOfService.AtMostOnce)
            Check(Statements.NoLiveResend);
        if (publication is not null)
            Check(Statements.Payload);
        var isResend = JudgeResend(session, connection, publication, delivery);
        if (delivery.Qos != QualityOfService.AtMostOnce)
        {
            session.Incoming[delivery.PacketId] = new IncomingMessage(
                delivery.PacketId,
                delivery,
                publication,
                connection.Number
            )
            {
                IsOfReplaced = connection.IsTakenOver,
            };
            JudgeWindow(session, connection);
        }
        if (publication is null)
            JudgeForeign(session, delivery);
        else if (!isResend)
            JudgeDelivery(session, connection, delivery, publication, nanoseconds);
    }

    private PublishPacket ResolveAlias(ClientSession session, ConnectionState connection, PublishPacket delivery)
    {
        if (delivery.Properties.TopicAlias is not { } alias)
            return delivery;
        Check(Statements.TopicAlias);
        if (alias > (connection.Connect?.Properties.TopicAliasMaximum ?? 0))
            Deviate(
                Statements.TopicAlias,
                "above the maximum",
                $"{Name(session)} gets topic alias {alias}, above its maximum"
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
            $"{Name(session)} gets topic alias {alias}, which was not defined on this connection"
        );
        return delivery;
    }

    // The same message with the same identifier: it is sent again.
    private void ReceivedAgain(
        ClientSession session,
        ConnectionState connection,
        IncomingMessage open,
        PublishPacket delivery
    )
    {
        // What comes on a connection that was replaced was sent before what came on the one that replaced it.
        if (connection.Number < open.Connection)
            return;
        var onSameConnection = open.Connection == connection.Number;
        Check(Statements.DupOnResend);
        if (!delivery.Duplicate && !open.IsFinished)
            Deviate(
                Statements.DupOnResend,
                $"QoS {(int)delivery.Qos}, {(onSameConnection ? "same connection" : "resumed session")}",
                $"{Name(session)} gets PUBLISH {delivery.PacketId} again without DUP"
            );
        if (onSameConnection && IsV5)
            Deviate(
                Statements.NoLiveResend,
                $"QoS {(int)delivery.Qos}",
                $"{Name(session)} gets PUBLISH {delivery.PacketId} again on the same connection"
            );
        open.ResendDue = false;
        open.Connection = connection.Number;
        if (open.Packet.Qos == QualityOfService.AtLeastOnce)
            open.IsAcknowledged = open.IsFinished = false;
    }

    // Whether it is a message that an earlier connection left open, sent again with another identifier.
    private bool JudgeResend(
        ClientSession session,
        ConnectionState connection,
        Publication? publication,
        PublishPacket delivery
    )
    {
        if (publication is null || delivery.Qos == QualityOfService.AtMostOnce)
            return false;
        var left = session.Incoming.Values.FirstOrDefault(m =>
            m.Publication == publication
            && m.Connection != connection.Number
            && !m.IsFinished
            && m.Packet.Qos == delivery.Qos
            && m.ResendDue
        );
        if (left is null)
            return false;
        Deviate(
            Statements.Resend,
            $"other identifier, QoS {(int)delivery.Qos}",
            $"{Name(session)} gets {publication} again with identifier {delivery.PacketId}; it was {left.PacketId}"
        );
        session.Incoming.Remove(left.PacketId);
        return true;
    }

    private void JudgeWindow(ClientSession session, ConnectionState connection)
    {
        if (!IsV5 || connection.Connect?.Properties.ReceiveMaximum is not { } maximum)
            return;
        Check(Statements.ReceiveMaximum);
        var open = session.Incoming.Values.Count(m => m.Connection == connection.Number && !m.IsFinished);
        if (open > maximum)
            Deviate(
                Statements.ReceiveMaximum,
                $"window {maximum}",
                $"{Name(session)} has {open} open messages with Receive Maximum {maximum}"
            );
    }

    private static void SentAcknowledgement(ClientSession session, ConnectionState connection, Packet packet)
    {
        connection.LastSent = packet.Type.ToString().ToUpperInvariant();
        var packetId = packet switch
        {
            PubackPacket ack => ack.PacketId,
            PubrecPacket ack => ack.PacketId,
            PubcompPacket ack => ack.PacketId,
            _ => (ushort)0,
        };
        if (!session.Incoming.TryGetValue(packetId, out var message))
            return;
        message.IsAcknowledged = true;
        if (packet is PubackPacket or PubcompPacket)
            message.IsFinished = true;
    }

    private void ReceivedPubrel(ClientSession session, ConnectionState connection, ushort packetId)
    {
        Check(Statements.Pubrel);
        if (!session.Incoming.TryGetValue(packetId, out var message))
        {
            if (session.Presence == Presence.Yes && session.Ended.Count == 0 && session.Stale.Count == 0)
                Deviate(
                    Statements.AnswerIdentifier,
                    "PUBREL",
                    $"{Name(session)} gets PUBREL {packetId} for a message that it did not get"
                );
            return;
        }
        message.IsReleased = true;
        message.ResendDue = false;
        message.Connection = connection.Number;
    }

    private static void AddResendsOwed(ClientSession session, List<Obligation> owed)
    {
        foreach (var message in session.Incoming.Values)
        {
            if (message.ResendDue)
            {
                owed.Add(
                    new Obligation(
                        Statements.Resend,
                        $"QoS {(int)message.Packet.Qos}, {(message.IsAcknowledged ? "PUBREC sent" : "not acknowledged")}",
                        $"{Name(session)} resumed its session and does not get PUBLISH {message.PacketId}{(message.IsAcknowledged ? " or PUBREL" : "")} again",
                        session.Client
                    )
                    {
                        Waive = () => message.ResendDue = false,
                    }
                );
            }
            else if (
                message.Packet.Qos == QualityOfService.ExactlyOnce
                && message is { IsAcknowledged: true, IsReleased: false, IsFinished: false }
                && message.Connection == session.Connection!.Number
            )
            {
                owed.Add(
                    new Obligation(
                        Statements.Pubrel,
                        "no answer",
                        $"{Name(session)}'s PUBREC {message.PacketId} is not answered by PUBREL",
                        session.Client
                    )
                    {
                        Waive = () => message.IsReleased = true,
                    }
                );
            }
        }
    }
}
