using System.Diagnostics;
using MqttCheck.Conformance.Judges.Conduct;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>
/// Deliveries: what a message that a client was to get looks like when it comes, how often, and in which order.
/// </summary>
internal sealed class DeliveryJudge(
    Judgements judgements,
    WillJudge wills,
    RetainedDeliveryJudge retained,
    SharedSubscriptionJudge shared,
    UnexpectedDeliveryJudge unexpected,
    PropertyJudge properties,
    ExpiryJudge expiry
) : Judge(judgements)
{
    public void Delivered(
        ClientSession session,
        ObservedConnection connection,
        PublishPacket delivery,
        Publication publication
    )
    {
        if (publication.IsConfused)
            return;
        if (publication.IsDormant && wills.Delivered(session, publication))
        {
            // It may answer a subscription all the same, where it is retained.
            if (delivery.Retain)
                retained.Delivered(session, connection, delivery, publication);
            return;
        }
        if (publication.IsForbidden)
        {
            Deviate(
                Statements.RefusedIgnored,
                "PUBLISH",
                $"{session.Name} gets {publication}, which came behind a CONNECT that was refused"
            );
            return;
        }
        if (retained.Delivered(session, connection, delivery, publication))
            return;
        if (!session.Expected.TryGetValue(publication, out var expected))
        {
            // A message on a connection that is being taken over belongs to the time before.
            if (!connection.IsTakenOver)
                unexpected.Delivered(session, delivery, publication);
            return;
        }
        var isFirst = expected.Copies.Count == 0;
        expected.Copies.Add(new Copy(delivery.Qos, Now));
        // A connection that is being replaced may belong to what was asked for before or after.
        if (!connection.IsTakenOver)
            JudgeCopy(session, connection, delivery, expected, isFirst);
    }

    private void JudgeCopy(
        ClientSession session,
        ObservedConnection connection,
        PublishPacket delivery,
        ExpectedDelivery expected,
        bool isFirst
    )
    {
        var publication = expected.Publication;
        JudgeTopic(session, delivery, publication);
        JudgeQos(session, delivery, expected);
        // One empty message looks like another.
        if (publication.Packet.Payload.IsEmpty)
            return;
        if (expected.MayBeShared)
            shared.Delivered(session, connection, delivery, expected);
        else
            JudgeCopies(session, delivery, expected);
        JudgeRetainFlag(session, delivery, expected);
        JudgeDup(session, connection, delivery, publication, isFirst);
        properties.JudgeIdentifiers(session, delivery, expected);
        properties.Delivered(session, delivery, publication, "live");
        expiry.JudgeInterval(session, delivery, publication);
        if (isFirst && !delivery.Duplicate)
            expiry.JudgeExpired(session, publication, expected.WasOffline ? "queued" : "live");
        if (isFirst)
            JudgeOrder(session, delivery, expected);
    }

    private void JudgeTopic(ClientSession session, PublishPacket delivery, Publication publication)
    {
        Check(Statements.TopicMatches);
        if (delivery.Topic != publication.Topic && !ByteOrderMarkJudge.IsDropped(delivery, publication))
            Deviate(
                Statements.TopicMatches,
                $"topic{Wording.Levels(publication.Topic)}",
                $"{session.Name} gets {publication} under the topic {delivery.Topic}"
            );
    }

    private void JudgeQos(ClientSession session, PublishPacket delivery, ExpectedDelivery expected)
    {
        Check(Statements.DeliveryQos);
        if (expected.Allows(delivery.Qos))
            return;
        var publication = expected.Publication;
        if (
            publication.Packet.Payload.IsEmpty
            && Run.Publications.Count(p => p.Packet.Payload.IsEmpty && p.Topic == publication.Topic) > 1
        )
            return;
        var kind =
            publication.IsWill ? "will, "
            : expected.WasOffline ? "queued, "
            : "";
        var legal = Wording.QosBits(expected.QosBits);
        Deviate(
            Statements.DeliveryQos,
            $"{kind}published {(int)publication.Qos}, delivered {(int)delivery.Qos}, legal {legal}",
            $"{session.Name} gets {publication}, published at QoS {(int)publication.Qos}, at QoS "
                + $"{(int)delivery.Qos}; legal: {legal}"
        );
    }

    private void JudgeCopies(ClientSession session, PublishPacket delivery, ExpectedDelivery expected)
    {
        var (publication, qos) = (expected.Publication, delivery.Qos);
        Check(
            qos switch
            {
                QualityOfService.AtMostOnce => Statements.Qos0Once,
                QualityOfService.AtLeastOnce => Statements.OneCopy,
                QualityOfService.ExactlyOnce => Statements.ExactlyOnce,
                _ => throw new UnreachableException(),
            }
        );
        var isQos1 = publication.Qos == QualityOfService.AtLeastOnce;
        // A QoS 1 message may be repeated, also on its way to a QoS 0 subscription, and when it was sent again.
        if (qos == QualityOfService.AtLeastOnce || (qos == QualityOfService.AtMostOnce && isQos1))
            return;
        var copies = expected.Copies.Count(copy => copy.Qos == qos);
        if (Assumes(AssumedFaults.CopiesAny) || copies <= expected.Filters.Count || (publication.IsIrregular && isQos1))
            return;
        // If a publication at QoS 2 is sent again, a broker that takes it for a new message violates exactly-once
        // delivery. The quality of service of the delivery does not matter.
        var isQos2 =
            qos == QualityOfService.ExactlyOnce
            || publication is { IsIrregular: true, Qos: QualityOfService.ExactlyOnce };
        var how = $"{(publication.IsIrregular ? ", sent again" : "")}{(expected.WasOffline ? ", queued" : "")}";
        Deviate(
            isQos2 ? Statements.ExactlyOnce : Statements.Qos0Once,
            $"published {(int)publication.Qos}{how}, {Wording.Match(expected, Version)}",
            $"{session.Name} gets {publication} at QoS {(int)qos} for the {Wording.Ordinal(copies)} time "
                + $"and has {expected.Filters.Count} matching filter(s)"
        );
    }

    private void JudgeRetainFlag(ClientSession session, PublishPacket delivery, ExpectedDelivery expected)
    {
        Check(Statements.RetainFlagLive);
        var publication = expected.Publication;
        var published = publication.Packet.Retain;
        var isLegal = delivery.Retain
            ? published && (expected.MayKeepRetain || expected.MayBeShared)
            : !published || !expected.MustKeepRetain || expected.MayBeShared;
        if (isLegal)
            return;
        var flag = delivery.Retain ? 1 : 0;
        var how =
            $"{(expected.MayKeepRetain ? ", retain as published" : "")}{(expected.WasOffline ? ", queued" : "")}"
            + $"{(publication.IsWill ? ", will" : "")}";
        Deviate(
            Statements.RetainFlagLive,
            $"RETAIN {flag}{how}",
            $"{session.Name} gets {publication} live with RETAIN {flag}"
        );
    }

    private void JudgeDup(
        ClientSession session,
        ObservedConnection connection,
        PublishPacket delivery,
        Publication publication,
        bool isFirst
    )
    {
        Check(Statements.NoDup);
        if (!delivery.Duplicate || !isFirst)
            return;
        var wasQueued = connection.AcceptedAt > publication.SentAt;
        // A first copy on a connection that was lost may have been lost with it.
        if (wasQueued && !HadLeftBefore(connection, publication))
            return;
        var circumstances =
            publication.Packet.Duplicate ? "set by the publisher"
            : wasQueued ? "queued"
            : "";
        Deviate(
            Statements.NoDup,
            circumstances,
            $"{session.Name} gets the first copy of {publication} with DUP",
            mustRecur: wasQueued
        );
    }

    // "The DUP flag MUST be set to 1 by the Client or Server when it attempts to re-deliver a PUBLISH" (MQTT-3.3.1-1).
    // A value of 0 means "the first occasion": there was no connection on which the message could have been sent.
    // DISCONNECT has no answer. But if the broker answered a later packet before the message was published, it had
    // handled DISCONNECT.
    private bool HadLeftBefore(ObservedConnection connection, Publication publication)
    {
        if (connection.Previous is not { Disconnected: true, IsTakenOver: false } last)
            return false;
        var asked = new HashSet<int>();
        for (var at = last.DisconnectedAt + 1; at < publication.SentAt; at++)
        {
            var entry = Run.Trace[at];
            if (entry is { Kind: TraceKind.Sent, Packet: ConnectPacket or PingreqPacket })
                asked.Add(entry.Connection);
            else if (
                entry is { Kind: TraceKind.Received, Packet: ConnackPacket or PingrespPacket }
                && asked.Contains(entry.Connection)
            )
                return true;
        }
        return false;
    }

    private void JudgeOrder(ClientSession session, PublishPacket delivery, ExpectedDelivery expected)
    {
        var publication = expected.Publication;
        if (publication.IsWill || publication.IsIrregular || publication.Packet.Payload.IsEmpty)
            return;
        if (expected.Filters.Count != 1 || expected.MayBeShared)
            return;
        var filter = expected.Filters.First();
        var key = (publication.Client, publication.Topic, publication.Qos, delivery.Qos);
        if (session.LastInOrder.TryGetValue(key, out var last))
        {
            var isComparable =
                session.Expected.TryGetValue(last, out var other)
                && other.Filters.Count == 1
                && other.Filters.Contains(filter);
            if (isComparable)
                Check(Statements.Order);
            if (publication.Number < last.Number)
            {
                if (!isComparable)
                    return;
                var queued = expected.WasOffline ? ", queued" : "";
                Deviate(
                    Statements.Order,
                    $"published {(int)publication.Qos}, delivered {(int)delivery.Qos}{queued}, "
                        + $"{Wording.Match(expected, Version)}",
                    $"{session.Name} gets {publication} after {last}, which was published later"
                );
                return;
            }
        }
        session.LastInOrder[key] = publication;
    }
}
