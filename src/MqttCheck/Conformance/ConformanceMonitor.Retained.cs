using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance;

/// <content>Retained messages: each topic is a register that publications write and subscriptions read.</content>
public sealed partial class ConformanceMonitor
{
    private List<RetainedWrite> RetainedOf(string topic)
    {
        if (!_retained.TryGetValue(topic, out var writes))
            _retained.Add(topic, writes = []);
        return writes;
    }

    private void BeginReads(
        ClientSession session,
        SubscriptionState subscription,
        SubscriptionRequest request,
        ushort packetId,
        int place,
        bool isOnly
    )
    {
        foreach (var topic in _retained.Keys)
            if (TopicFilter.Matches(subscription.Plain, topic))
                session.Reads.Add(ReadOf(subscription, request, packetId, place, topic, isOnly));
    }

    private RetainedRead ReadOf(
        SubscriptionState subscription,
        SubscriptionRequest request,
        ushort packetId,
        int place,
        string topic,
        bool isOnly
    )
    {
        var isNew = subscription.Variants.Count == 0;
        if (request.RetainHandling != RetainHandling.Send)
            Check(Statements.RetainHandling);
        return new RetainedRead(subscription, packetId, place, topic, Now)
        {
            IsAllowed = request.RetainHandling switch
            {
                RetainHandling.Send => true,
                RetainHandling.SendIfNew => subscription.MaybeAbsent || subscription.Pending > 0,
                _ => false,
            },
            // The same filter twice in one SUBSCRIBE replaces itself before anything is sent.
            IsCertainlyAsked =
                isOnly
                && (
                    request.RetainHandling == RetainHandling.Send
                    || (request.RetainHandling == RetainHandling.SendIfNew && isNew)
                ),
            IsRepeated = !isNew,
            GrantBits = (2 << (int)request.Qos) - 1,
            RetainAsPublished = request.RetainAsPublished,
            NoLocal = request.NoLocal,
        };
    }

    // "When a QoS 0 message with the RETAIN flag set to 1 is received it MUST discard any message previously retained for that topic" (MQTT-3.3.1-7 of 3.1.1; 5: 3.3.1-5). It has no answer of its own: the
    // answer to a PINGREQ behind it shows that it was received. Not laid down in so many words, so what follows from it counts only if it comes every time.
    private void EndQos0Writes(ConnectionState connection)
    {
        var pinged = _trace.FindLastIndex(entry =>
            entry.Connection == connection.Number && entry is { Kind: TraceKind.Sent, Packet: PingreqPacket }
        );
        foreach (var write in _retained.Values.SelectMany(writes => writes))
        {
            if (
                !write.IsOfQos0
                || write.End is not null
                || write.Publication.IsWill
                || write.Publication.Connection != connection.Number
                || write.Start > pinged
            )
                continue;
            write.End = Now;
        }
    }

    private static bool IsOnly(SubscribePacket subscribe, string filter) =>
        subscribe.Subscriptions.Count(request => request.Filter == filter) == 1;

    // A write while a SUBSCRIBE waits for its answer may be seen by it or not.
    private void WriteBesideReads(Publication publication)
    {
        foreach (var session in _sessions)
        {
            foreach (var read in session.Reads)
                if (read.Topic == publication.Topic)
                    read.IsDue = false;
            foreach (var awaited in session.Awaited.Concat(session.Unanswered))
            {
                if (awaited.Subscribe is not { } subscribe)
                    continue;
                for (var place = 0; place < subscribe.Subscriptions.Count; place++)
                {
                    var request = subscribe.Subscriptions[place];
                    if (
                        !session.Subscriptions.TryGetValue(request.Filter, out var subscription)
                        || subscription.IsShared(_version)
                    )
                        continue;
                    if (!TopicFilter.Matches(subscription.Plain, publication.Topic))
                        continue;
                    if (
                        session.Reads.Exists(read =>
                            read.PacketId == subscribe.PacketId
                            && read.Topic == publication.Topic
                            && read.Request == place
                        )
                    )
                        continue;
                    session.Reads.Add(
                        ReadOf(
                            subscription,
                            request,
                            subscribe.PacketId,
                            place,
                            publication.Topic,
                            IsOnly(subscribe, request.Filter)
                        )
                    );
                }
            }
        }
    }

    // Whether the register may hold the message of a write when a read that began at an entry takes place.
    private static bool IsCandidate(List<RetainedWrite> writes, RetainedWrite write, int start) =>
        !writes.Exists(later => later.Start > write.End && later.End < start);

