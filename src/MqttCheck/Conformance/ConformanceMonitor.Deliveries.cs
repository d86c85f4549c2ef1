using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance;

/// <content>What a message that a client was to get looks like when it comes.</content>
public sealed partial class ConformanceMonitor
{
    private void JudgeDelivery(
        ClientSession session,
        ConnectionState connection,
        PublishPacket delivery,
        Publication publication,
        long nanoseconds
    )
    {
        if (publication.IsDormant)
        {
            var owner = _connections.Values.First(c => c.Will == publication);
            if (IsUntimelyWill(session, publication))
                return;
            if (owner.Disconnected && publication.EarliestNanoseconds is null)
            {
                // A broker that ended the connection before DISCONNECT came to it was right to publish it: for what was sent before, or because the client connected again, which may overtake.
                if (owner.OpenQos0 is not null || _sessions[publication.Client].Connection != owner)
                    return;
                Deviate(
                    Statements.WillDiscarded,
                    "",
                    $"{Name(session)} gets {publication}, which DISCONNECT discarded",
                    mustRecur: true
                );
                return;
            }
            // The broker ended the connection, and its client has not seen it yet.
            ReleaseWill(owner, certain: false, endsSession: true);
        }
        if (publication.IsForbidden)
        {
            Deviate(
                Statements.RefusedIgnored,
                "PUBLISH",
                $"{Name(session)} gets {publication}, which came behind a CONNECT that was refused"
            );
            return;
        }
        if (JudgeStored(session, connection, delivery, publication))
            return;
        if (!session.Expectations.TryGetValue(publication, out var expectation))
        {
            // What was sent on a connection that is being replaced belongs to what was before.
            if (!connection.IsTakenOver)
                Unexpected(session, delivery, publication);
            return;
        }
        var first = expectation.Copies.Count == 0;
        expectation.Copies.Add(new Copy(delivery.Qos, Now));
        // A connection that is being replaced may belong to what was asked for before or after.
        if (connection.IsTakenOver)
            return;
        JudgeTopic(session, delivery, publication);
        JudgeQos(session, delivery, expectation);
        // One empty message looks like another.
        if (publication.Packet.Payload.IsEmpty)
            return;
        JudgeCopies(session, connection, delivery, expectation);
        JudgeRetainFlag(session, delivery, expectation);
        JudgeDup(session, connection, delivery, publication, first);
        JudgeIdentifiers(session, delivery, expectation);
        JudgeProperties(session, delivery, publication, "live");
        JudgeExpiry(session, delivery, publication, nanoseconds);
        if (first && !delivery.Duplicate)
            JudgeExpired(session, publication, expectation.WasOffline ? "queued" : "live");
        if (first)
            JudgeOrder(session, delivery, expectation);
    }

    private void JudgeTopic(ClientSession session, PublishPacket delivery, Publication publication)
    {
        Check(Statements.TopicMatches);
        if (delivery.Topic == publication.Topic)
            return;
        Deviate(
            Statements.TopicMatches,
            $"topic{DescribeLevels(publication.Topic)}",
            $"{Name(session)} gets {publication} under the topic {delivery.Topic}"
        );
    }

    private void JudgeQos(ClientSession session, PublishPacket delivery, Expectation expectation)
    {
        Check(Statements.DeliveryQos);
        if (expectation.Allows(delivery.Qos))
            return;
        var publication = expectation.Publication;
        if (
            publication.Packet.Payload.IsEmpty
            && _publications.Count(p => p.Packet.Payload.IsEmpty && p.Topic == publication.Topic) > 1
        )
            return;
        Deviate(
            Statements.DeliveryQos,
            $"{(publication.IsWill ? "will, " : expectation.WasOffline ? "queued, " : "")}published {(int)publication.Qos}, delivered {(int)delivery.Qos}, legal {DescribeBits(expectation.QosBits)}",
            $"{Name(session)} gets {publication}, published at QoS {(int)publication.Qos}, at QoS {(int)delivery.Qos}; legal: {DescribeBits(expectation.QosBits)}"
        );
    }

