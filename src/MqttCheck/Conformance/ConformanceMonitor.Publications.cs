using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance;

/// <content>Messages from clients to the broker, and what is to become of them.</content>
public sealed partial class ConformanceMonitor
{
    private void SentPublish(ClientSession session, ConnectionState connection, PublishPacket publish)
    {
        connection.LastSent =
            $"PUBLISH of QoS {(int)publish.Qos}{(publish.Retain ? " with RETAIN" : "")} to a topic{DescribeLevels(publish.Topic)}";
        if (
            publish.Qos != QualityOfService.AtMostOnce
            && publish.Duplicate
            && session.Outgoing.TryGetValue(publish.PacketId, out var open)
            && open.Packet.Payload == publish.Payload
        )
        {
            open.IsIrregular = true;
            open.SentAgainAt = Now;
            AwaitAnswer(session, connection, open, publish, "sent again");
            return;
        }
        if (publish.Properties.TopicAlias is { } alias)
        {
            if (publish.Topic.Length > 0)
                connection.AliasesToServer[alias] = publish.Topic;
            else
                publish = publish with { Topic = connection.AliasesToServer.GetValueOrDefault(alias, "") };
        }
        var publication = new Publication(_publications.Count, session.Client, publish, Now)
        {
            Connection = connection.Number,
        };
        Register(publication);
        if (publish.Qos == QualityOfService.AtMostOnce)
        {
            Check(Statements.Qos0Taken);
            connection.OpenQos0 = connection.LastSent;
        }
        if (publish.Qos != QualityOfService.AtMostOnce)
        {
            session.Outgoing[publish.PacketId] = publication;
            AwaitAnswer(session, connection, publication, publish, publish.Retain ? "retained" : "");
        }
        Route(publication, certain: connection.IsAccepted);
        if (!publish.Retain)
            return;
        RetainedOf(publish.Topic).Add(new RetainedWrite(publication, Now));
        WriteBesideReads(publication);
    }

    private static void Withholds(ClientSession session, ushort packetId, bool release)
    {
        if (!release)
            session.Awaited.RemoveAll(awaited =>
                awaited.PacketId == packetId && awaited.Type is PacketType.Puback or PacketType.Pubrec
            );
        if (!session.Outgoing.TryGetValue(packetId, out var publication))
            return;
        publication.IsIrregular = true;
        if (publication.Qos == QualityOfService.ExactlyOnce)
            publication.IsHalf = true;
        else if (!release)
            publication.IsUncertain = true;
    }

    private static void AwaitAnswer(
        ClientSession session,
        ConnectionState connection,
        Publication publication,
        PublishPacket publish,
        string circumstances
    )
    {
        var (type, statement) =
            publish.Qos == QualityOfService.AtLeastOnce
                ? (PacketType.Puback, Statements.Puback)
                : (PacketType.Pubrec, Statements.Pubrec);
        session.Awaited.Add(
            new AwaitedAnswer(
                type,
                publish.PacketId,
                connection.Number,
                statement,
                circumstances,
                $"PUBLISH {publish.PacketId} of QoS {(int)publish.Qos}"
            )
            {
                Publication = publication,
            }
        );
    }

    private static void SentPubrel(ClientSession session, ConnectionState connection, ushort packetId)
    {
        connection.LastSent = "PUBREL";
        session.Outgoing.TryGetValue(packetId, out var publication);
        if (publication is not null)
            publication.IsHalf = false;
        session.Awaited.Add(
            new AwaitedAnswer(
                PacketType.Pubcomp,
                packetId,
                connection.Number,
                Statements.Pubcomp,
                "",
                $"PUBREL {packetId}"
            )
            {
                Publication = publication,
            }
        );
    }

    private void ReceivedPublishAnswer(
        ClientSession session,
        ConnectionState connection,
        PacketType type,
        ushort packetId,
        ReasonCode code
    )
    {
        Check(Statements.AnswerIdentifier);
        var awaited = Take(session, connection, type, packetId);
        if (
            awaited is null
            && type == PacketType.Puback
            && Take(session, connection, PacketType.Pubrec, packetId) is { } wrong
        )
        {
            Deviate(
                Statements.Pubrec,
                "answered by PUBACK",
                $"{Name(session)}'s PUBLISH {packetId} of QoS 2 is answered by PUBACK"
            );
            awaited = wrong;
        }
        if (awaited is null && !session.Outgoing.ContainsKey(packetId))
        {
            // A connection whose packets broke a rule, or one that is being replaced, may answer anything that was sent before.
            if (connection.Defect is null && !connection.IsTakenOver)
                Deviate(
                    Statements.AnswerIdentifier,
                    type.ToString().ToUpperInvariant(),
                    $"{Name(session)} got {type.ToString().ToUpperInvariant()} {packetId} and has sent nothing that it answers"
                );
            return;
        }
        if (awaited is not null)
            Check(awaited.Statement);
        if ((awaited?.Publication ?? session.Outgoing.GetValueOrDefault(packetId)) is not { } publication)
            return;
        if (code.IsError() && code != ReasonCode.PacketIdentifierNotFound)
        {
            Reject(publication);
            // A server may keep clients from exchanging messages over topics that begin with $ (section 4.7.2).
            if (IsBySetUp(code) && !publication.Topic.StartsWith('$'))
                Deviate(
                    Statements.Permitted,
                    $"PUBLISH: {code}",
                    $"{Name(session)}'s PUBLISH {packetId} of QoS {(int)publication.Qos} is refused with {code}",
                    mustRecur: true
                );
        }
        if (type == PacketType.Pubrec && !code.IsError())
            return;
        if (session.Outgoing.GetValueOrDefault(packetId) == publication)
            session.Outgoing.Remove(packetId);
        publication.TakenAt = Now;
        publication.IsUncertain = false;
        if (
            publication.Packet.Retain
            && !publication.IsRejected
            && RetainedOf(publication.Topic).Find(write => write.Publication == publication) is { } written
        )
            written.End = Now;
    }