    private void MakeReadsDue(ClientSession session, ushort packetId)
    {
        foreach (var read in session.Reads)
        {
            if (read.PacketId != packetId || read.End is not null)
                continue;
            read.End = Now;
            if (
                read.IsSatisfied
                || read.Topic.StartsWith('$')
                || !read.IsCertainlyAsked
                || !read.Subscription.IsCertain
                || read.GrantBits == 1
            )
                continue;
            if (!session.Subscriptions.ContainsKey(read.Subscription.Filter))
                continue;
            var writes = RetainedOf(read.Topic);
            var candidates = writes.Where(write => IsCandidate(writes, write, read.Start)).ToList();
            var isHeld =
                writes.Exists(write => write.End < read.Start)
                && candidates.TrueForAll(write =>
                    !write.IsDelete
                    && !IsOwnAndNoLocal(session, read, write)
                    && write.Publication.Qos > QualityOfService.AtMostOnce
                    && write.Publication is { IsRejected: false, MayExpire: false }
                    && !MayBeTooLarge(session, write.Publication)
                );
            if (!isHeld)
            {
                if (candidates.Exists(write => write.IsDelete))
                    Check(Statements.RetainDeleted);
                if (
                    candidates.Exists(write => write is { IsOfQos0: true, End: not null })
                    && writes.Exists(write => write.End < read.Start && !candidates.Contains(write))
                )
                    Check(Statements.Qos0Replaces);
                continue;
            }
            Check(ReadStatement(read));
            Check(Statements.RetainUntouched);
            read.IsDue = true;
        }
    }

    // Whether No Local covers retained messages is not laid down.
    private static bool IsOwnAndNoLocal(ClientSession session, RetainedRead read, RetainedWrite write) =>
        write.Publication.Client == session.Client && read.NoLocal;

    // Nothing on the exact topic says that the message was not kept; a wildcard filter may also have failed to find it.
    private static Statement ReadStatement(RetainedRead read) =>
        read.IsRepeated ? Statements.RetainSentAgain
        : read.Subscription.Plain == read.Topic ? Statements.RetainKept
        : Statements.RetainSent;

    private void AddRetainedOwed(ClientSession session, List<Obligation> owed)
    {
        foreach (var read in session.Reads)
        {
            if (!read.IsDue || read.IsSatisfied)
                continue;
            owed.Add(
                new Obligation(
                    ReadStatement(read),
                    $"{DescribeFilter(read.Subscription.Filter)}, topic{DescribeLevels(read.Topic)}",
                    $"{Name(session)}'s subscription to {read.Subscription.Filter} does not bring the retained message of {read.Topic}",
                    session.Client
                )
                {
                    RetainedTopic = read.NoLocal ? null : read.Topic,
                    IsMarked = session.Expectations.Values.Any(e =>
                        e.Copies.Count > 0
                        && e.Publication is { IsWill: false, Packet.Retain: false } later
                        && later.Client == session.Client
                        && later.Topic == read.Topic
                        && later.SentAt > read.End
                    ),
                    Waive = () => read.IsDue = false,
                }
            );
        }
    }

    private static bool Brings(RetainedRead read, Publication publication, QualityOfService qos)
    {
        for (var granted = QualityOfService.AtMostOnce; granted <= QualityOfService.ExactlyOnce; granted++)
            if ((read.GrantBits & (1 << (int)granted)) != 0 && Lower(publication.Qos, granted) == qos)
                return true;
        return false;
    }

    // A QoS 1 message may be repeated, also on its way to a QoS 0 subscription.
    private static bool MayRepeat(RetainedRead read, Publication publication, QualityOfService qos) =>
        Brings(read, publication, qos)
        && (
            qos == QualityOfService.AtLeastOnce
            || (qos == QualityOfService.AtMostOnce && publication.Qos == QualityOfService.AtLeastOnce)
        );