    private void JudgeCopies(
        ClientSession session,
        ConnectionState connection,
        PublishPacket delivery,
        Expectation expectation
    )
    {
        if (expectation.MayBeShared)
        {
            JudgeShared(session, connection, delivery, expectation);
            return;
        }
        var publication = expectation.Publication;
        Check(
            delivery.Qos switch
            {
                QualityOfService.AtMostOnce => Statements.Qos0Once,
                QualityOfService.AtLeastOnce => Statements.OneCopy,
                _ => Statements.ExactlyOnce,
            }
        );
        // A QoS 1 message may be repeated, also on its way to a QoS 0 subscription; one sent again after a lost connection too.
        if (
            delivery.Qos == QualityOfService.AtLeastOnce
            || (delivery.Qos == QualityOfService.AtMostOnce && publication.Qos == QualityOfService.AtLeastOnce)
        )
            return;
        var copies = expectation.Copies.Count(copy => copy.Qos == delivery.Qos);
        if (
            copies <= expectation.Filters.Count
            || (publication.IsIrregular && publication.Qos == QualityOfService.AtLeastOnce)
        )
            return;
        // What was sent again at QoS 2 and taken for another message is wrong for that, whatever it is delivered at.
        var isQos2 =
            delivery.Qos == QualityOfService.ExactlyOnce
            || publication is { IsIrregular: true, Qos: QualityOfService.ExactlyOnce };
        Deviate(
            isQos2 ? Statements.ExactlyOnce : Statements.Qos0Once,
            $"published {(int)publication.Qos}{(publication.IsIrregular ? ", sent again" : "")}{(expectation.WasOffline ? ", queued" : "")}, {DescribeMatch(expectation)}",
            $"{Name(session)} gets {publication} at QoS {(int)delivery.Qos} for the {Ordinal(copies)} time and has {expectation.Filters.Count} matching filter(s)"
        );
    }

    private static string Ordinal(int number) =>
        number switch
        {
            2 => "second",
            3 => "third",
            _ => $"{number}th",
        };

    private void JudgeRetainFlag(ClientSession session, PublishPacket delivery, Expectation expectation)
    {
        Check(Statements.RetainFlagLive);
        var published = expectation.Publication.Packet.Retain;
        var isLegal = delivery.Retain
            ? published && (expectation.MayKeepRetain || expectation.MayBeShared)
            : !published || !expectation.MustKeepRetain || expectation.MayBeShared;
        if (isLegal)
            return;
        Deviate(
            Statements.RetainFlagLive,
            $"RETAIN {(delivery.Retain ? 1 : 0)}{(expectation.MayKeepRetain ? ", retain as published" : "")}{(expectation.WasOffline ? ", queued" : "")}{(expectation.Publication.IsWill ? ", will" : "")}",
            $"{Name(session)} gets {expectation.Publication} live with RETAIN {(delivery.Retain ? 1 : 0)}"
        );
    }

    private void JudgeDup(
        ClientSession session,
        ConnectionState connection,
        PublishPacket delivery,
        Publication publication,
        bool first
    )
    {
        Check(Statements.NoDup);
        if (!delivery.Duplicate || !first)
            return;
        var wasQueued = connection.AcceptedAt > publication.SentAt;
        // Sent on a connection that was lost, the first copy may have got lost with it.
        if (wasQueued && !HadLeftBefore(connection, publication))
            return;
        Deviate(
            Statements.NoDup,
            publication.Packet.Duplicate ? "set by the publisher"
                : wasQueued ? "queued"
                : "",
            $"{Name(session)} gets the first copy of {publication} with DUP",
            mustRecur: wasQueued
        );
    }

    // "The DUP flag MUST be set to 1 by the Client or Server when it attempts to re-deliver a PUBLISH" (MQTT-3.3.1-1), and 0 means "the first occasion": there was no connection on which it could have been
    // sent. DISCONNECT has no answer; that something sent after it was answered before the message was published shows that the broker had got to it.
    private bool HadLeftBefore(ConnectionState connection, Publication publication)
    {
        if (
            connection.Previous is not { Disconnected: true, IsTakenOver: false } last
            || last.DisconnectedAt > publication.SentAt
        )
            return false;
        var asked = new HashSet<int>();
        for (var entry = last.DisconnectedAt + 1; entry < publication.SentAt; entry++)
        {
            if (_trace[entry].Kind == TraceKind.Sent && _trace[entry].Packet is ConnectPacket or PingreqPacket)
                asked.Add(_trace[entry].Connection);
            else if (
                _trace[entry].Kind == TraceKind.Received
                && _trace[entry].Packet is ConnackPacket or PingrespPacket
                && asked.Contains(_trace[entry].Connection)
            )
                return true;
        }
        return false;
    }