    private void Reject(Publication publication)
    {
        publication.IsRejected = true;
        foreach (var session in _sessions)
            if (session.Expectations.TryGetValue(publication, out var expectation))
                expectation.Blur();
    }

    private IEnumerable<Publication> OpenPublications() => _publications.Where(publication => publication.IsOpen);

    private void Register(Publication publication)
    {
        _publications.Add(publication);
        if (!publication.Packet.Payload.IsEmpty)
            _byPayload[publication.Packet.Payload] = publication;
    }

    // What every session may and must get of a publication.
    private void Route(Publication publication, bool certain)
    {
        foreach (var session in _sessions)
        {
            foreach (var subscription in session.Subscriptions.Values)
                Widen(session, subscription, publication);
            if (!session.Expectations.TryGetValue(publication, out var expectation))
                continue;
            Judge(session, expectation, certain);
        }
        RouteShared(publication, certain);
    }

    private void Judge(ClientSession session, Expectation expectation, bool certain)
    {
        var publication = expectation.Publication;
        foreach (var filter in expectation.Filters)
        {
            var subscription = session.Subscriptions[filter];
            if (!certain || session.Presence != Presence.Yes || !subscription.IsCertain)
            {
                expectation.IsCertain = false;
                continue;
            }
            var variant = subscription.Variants[0];
            if (variant.NoLocal && publication.Client == session.Client)
            {
                expectation.IsCertain = false;
                continue;
            }
            var qos = Lower(publication.Qos, variant.Qos);
            if (qos == QualityOfService.AtMostOnce)
                expectation.IsEachDue = false;
            if (expectation.CertainQos is null || qos > expectation.CertainQos)
                expectation.CertainQos = qos;
            if (variant.Identifier > 0)
                expectation.Identifiers.Add(variant.Identifier);
            // A server may keep clients from exchanging messages over topics that begin with $ (section 4.7.2).
            if (
                qos == QualityOfService.AtMostOnce
                || publication.Topic.StartsWith('$')
                || MayBeTooLarge(session, publication)
            )
                continue;
            expectation.IsDue = true;
            Check(DueStatement(expectation));
            if (expectation.Filters.Count > 1)
                Check(Statements.Overlap);
        }
    }

    // Notes that a subscription, or one of its variants, may bring a publication.
    private void Widen(ClientSession session, SubscriptionState subscription, Publication publication)
    {
        if (!TopicFilter.Matches(subscription.Plain, publication.Topic))
        {
            if (publication.Topic.StartsWith('$'))
                Check(Statements.DollarTopics);
            return;
        }
        var isOwn = publication.Client == session.Client;
        // Whether a will comes from its client is not laid down.
        if (isOwn && !publication.IsWill && subscription.Variants.TrueForAll(variant => variant.NoLocal))
        {
            Check(Statements.NoLocal);
            return;
        }
        if (!session.Expectations.TryGetValue(publication, out var expectation))
            session.Expectations.Add(
                publication,
                expectation = new Expectation(publication) { WasOffline = !session.IsOnline }
            );
        if (subscription.IsShared(_version))
            expectation.MayBeShared = true;
        else
            expectation.Filters.Add(subscription.Filter);
        foreach (var variant in subscription.Variants)
        {
            expectation.Allow(Lower(publication.Qos, variant.Qos));
            if (variant.RetainAsPublished)
                expectation.MayKeepRetain = true;
            else
                expectation.MustKeepRetain = false;
        }
        if (!subscription.IsCertain || (isOwn && subscription.Variants.Exists(variant => variant.NoLocal)))
            expectation.IsCertain = false;
    }

    private static QualityOfService Lower(QualityOfService a, QualityOfService b) => a < b ? a : b;

    private static Statement DueStatement(Expectation expectation) =>
        expectation.Publication.IsWill
            ? expectation.Publication.IsFreedByConnection
                ? Statements.WillAtTakeOver
                : Statements.WillPublished
            : expectation.WasOffline
                ? Statements.OfflineQueue
                : Statements.Delivered;