    /// <returns>Whether the delivery is the answer to a subscription, legal or not.</returns>
    private bool JudgeStored(
        ClientSession session,
        ConnectionState connection,
        PublishPacket delivery,
        Publication publication
    )
    {
        var writes = RetainedOf(publication.Topic);
        var written = writes.Find(write => write.Publication == publication);
        if (written is null || written.IsDelete)
            return false;
        var reads = session
            .Reads.Where(read => read.Topic == publication.Topic && read.Start < Now && !(written.Start > read.End))
            .ToList();
        // A connection that is being replaced does not answer what was asked on the new one.
        if (connection.IsTakenOver && session.Connection is { ConnectAt: > 0 and var replacedAt })
        {
            reads.RemoveAll(read => read.Start > replacedAt);
            if (reads.Count == 0)
                return false;
        }
        var fitting = reads.Where(read => read.IsAllowed && IsCandidate(writes, written, read.Start)).ToList();
        if (
            delivery.Retain
            && session.Expectations.TryGetValue(publication, out var both)
            && both.MayKeepRetain
            && fitting.Exists(r => !(written.End < r.Start) || both.Copies.Count < MostLiveCopies(session, both))
        )
        {
            // Stored, or live with RETAIN as published: it cannot be told, so it counts as either.
            foreach (var r in fitting)
                r.IsDue = false;
            both.Blur();
            foreach (var shared in _sharedDeliveries)
                if (shared.Publication == publication && shared.Members.Any(member => member.Session == session))
                    shared.IsDue = false;
            return true;
        }
        // One of QoS 1 that an ordinary subscription asked for may come twice.
        if (
            delivery.Retain
            && !reads.Exists(r => !r.IsAllowed)
            && !fitting.Exists(r =>
                r.IsSatisfied ? MayRepeat(r, publication, delivery.Qos) : Brings(r, publication, delivery.Qos)
            )
            && !(session.Expectations.TryGetValue(publication, out var live) && live.MayKeepRetain)
            && session.Subscriptions.Values.Any(s =>
                s.IsShared(_version) && s.LastRequest > written.Start && TopicFilter.Matches(s.Plain, publication.Topic)
            )
        )
        {
            Deviate(
                Statements.SharedNotRetained,
                "",
                $"{Name(session)} gets retained {publication} for a shared subscription"
            );
            return true;
        }
        // Reads whose grant is known first; what may be a repetition does not use up a read whose grant is not.
        var read = fitting.Find(r => !r.IsSatisfied && r.End is not null && Brings(r, publication, delivery.Qos));
        if (read is null && !fitting.Exists(r => r.IsSatisfied && MayRepeat(r, publication, delivery.Qos)))
            read =
                fitting.Find(r => !r.IsSatisfied && Brings(r, publication, delivery.Qos))
                ?? fitting.Find(r => !r.IsSatisfied);
        if (read is not null)
        {
            if (!delivery.Retain)
            {
                // Without the flag it is the answer to a subscription only if nothing else explains it.
                if (session.Expectations.ContainsKey(publication))
                    return false;
                Check(Statements.RetainFlagOnStored);
                Deviate(
                    Statements.RetainFlagOnStored,
                    $"{(read.RetainAsPublished ? "retain as published, " : "")}{DescribeFilter(read.Subscription.Filter)}",
                    $"{Name(session)}'s subscription to {read.Subscription.Filter} brings {publication} with RETAIN 0"
                );
            }
            else
            {
                Check(Statements.RetainFlagOnStored);
            }
            var start = fitting.Where(r => !r.IsSatisfied).Min(r => r.Start);
            Satisfy(session, read, delivery, publication);
            if (delivery is { Retain: true, Duplicate: false })
                JudgeRegister(session, writes, written, start);
            return true;
        }
        if (!delivery.Retain)
            return false;
        if (fitting.Count > 0)
        {
            var isRepeated = fitting.Exists(r => MayRepeat(r, publication, delivery.Qos));
            if (
                session.Expectations.TryGetValue(publication, out var kept)
                && kept.MayKeepRetain
                && (kept.Allows(delivery.Qos) || !isRepeated)
            )
                return false;
            if (isRepeated)
                return true;
            if (IsForWildcardOverDollar(session, publication.Topic, out var wild))
                Deviate(
                    Statements.DollarTopics,
                    DescribeFilter(wild),
                    $"{Name(session)} gets retained {publication} also for its filter {wild}, which does not match a topic that begins with $"
                );
            else if (reads.Exists(r => !r.IsAllowed && IsCandidate(writes, written, r.Start)))
                Deviate(
                    Statements.RetainHandling,
                    "",
                    $"{Name(session)} gets retained {publication} once more than retain handling allows"
                );
            else
                Deviate(
                    Statements.OneCopy,
                    $"retained, QoS {(int)delivery.Qos}",
                    $"{Name(session)} gets retained {publication} once more than it has subscriptions that ask for it"
                );
            return true;
        }
        if (
            session.Expectations.TryGetValue(publication, out var expectation)
            && (expectation.MayKeepRetain || expectation.Copies.Count == 0)
        )
            return false;
        if (reads.Exists(r => !r.IsAllowed && IsCandidate(writes, written, r.Start)))
        {
            Deviate(
                Statements.RetainHandling,
                "",
                $"{Name(session)} gets retained {publication}, although its retain handling forbids it"
            );
            return true;
        }
        if (reads.Count == 0)
            return false;
        var last = reads[^1];
        var next = writes.Find(write => write.Start > written.End && write.End < last.Start)!;
        var statement =
            next.IsDelete ? Statements.RetainDeleted
            : next.IsOfQos0 ? Statements.Qos0Replaces
            : Statements.RetainKept;
        Check(statement);
        Deviate(
            statement,
            $"old message, {(next.IsDelete ? "deleted" : "replaced")} at QoS {(int)next.Publication.Qos}, {DescribeFilter(last.Subscription.Filter)}",
            $"{Name(session)}'s subscription to {last.Subscription.Filter} brings {publication}, which was {(next.IsDelete ? "deleted" : "replaced")} before",
            mustRecur: next.IsOfQos0
        );
        last.IsSatisfied = true;
        return true;
    }