    private void JudgeIdentifiers(ClientSession session, PublishPacket delivery, Expectation expectation)
    {
        if (!IsV5 || !expectation.IsCertain || expectation.MayBeShared)
            return;
        var expected = expectation.Identifiers;
        var received = delivery.Properties.SubscriptionIdentifiers;
        if (expected.Count == 0 && received.Count == 0)
            return;
        Check(Statements.SubscriptionIdentifiers);
        expectation.ReceivedIdentifiers.UnionWith(received);
        if (expected.Distinct().Count() > 1)
            Check(Statements.AllIdentifiers);
        var isMerged = received.Order().SequenceEqual(expected.Order());
        var isSeparate =
            expectation.Filters.Count > 1
            && received.Count <= 1
            && (received.Count == 0 ? expected.Count < expectation.Filters.Count : expected.Contains(received[0]));
        if (isMerged || isSeparate)
            return;
        Deviate(
            Statements.SubscriptionIdentifiers,
            $"{expectation.Filters.Count} filters, {expected.Count} identifiers, {received.Count} received",
            $"{Name(session)} gets {expectation.Publication} with subscription identifiers {received}; its subscriptions have [{string.Join(", ", expected)}]"
        );
    }

    private void JudgeProperties(ClientSession session, PublishPacket delivery, Publication publication, string how)
    {
        if (!IsV5)
            return;
        Check(Statements.Forwarded);
        var (sent, received) = (publication.Packet.Properties, delivery.Properties);
        var changed = new List<string>();
        if (sent.ContentType != received.ContentType)
            changed.Add("content type");
        if (sent.ResponseTopic != received.ResponseTopic)
            changed.Add("response topic");
        if (sent.CorrelationData != received.CorrelationData)
            changed.Add("correlation data");
        if (sent.UserProperties != received.UserProperties)
            changed.Add("user properties");
        if (
            (sent.PayloadFormatIndicator ?? PayloadFormat.Bytes)
            != (received.PayloadFormatIndicator ?? PayloadFormat.Bytes)
        )
            changed.Add("payload format");
        if (changed.Count > 0)
            Deviate(
                Statements.Forwarded,
                $"{how}{(publication.IsWill ? " will" : "")}: {string.Join(", ", changed)}",
                $"{Name(session)} gets {publication} with changed {string.Join(", ", changed)}"
            );
    }

    private void JudgeExpiry(ClientSession session, PublishPacket delivery, Publication publication, long nanoseconds)
    {
        if (
            !IsV5
            || publication.IsWill
            || publication.Packet.Properties.MessageExpiryIntervalSeconds is not { } published
        )
            return;
        Check(Statements.MessageExpiry);
        var waited = publication.ReceivedAt is { } received
            ? (nanoseconds - _trace[received].Nanoseconds) / TickNanoseconds
            : 0;
        if (waited > published)
            return;
        var longest = (nanoseconds - _trace[publication.SentAt].Nanoseconds) / TickNanoseconds;
        if (
            delivery.Properties.MessageExpiryIntervalSeconds is { } left
            && left <= published - Math.Max(0, waited - 1)
            && left + longest + 2 >= published
        )
            return;
        Deviate(
            Statements.MessageExpiry,
            delivery.Properties.MessageExpiryIntervalSeconds is null ? "missing" : "other value",
            $"{Name(session)} gets {publication} with expiry interval {delivery.Properties.MessageExpiryIntervalSeconds?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "none"} after {waited} s; published: {published}"
        );
    }

    private void JudgeOrder(ClientSession session, PublishPacket delivery, Expectation expectation)
    {
        var publication = expectation.Publication;
        if (
            publication.IsWill
            || publication.IsIrregular
            || publication.Packet.Payload.IsEmpty
            || expectation.Filters.Count != 1
            || expectation.MayBeShared
        )
            return;
        var filter = expectation.Filters.First();
        var key = (publication.Client, publication.Topic, publication.Qos, delivery.Qos);
        if (session.LastInOrder.TryGetValue(key, out var last))
        {
            var comparable =
                session.Expectations.TryGetValue(last, out var other)
                && other.Filters.Count == 1
                && other.Filters.Contains(filter);
            if (comparable)
                Check(Statements.Order);
            if (publication.Number < last.Number)
            {
                if (comparable)
                {
                    Deviate(
                        Statements.Order,
                        $"published {(int)publication.Qos}, delivered {(int)delivery.Qos}{(expectation.WasOffline ? ", queued" : "")}, {DescribeMatch(expectation)}",
                        $"{Name(session)} gets {publication} after {last}, which was published later"
                    );
                }
                return;
            }
        }
        session.LastInOrder[key] = publication;
    }
}