    private void AddDeliveriesOwed(ClientSession session, List<Obligation> owed)
    {
        foreach (var expectation in session.Expectations.Values)
        {
            if (!expectation.IsDue)
                continue;
            var publication = expectation.Publication;
            if (
                publication.IsHalf
                || publication.IsUncertain
                || publication.IsRejected
                || publication.MayExpire
                || MayBeTakenForAnother(session, publication)
            )
                continue;
            if (expectation.Copies.Count > 0)
            {
                AddHighestCopyOwed(session, expectation, owed);
                AddIdentifiersOwed(session, expectation, owed);
                continue;
            }
            owed.Add(
                new Obligation(
                    DueStatement(expectation),
                    $"QoS {(int)publication.Qos}, {DescribeMatch(expectation)}",
                    $"{Name(session)} does not get {publication}, published by {(char)('A' + publication.Client)} at QoS {(int)publication.Qos}",
                    session.Client
                )
                {
                    Publication = publication,
                    Grace = publication.DueNanoseconds is null ? TimeSpan.Zero : s_willGrace,
                    Overtaken = IsOvertaken(session, expectation),
                    Waive = () => expectation.IsDue = false,
                }
            );
        }
    }

    // One empty message looks like another: what was taken for a second copy of one may be the first of the other.
    private static bool MayBeTakenForAnother(ClientSession session, Publication publication) =>
        publication.Packet.Payload.IsEmpty
        && session.Expectations.Values.Any(other =>
            other.Copies.Count > 1
            && other.Publication != publication
            && other.Publication.Packet.Payload.IsEmpty
            && other.Publication.Topic == publication.Topic
        );

    // Of overlapping subscriptions a single copy must have the highest quality of service, and separate copies each its own.
    private static void AddHighestCopyOwed(ClientSession session, Expectation expectation, List<Obligation> owed)
    {
        // One empty message looks like another.
        if (expectation.Publication.Packet.Payload.IsEmpty)
            return;
        if (
            expectation.Filters.Count < 2
            || !expectation.IsCertain
            || expectation.MayBeShared
            || expectation.CertainQos is not { } highest
        )
            return;
        var best = QualityOfService.AtMostOnce;
        foreach (var copy in expectation.Copies)
            if (copy.Qos > best)
                best = copy.Qos;
        if (best >= highest)
            return;
        owed.Add(
            new Obligation(
                Statements.Overlap,
                $"published {(int)expectation.Publication.Qos}, due {(int)highest}, delivered {(int)best}",
                $"{Name(session)} gets {expectation.Publication} at QoS {(int)best} only; its overlapping subscriptions allow QoS {(int)highest}",
                session.Client
            )
            {
                Waive = () => expectation.IsDue = false,
            }
        );
    }

    // "If the Server sends a single copy of the message it MUST include in the PUBLISH packet the Subscription Identifiers for all matching subscriptions which have a Subscription Identifiers"
    // (MQTT-3.3.4-4). What one copy does not have must come with another.
    private void AddIdentifiersOwed(ClientSession session, Expectation expectation, List<Obligation> owed)
    {
        if (
            !IsV5
            || expectation.Filters.Count < 2
            || !expectation.IsCertain
            || !expectation.IsEachDue
            || expectation.MayBeShared
            || expectation.Publication.Packet.Payload.IsEmpty
        )
            return;
        uint[] missing =
        [
            .. expectation
                .Identifiers.Distinct()
                .Where(identifier => !expectation.ReceivedIdentifiers.Contains(identifier)),
        ];
        if (missing.Length == 0 || missing.Length == expectation.Identifiers.Distinct().Count())
            return;
        owed.Add(
            new Obligation(
                Statements.AllIdentifiers,
                $"{expectation.Copies.Count} of {expectation.Filters.Count} copies",
                $"{Name(session)} gets {expectation.Publication} without subscription identifier {string.Join(" and ", missing)}, and no other copy that has it",
                session.Client
            )
            {
                Waive = () => expectation.IsDue = false,
            }
        );
    }

    private string DescribeMatch(Expectation expectation) =>
        $"{DescribeFilters(expectation.Filters)}{(expectation.Filters.Count > 1 ? " overlapping" : "")}, topic{DescribeLevels(expectation.Publication.Topic)}";

    private static bool IsOvertaken(ClientSession session, Expectation expectation)
    {
        // A will has no place in the order of what its client publishes itself.
        if (expectation.Filters.Count != 1 || expectation.Publication.IsIrregular || expectation.Publication.IsWill)
            return false;
        foreach (var ((client, topic, qos, _), last) in session.LastInOrder)
        {
            var publication = expectation.Publication;
            if (
                client == publication.Client
                && topic == publication.Topic
                && qos == publication.Qos
                && last.Number > publication.Number
            )
                return true;
        }
        return false;
    }
}