    // One for each ordinary filter, and one for each shared one.
    private int MostLiveCopies(ClientSession session, Expectation expectation) =>
        expectation.Filters.Count
        + (
            expectation.MayBeShared
                ? session.Subscriptions.Values.Count(s =>
                    s.IsShared(_version) && TopicFilter.Matches(s.Plain, expectation.Publication.Topic)
                )
                : 0
        );

    // Payloads are all different, so it is known which write a read brings. Then an order of all writes and reads that keeps to the order of what does not overlap in time exists if and only if no two of
    // the intervals that reads force upon their values (forward zones) overlap, and none has within it the time of a value that could have been written and read in between (a backward zone): the
    // criterion of Gibbons and Korach, Testing shared memories, SIAM J. Comput. 26 (4), 1997, for histories in which each read is mapped to its write. That no read ends before its write begins holds
    // for every delivery. What was sent again may take effect again.
    private void JudgeRegister(ClientSession session, List<RetainedWrite> writes, RetainedWrite written, int start)
    {
        written.Reads.Add((start, Now));
        Check(Statements.RetainKept);
        if (written.Publication.IsIrregular)
            return;
        var (low, high, isForced) = Zone(written);
        foreach (var other in writes)
        {
            if (other == written || other.Publication.IsIrregular || other.Publication.IsRejected)
                continue;
            var (otherLow, otherHigh, otherIsForced) = Zone(other);
            var contradicts =
                isForced && otherIsForced ? low < otherHigh && otherLow < high
                : isForced ? low < otherLow && otherHigh < high
                : otherIsForced && otherLow < low && high < otherHigh;
            if (!contradicts)
                continue;
            Deviate(
                Statements.RetainKept,
                "no order of the publications explains what subscriptions brought",
                $"{Name(session)} gets retained {written.Publication}; together with what other subscriptions brought of {other.Publication}, no order of the publications to {written.Publication.Topic} explains it",
                mustRecur: written.IsOfQos0 || other.IsOfQos0
            );
            return;
        }
    }

    // From the first moment by which the value was there to the last moment at which it was still there; without reads between, the time in which it was written.
    private static (int Low, int High, bool IsForced) Zone(RetainedWrite write)
    {
        var (firstEnd, lastStart) = (write.End ?? int.MaxValue, write.Start);
        foreach (var (start, end) in write.Reads)
            (firstEnd, lastStart) = (Math.Min(firstEnd, end), Math.Max(lastStart, start));
        return firstEnd < lastStart ? (firstEnd, lastStart, true) : (lastStart, firstEnd, false);
    }

    private void Satisfy(ClientSession session, RetainedRead read, PublishPacket delivery, Publication publication)
    {
        read.IsSatisfied = true;
        // Overlapping filters of one SUBSCRIBE: strictly one message each, one in all is tolerated.
        foreach (var other in session.Reads)
            if (other.Topic == read.Topic)
                other.IsDue = false;
        Check(Statements.DeliveryQos);
        var bits = session.Reads.Where(r => r.Topic == read.Topic).Aggregate(0, (all, r) => all | r.GrantBits);
        var isLegal = false;
        for (var granted = QualityOfService.AtMostOnce; granted <= QualityOfService.ExactlyOnce; granted++)
            isLegal |= (bits & (1 << (int)granted)) != 0 && Lower(publication.Qos, granted) == delivery.Qos;
        if (!isLegal)
        {
            Deviate(
                Statements.DeliveryQos,
                $"retained, published {(int)publication.Qos}, delivered {(int)delivery.Qos}, granted {DescribeBits(bits)}",
                $"{Name(session)} gets retained {publication}, published at QoS {(int)publication.Qos}, at QoS {(int)delivery.Qos}; granted: {DescribeBits(bits)}"
            );
        }
        JudgeProperties(session, delivery, publication, "retained");
        // Sent again, it may have been on its way in time.
        if (!delivery.Duplicate)
            JudgeExpired(session, publication, "retained");
    }

    private static string DescribeBits(int bits) =>
        string.Join(" or ", Enumerable.Range(0, 3).Where(qos => (bits & (1 << qos)) != 0));
}
