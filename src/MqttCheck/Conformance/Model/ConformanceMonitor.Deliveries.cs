using MqttCheck.Protocol;

namespace MqttCheck.Conformance;

/// <content>What clients receive.</content>
public sealed partial class ConformanceMonitor
{
    private const int TickNanoseconds = 1_000_000_000;

    private void Received(ClientSession session, ConnectionState connection, TraceEntry entry)
    {
        Check(Statements.Encoding);
        JudgeSize(session, connection, entry.Packet);
        if (entry.Packet is SubackPacket or UnsubackPacket or PubackPacket or PubrecPacket or PingrespPacket) connection.OpenQos0 = null;
        // How a CONNECT that cannot be understood is refused is not laid down.
        foreach (var violation in connection.Defect is null ? entry.Violations : [])
            Deviate(Statements.Encoding, $"{violation.Statement} in {entry.Packet?.Type.ToString().ToUpperInvariant() ?? "a packet"}", $"{Name(session)} gets a packet that breaks {violation.Statement}: {violation.Message}");
        if (!connection.IsAccepted && entry.Packet is not (ConnackPacket or AuthPacket or DisconnectPacket or null))
        {
            Check(Statements.ConnackFirst);
            Deviate(Statements.ConnackFirst, entry.Packet.Type.ToString(), $"{Name(session)} gets {entry.Packet.Type} before CONNACK");
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
        if (connection.Defect is not { } defect) return;
        // The broker answers what came behind the packet that had to end the connection.
        Deviate(MalformedStatement(defect), defect, $"{Name(session)}'s connection goes on after a packet with {DescribeDefect(defect)}");
        connection.Defect = null;
    }

    private void ReceivedPublish(ClientSession session, ConnectionState connection, PublishPacket delivery, long nanoseconds)
    {
        delivery = ResolveAlias(session, connection, delivery);
        if (delivery.Qos != QualityOfService.AtMostOnce) Check(Statements.PacketIdentifier);
        if (delivery.Qos != QualityOfService.AtMostOnce && session.Incoming.TryGetValue(delivery.PacketId, out var open))
        {
            if (open.Packet.Payload == delivery.Payload && open.Packet.Topic == delivery.Topic && open.Packet.Qos == delivery.Qos && !(open.IsFinished && (open.Connection == connection.Number || !delivery.Duplicate)))
            {
                ReceivedAgain(session, connection, open, delivery);
                return;
            }
            if (!open.IsFinished && open.Connection == connection.Number)
                Deviate(Statements.PacketIdentifier, $"QoS {(int)open.Packet.Qos}", $"{Name(session)} gets a new message with identifier {delivery.PacketId}, which is in use");
        }
        var publication = Identify(session, delivery);
        if (IsV5 && delivery.Qos != QualityOfService.AtMostOnce) Check(Statements.NoLiveResend);
        if (publication is not null) Check(Statements.Payload);
        var isResend = JudgeResend(session, connection, publication, delivery);
        if (delivery.Qos != QualityOfService.AtMostOnce)
        {
            session.Incoming[delivery.PacketId] = new IncomingMessage(delivery.PacketId, delivery, publication, connection.Number);
            JudgeWindow(session, connection);
        }
        if (publication is null) JudgeForeign(session, delivery);
        else if (!isResend) JudgeDelivery(session, connection, delivery, publication, nanoseconds);
    }

    private PublishPacket ResolveAlias(ClientSession session, ConnectionState connection, PublishPacket delivery)
    {
        if (delivery.Properties.TopicAlias is not { } alias) return delivery;
        Check(Statements.TopicAlias);
        if (alias > (connection.Connect?.Properties.TopicAliasMaximum ?? 0))
            Deviate(Statements.TopicAlias, "above the maximum", $"{Name(session)} gets topic alias {alias}, above its maximum");
        if (delivery.Topic.Length > 0)
        {
            connection.AliasesFromServer[alias] = delivery.Topic;
            return delivery;
        }
        if (connection.AliasesFromServer.TryGetValue(alias, out var topic)) return delivery with { Topic = topic };
        Deviate(Statements.TopicAlias, "not defined", $"{Name(session)} gets topic alias {alias}, which was not defined on this connection");
        return delivery;
    }

    // The same message with the same identifier: it is sent again.
    private void ReceivedAgain(ClientSession session, ConnectionState connection, IncomingMessage open, PublishPacket delivery)
    {
        var onSameConnection = open.Connection == connection.Number;
        Check(Statements.DupOnResend);
        if (!delivery.Duplicate && !open.IsFinished)
            Deviate(Statements.DupOnResend, $"QoS {(int)delivery.Qos}, {(onSameConnection ? "same connection" : "resumed session")}", $"{Name(session)} gets PUBLISH {delivery.PacketId} again without DUP");
        if (onSameConnection && IsV5)
            Deviate(Statements.NoLiveResend, $"QoS {(int)delivery.Qos}", $"{Name(session)} gets PUBLISH {delivery.PacketId} again on the same connection");
        open.ResendDue = false;
        open.Connection = connection.Number;
        if (open.Packet.Qos == QualityOfService.AtLeastOnce) open.IsAcknowledged = open.IsFinished = false;
    }

    // Whether it is a message that an earlier connection left open, sent again with another identifier.
    private bool JudgeResend(ClientSession session, ConnectionState connection, Publication? publication, PublishPacket delivery)
    {
        if (publication is null || delivery.Qos == QualityOfService.AtMostOnce) return false;
        var left = session.Incoming.Values.FirstOrDefault(m => m.Publication == publication && m.Connection != connection.Number && !m.IsFinished && m.Packet.Qos == delivery.Qos && m.ResendDue);
        if (left is null) return false;
        Deviate(Statements.Resend, $"other identifier, QoS {(int)delivery.Qos}", $"{Name(session)} gets {publication} again with identifier {delivery.PacketId}; it was {left.PacketId}");
        session.Incoming.Remove(left.PacketId);
        return true;
    }

    private void JudgeWindow(ClientSession session, ConnectionState connection)
    {
        if (!IsV5 || connection.Connect?.Properties.ReceiveMaximum is not { } maximum) return;
        Check(Statements.ReceiveMaximum);
        var open = session.Incoming.Values.Count(m => m.Connection == connection.Number && !m.IsFinished);
        if (open > maximum) Deviate(Statements.ReceiveMaximum, $"window {maximum}", $"{Name(session)} has {open} open messages with Receive Maximum {maximum}");
    }

    private Publication? Identify(ClientSession session, PublishPacket delivery)
    {
        if (!delivery.Payload.IsEmpty) return _byPayload.GetValueOrDefault(delivery.Payload);
        // Empty messages of one topic cannot be told apart: the one that fits best is meant.
        Publication? best = null;
        var bestFit = -1;
        foreach (var publication in _publications)
        {
            if (!publication.Packet.Payload.IsEmpty || publication.Topic != delivery.Topic || publication.IsDormant || publication.IsForbidden) continue;
            var fit = 0;
            if (session.Expectations.TryGetValue(publication, out var expectation))
            {
                fit = 1 + (expectation.Allows(delivery.Qos) ? 4 : 0) + (expectation.Copies.Count < expectation.Filters.Count + (expectation.MayBeShared ? 1 : 0) ? 8 : 0)
                    + (expectation.IsDue && expectation.Copies.Count == 0 ? 2 : 0);
            }
            if (fit > bestFit) (best, bestFit) = (publication, fit);
        }
        return best;
    }

    private void JudgeForeign(ClientSession session, PublishPacket delivery)
    {
        if (_names.IsOfThisRun(delivery.Payload))
        {
            Check(Statements.Payload);
            Deviate(Statements.Payload, "", $"{Name(session)} gets a payload that nobody published: {delivery.Payload}");
        }
        // What another run publishes is that run's business.
        if (!delivery.Topic.StartsWith('$') || delivery.Topic.StartsWith("$" + _names.Family, StringComparison.Ordinal)) return;
        Check(Statements.DollarTopics);
        if (session.Subscriptions.Keys.Any(filter => TopicFilter.Matches(filter, delivery.Topic)) || session.Subscriptions.Count == 0) return;
        Deviate(Statements.DollarTopics, "topics of the broker's own", $"{Name(session)} gets a message on {delivery.Topic} and has no filter that begins with $");
    }

    private void JudgeDelivery(ClientSession session, ConnectionState connection, PublishPacket delivery, Publication publication, long nanoseconds)
    {
        if (publication.IsDormant)
        {
            var owner = _connections.Values.First(c => c.Will == publication);
            if (IsUntimelyWill(session, publication)) return;
            if (owner.Disconnected && publication.EarliestNanoseconds is null)
            {
                // A broker that ended the connection before DISCONNECT came to it was right to publish it: for what was sent before, or because the client connected again, which may overtake.
                if (owner.OpenQos0 is not null || _sessions[publication.Client].Connection != owner) return;
                Deviate(Statements.WillDiscarded, "", $"{Name(session)} gets {publication}, which DISCONNECT discarded", mustRecur: true);
                return;
            }
            // The broker ended the connection, and its client has not seen it yet.
            ReleaseWill(owner, certain: false, endsSession: true);
        }
        if (publication.IsForbidden)
        {
            Deviate(Statements.RefusedIgnored, "PUBLISH", $"{Name(session)} gets {publication}, which came behind a CONNECT that was refused");
            return;
        }
        if (JudgeStored(session, delivery, publication)) return;
        if (!session.Expectations.TryGetValue(publication, out var expectation))
        {
            // What was sent on a connection that is being replaced belongs to what was before.
            if (!connection.IsTakenOver) Unexpected(session, delivery, publication);
            return;
        }
        var first = expectation.Copies.Count == 0;
        expectation.Copies.Add(new Copy(delivery.Qos, Now));
        // A connection that is being replaced may belong to what was asked for before or after.
        if (connection.IsTakenOver) return;
        JudgeTopic(session, delivery, publication);
        JudgeQos(session, delivery, expectation);
        // One empty message looks like another.
        if (publication.Packet.Payload.IsEmpty) return;
        JudgeCopies(session, delivery, expectation);
        JudgeRetainFlag(session, delivery, expectation);
        JudgeDup(session, connection, delivery, publication, first);
        JudgeIdentifiers(session, delivery, expectation);
        JudgeProperties(session, delivery, publication, "live");
        JudgeExpiry(session, delivery, publication, nanoseconds);
        if (first && !delivery.Duplicate) JudgeExpired(session, publication, expectation.WasOffline ? "queued" : "live");
        if (first) JudgeOrder(session, delivery, expectation);
    }

    private void JudgeTopic(ClientSession session, PublishPacket delivery, Publication publication)
    {
        Check(Statements.TopicMatches);
        if (delivery.Topic == publication.Topic) return;
        Deviate(Statements.TopicMatches, $"topic{DescribeLevels(publication.Topic)}", $"{Name(session)} gets {publication} under the topic {delivery.Topic}");
    }

    private void JudgeQos(ClientSession session, PublishPacket delivery, Expectation expectation)
    {
        Check(Statements.DeliveryQos);
        if (expectation.Allows(delivery.Qos)) return;
        var publication = expectation.Publication;
        if (publication.Packet.Payload.IsEmpty && _publications.Count(p => p.Packet.Payload.IsEmpty && p.Topic == publication.Topic) > 1) return;
        Deviate(Statements.DeliveryQos, $"{(publication.IsWill ? "will, " : expectation.WasOffline ? "queued, " : "")}published {(int)publication.Qos}, delivered {(int)delivery.Qos}, legal {DescribeBits(expectation.QosBits)}",
            $"{Name(session)} gets {publication}, published at QoS {(int)publication.Qos}, at QoS {(int)delivery.Qos}; legal: {DescribeBits(expectation.QosBits)}");
    }

    private void JudgeCopies(ClientSession session, PublishPacket delivery, Expectation expectation)
    {
        if (expectation.MayBeShared)
        {
            JudgeShared(session, delivery, expectation);
            return;
        }
        var publication = expectation.Publication;
        Check(delivery.Qos switch
        {
            QualityOfService.AtMostOnce => Statements.Qos0Once,
            QualityOfService.AtLeastOnce => Statements.OneCopy,
            _ => Statements.ExactlyOnce,
        });
        // A QoS 1 message may be repeated, also on its way to a QoS 0 subscription; one sent again after a lost connection too.
        if (delivery.Qos == QualityOfService.AtLeastOnce || (delivery.Qos == QualityOfService.AtMostOnce && publication.Qos == QualityOfService.AtLeastOnce)) return;
        var copies = expectation.Copies.Count(copy => copy.Qos == delivery.Qos);
        if (copies <= expectation.Filters.Count || (publication.IsIrregular && publication.Qos == QualityOfService.AtLeastOnce)) return;
        Deviate(delivery.Qos == QualityOfService.ExactlyOnce ? Statements.ExactlyOnce : Statements.Qos0Once,
            $"published {(int)publication.Qos}{(publication.IsIrregular ? ", sent again" : "")}{(expectation.WasOffline ? ", queued" : "")}, {DescribeMatch(expectation)}",
            $"{Name(session)} gets {publication} at QoS {(int)delivery.Qos} for the {Ordinal(copies)} time and has {expectation.Filters.Count} matching filter(s)");
    }

    // A QoS 1 message may be handed over to another member when its connection is lost.
    private void JudgeShared(ClientSession session, PublishPacket delivery, Expectation expectation)
    {
        if (delivery.Qos == QualityOfService.AtLeastOnce || expectation.Filters.Count > 0 || GroupOf(session, expectation.Publication) is not { } group) return;
        Check(Statements.SharedOnce);
        foreach (var other in _sessions)
        {
            if (other == session || !other.Expectations.TryGetValue(expectation.Publication, out var theirs) || theirs.Filters.Count > 0) continue;
            if (GroupOf(other, expectation.Publication) != group || !theirs.Copies.Exists(copy => copy.Qos != QualityOfService.AtLeastOnce)) continue;
            Deviate(Statements.SharedOnce, $"QoS {(int)delivery.Qos}", $"{Name(session)} and {Name(other)} both get {expectation.Publication} for the shared subscription {group}");
        }
    }

    // The one shared subscription of a session that matches, null if there are none or several.
    private string? GroupOf(ClientSession session, Publication publication)
    {
        var groups = session.Subscriptions.Values.Where(s => s.IsShared(_version) && TopicFilter.Matches(s.Plain, publication.Topic)).Select(s => s.Filter).ToList();
        return groups.Count == 1 ? groups[0] : null;
    }

    private static string Ordinal(int number) => number switch { 2 => "second", 3 => "third", _ => $"{number}th" };

    private void JudgeRetainFlag(ClientSession session, PublishPacket delivery, Expectation expectation)
    {
        Check(Statements.RetainFlagLive);
        var published = expectation.Publication.Packet.Retain;
        var isLegal = delivery.Retain
            ? published && (expectation.MayKeepRetain || expectation.MayBeShared)
            : !published || !expectation.MustKeepRetain || expectation.MayBeShared;
        if (isLegal) return;
        Deviate(Statements.RetainFlagLive, $"RETAIN {(delivery.Retain ? 1 : 0)}{(expectation.MayKeepRetain ? ", retain as published" : "")}{(expectation.WasOffline ? ", queued" : "")}{(expectation.Publication.IsWill ? ", will" : "")}",
            $"{Name(session)} gets {expectation.Publication} live with RETAIN {(delivery.Retain ? 1 : 0)}");
    }

    private void JudgeDup(ClientSession session, ConnectionState connection, PublishPacket delivery, Publication publication, bool first)
    {
        Check(Statements.NoDup);
        if (!delivery.Duplicate || !first) return;
        // Sent on a connection that was lost, the first copy may have got lost with it.
        if (connection.AcceptedAt > publication.SentAt) return;
        Deviate(Statements.NoDup, publication.Packet.Duplicate ? "set by the publisher" : "", $"{Name(session)} gets the first copy of {publication} with DUP");
    }

    private void JudgeIdentifiers(ClientSession session, PublishPacket delivery, Expectation expectation)
    {
        if (!IsV5 || !expectation.IsCertain || expectation.MayBeShared) return;
        var expected = expectation.Identifiers;
        var received = delivery.Properties.SubscriptionIdentifiers;
        if (expected.Count == 0 && received.Count == 0) return;
        Check(Statements.SubscriptionIdentifiers);
        var isMerged = received.Order().SequenceEqual(expected.Order());
        var isSeparate = expectation.Filters.Count > 1 && received.Count <= 1 && (received.Count == 0 ? expected.Count < expectation.Filters.Count : expected.Contains(received[0]));
        if (isMerged || isSeparate) return;
        Deviate(Statements.SubscriptionIdentifiers, $"{expectation.Filters.Count} filters, {expected.Count} identifiers, {received.Count} received",
            $"{Name(session)} gets {expectation.Publication} with subscription identifiers {received}; its subscriptions have [{string.Join(", ", expected)}]");
    }

    private void JudgeProperties(ClientSession session, PublishPacket delivery, Publication publication, string how)
    {
        if (!IsV5) return;
        Check(Statements.Forwarded);
        var (sent, received) = (publication.Packet.Properties, delivery.Properties);
        var changed = new List<string>();
        if (sent.ContentType != received.ContentType) changed.Add("content type");
        if (sent.ResponseTopic != received.ResponseTopic) changed.Add("response topic");
        if (sent.CorrelationData != received.CorrelationData) changed.Add("correlation data");
        if (sent.UserProperties != received.UserProperties) changed.Add("user properties");
        if ((sent.PayloadFormatIndicator ?? PayloadFormat.Bytes) != (received.PayloadFormatIndicator ?? PayloadFormat.Bytes)) changed.Add("payload format");
        if (changed.Count > 0)
            Deviate(Statements.Forwarded, $"{how}{(publication.IsWill ? " will" : "")}: {string.Join(", ", changed)}", $"{Name(session)} gets {publication} with changed {string.Join(", ", changed)}");
    }

    private void JudgeExpiry(ClientSession session, PublishPacket delivery, Publication publication, long nanoseconds)
    {
        if (!IsV5 || publication.IsWill || publication.Packet.Properties.MessageExpiryIntervalSeconds is not { } published) return;
        Check(Statements.MessageExpiry);
        var waited = (nanoseconds - _trace[publication.SentAt].Nanoseconds) / TickNanoseconds;
        if (waited > published) return;
        if (delivery.Properties.MessageExpiryIntervalSeconds is { } left && left <= published - Math.Max(0, waited - 1) && left + waited + 2 >= published) return;
        Deviate(Statements.MessageExpiry, delivery.Properties.MessageExpiryIntervalSeconds is null ? "missing" : "other value",
            $"{Name(session)} gets {publication} with expiry interval {delivery.Properties.MessageExpiryIntervalSeconds?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "none"} after {waited} s; published: {published}");
    }

    private void JudgeOrder(ClientSession session, PublishPacket delivery, Expectation expectation)
    {
        var publication = expectation.Publication;
        if (publication.IsWill || publication.IsIrregular || publication.Packet.Payload.IsEmpty || expectation.Filters.Count != 1 || expectation.MayBeShared) return;
        var filter = expectation.Filters.First();
        var key = (publication.Client, publication.Topic, publication.Qos, delivery.Qos);
        if (session.LastInOrder.TryGetValue(key, out var last))
        {
            var comparable = session.Expectations.TryGetValue(last, out var other) && other.Filters.Count == 1 && other.Filters.Contains(filter);
            if (comparable) Check(Statements.Order);
            if (publication.Number < last.Number)
            {
                if (comparable)
                {
                    Deviate(Statements.Order, $"published {(int)publication.Qos}, delivered {(int)delivery.Qos}{(expectation.WasOffline ? ", queued" : "")}, {DescribeMatch(expectation)}",
                        $"{Name(session)} gets {publication} after {last}, which was published later");
                }
                return;
            }
        }
        session.LastInOrder[key] = publication;
    }

    private void Unexpected(ClientSession session, PublishPacket delivery, Publication publication)
    {
        var filters = session.Subscriptions.Values.ToList();
        var what = $"{Name(session)} gets {publication}";
        var wild = filters.Select(s => s.Filter).Concat(session.Ended.Select(e => e.Filter)).FirstOrDefault(filter => PlainOf(filter)[0] is '#' or '+');
        if (publication.Topic.StartsWith('$') && wild is not null && filters.TrueForAll(s => !TopicFilter.Matches(s.Plain, publication.Topic)))
        {
            Deviate(Statements.DollarTopics, DescribeFilter(wild), $"{what}; its filter {wild} does not match a topic that begins with $");
            return;
        }
        var matching = filters.Find(s => TopicFilter.Matches(s.Plain, publication.Topic));
        if (matching is not null && publication.Client == session.Client && matching.Variants.TrueForAll(variant => variant.NoLocal))
        {
            Deviate(Statements.NoLocal, "", $"{what}, its own message, although its subscription to {matching.Filter} has No Local");
            return;
        }
        if (delivery.Retain && matching is not null && !publication.Packet.Retain)
        {
            Deviate(Statements.RetainUntouched, "", $"{what} as a retained message, although it was published without RETAIN");
            return;
        }
        if (delivery.Retain && matching is not null)
        {
            Deviate(Statements.RetainFlagLive, "no subscription asked", $"{what} with RETAIN 1, which no subscription asked for");
            return;
        }
        if (delivery.Retain && publication.Packet.Retain && matching is null && filters.Exists(s => s.LastRequest > publication.SentAt))
        {
            Deviate(Statements.TopicMatches, $"retained, no matching subscription, topic{DescribeLevels(publication.Topic)}", $"{what} as a retained message and has no subscription that matches");
            return;
        }
        var ended = session.Ended.FindLast(e => TopicFilter.Matches(PlainOf(e.Filter), publication.Topic));
        if (session.Stale.Contains(publication) && matching is null)
        {
            var statement = ended?.Statement ?? Statements.CleanStart;
            Deviate(statement, "old message", $"{what}, which belongs to a session that is over");
        }
        else if (matching is not null)
        {
            Deviate(Statements.BeforeSubscription, $"QoS {(int)publication.Qos}", $"{what}, whose publication was acknowledged before the subscription to {matching.Filter} was asked for");
        }
        else if (ended is not null)
        {
            Deviate(ended.Statement, $"subscription goes on, {DescribeFilter(ended.Filter)}", $"{what}; its subscription to {ended.Filter} was over before");
        }
        else
        {
            Deviate(Statements.TopicMatches, $"no matching subscription, topic{DescribeLevels(publication.Topic)}", $"{what} and has no subscription that matches");
        }
    }

    // A subscription that matches only if wildcards take a topic that begins with $.
    private static bool IsForWildcardOverDollar(ClientSession session, string topic, out string filter)
    {
        filter = topic.StartsWith('$')
            ? session.Subscriptions.Values.Select(s => s.Plain).FirstOrDefault(plain => plain[0] is '#' or '+' && TopicFilter.Matches(plain, "x" + topic[1..])) ?? ""
            : "";
        return filter.Length > 0;
    }

    private static string PlainOf(string filter) => new SubscriptionState(filter).Plain;

    private static void SentAcknowledgement(ClientSession session, ConnectionState connection, Packet packet)
    {
        connection.LastSent = packet.Type.ToString().ToUpperInvariant();
        var packetId = packet switch { PubackPacket ack => ack.PacketId, PubrecPacket ack => ack.PacketId, PubcompPacket ack => ack.PacketId, _ => (ushort)0 };
        if (!session.Incoming.TryGetValue(packetId, out var message)) return;
        message.IsAcknowledged = true;
        if (packet is PubackPacket or PubcompPacket) message.IsFinished = true;
    }

    private void ReceivedPubrel(ClientSession session, ConnectionState connection, ushort packetId)
    {
        Check(Statements.Pubrel);
        if (!session.Incoming.TryGetValue(packetId, out var message))
        {
            if (session.Presence == Presence.Yes && session.Ended.Count == 0 && session.Stale.Count == 0)
                Deviate(Statements.AnswerIdentifier, "PUBREL", $"{Name(session)} gets PUBREL {packetId} for a message that it did not get");
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
                owed.Add(new Obligation(Statements.Resend, $"QoS {(int)message.Packet.Qos}, {(message.IsAcknowledged ? "PUBREC sent" : "not acknowledged")}",
                    $"{Name(session)} resumed its session and does not get PUBLISH {message.PacketId}{(message.IsAcknowledged ? " or PUBREL" : "")} again", session.Client)
                {
                    Waive = () => message.ResendDue = false,
                });
            }
            else if (message.Packet.Qos == QualityOfService.ExactlyOnce && message is { IsAcknowledged: true, IsReleased: false, IsFinished: false } && message.Connection == session.Connection!.Number)
            {
                owed.Add(new Obligation(Statements.Pubrel, "no answer", $"{Name(session)}'s PUBREC {message.PacketId} is not answered by PUBREL", session.Client)
                {
                    Waive = () => message.IsReleased = true,
                });
            }
        }
    }
}
