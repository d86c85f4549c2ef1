using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>
/// Retained messages that come: whether a subscription asked for them, and whether they were still retained.
/// </summary>
internal sealed class RetainedDeliveryJudge(
    Judgements judgements,
    SharedSubscriptionJudge shared,
    RetainedOrderJudge order,
    PropertyJudge properties,
    ExpiryJudge expiry
) : Judge(judgements)
{
    /// <summary>A message comes that was published with RETAIN.</summary>
    /// <returns>Whether it is the answer to a subscription, legal or not.</returns>
    public bool Delivered(
        ClientSession session,
        ObservedConnection connection,
        PublishPacket delivery,
        Publication publication
    )
    {
        var writes = Run.WritesTo(publication.Topic);
        var written = writes.Find(write => write.Publication == publication);
        if (written is null || written.IsDelete)
            return false;
        var reads = session
            .Reads.Where(read => read.Topic == publication.Topic && read.Start < Now && !(written.Start > read.End))
            .ToList();
        // A connection that is being replaced does not answer requests on the new one.
        if (connection.IsTakenOver && session.Connection is { ConnectAt: > 0 and var replacedAt })
        {
            reads.RemoveAll(read => read.Start > replacedAt);
            if (reads.Count == 0)
                return false;
        }
        var fitting = reads
            .Where(read => read is { IsAllowed: true, IsRefused: false } && MayBeHeld(written, read, writes))
            .ToList();
        var live = session.Expected.GetValueOrDefault(publication);
        var stored = new StoredDelivery(session, delivery, publication, writes, written, reads, fitting, live);
        if (MayBeLive(stored) || IsWithoutFlag(stored) || IsOfShared(stored))
        {
            // Nobody can tell whether it is stored, or live with RETAIN as published. So it counts as either.
            foreach (var read in fitting)
                read.IsDue = false;
            live?.Blur();
            shared.Forgive(session, publication);
            return true;
        }
        if (IsForSharedSubscription(stored))
        {
            DeviateForShared(stored);
            return true;
        }
        if (Answered(fitting, publication, delivery.Qos) is { } answered)
            return JudgeAnswer(stored, answered);
        if (!delivery.Retain)
            return false;
        return fitting.Count > 0 ? JudgeOneMore(stored) : JudgeUnasked(stored);
    }

    private bool MayBeHeld(RetainedWrite written, RetainedRead read, List<RetainedWrite> writes) =>
        Assumes(AssumedFaults.StoredStays) || written.MayBeHeldAt(read.Start, writes);

    // Whether the broker is assumed to send stored messages to shared subscriptions as well.
    private bool IsOfShared(StoredDelivery stored) =>
        Assumes(AssumedFaults.SharedStored)
        && stored.Session.Subscriptions.Values.Any(subscription => IsShareOf(subscription, stored.Publication));

    // Whether the broker is assumed to send stored messages in this way.
    private bool IsWithoutFlag(StoredDelivery stored) =>
        !stored.Delivery.Retain && stored.Fitting.Count > 0 && Assumes(AssumedFaults.StoredFlagClear);

    private static bool MayBeLive(StoredDelivery stored)
    {
        if (!stored.Delivery.Retain || stored.Live is not { MayKeepRetain: true } live)
            return false;
        return MayBeOfSharedRequest(stored)
            || stored.Fitting.Exists(read =>
                !(stored.Written.End < read.Start) || live.Copies.Count < MostLiveCopies(stored.Session, live)
            );
    }

    private bool IsForSharedSubscription(StoredDelivery stored)
    {
        var (publication, qos) = (stored.Publication, stored.Delivery.Qos);
        if (!stored.Delivery.Retain || stored.Live is { MayKeepRetain: true })
            return false;
        if (stored.Reads.Exists(read => !read.IsAllowed))
            return false;
        // A message of QoS 1 that an ordinary subscription asked for may come twice.
        if (stored.Fitting.Exists(r => r.IsSatisfied ? r.MayRepeat(publication, qos) : r.Brings(publication, qos)))
            return false;
        var isQosKnown = !Assumes(AssumedFaults.QosAny | AssumedFaults.GrantsUnknown);
        if (!isQosKnown && stored.Fitting.Exists(read => !read.IsSatisfied))
            return false;
        return MayBeOfSharedRequest(stored);
    }

    // Whether a broker that answers requests for shared subscriptions as well would send it. That is no more than a
    // SHOULD, and then nothing else that seems wrong with the message has to be.
    private static bool MayBeOfSharedRequest(StoredDelivery stored) =>
        stored.Delivery.Retain && HasShared(stored, after: stored.Written.Start);

    // Such a broker may answer them late, when the message has been replaced.
    private void DeviateUnlessShared(
        StoredDelivery stored,
        Statement statement,
        string circumstances,
        string explanation,
        bool mustRecur = false
    )
    {
        if (stored.Delivery.Retain && HasShared(stored, after: 0))
            DeviateForShared(stored);
        else
            Deviate(statement, circumstances, explanation, mustRecur);
    }

    private static bool HasShared(StoredDelivery stored, int after) =>
        stored.Session.Subscriptions.Values.Any(s => s.LastRequest > after && IsShareOf(s, stored.Publication));

    private void DeviateForShared(StoredDelivery stored) =>
        Deviate(
            Statements.SharedNotRetained,
            "",
            $"{stored.Session.Name} gets retained {stored.Publication} for a shared subscription"
        );

    // Reads with a known grant come first. A possible repetition does not use up a read with an unknown grant.
    private static RetainedRead? Answered(List<RetainedRead> fitting, Publication publication, QualityOfService qos)
    {
        var known = fitting.Find(read => !read.IsSatisfied && read.End is not null && read.Brings(publication, qos));
        if (known is not null)
            return known;
        if (fitting.Exists(read => read.IsSatisfied && read.MayRepeat(publication, qos)))
            return null;
        return fitting.Find(read => !read.IsSatisfied && read.Brings(publication, qos))
            ?? fitting.Find(read => !read.IsSatisfied);
    }

    private bool JudgeAnswer(StoredDelivery stored, RetainedRead read)
    {
        var (session, delivery) = (stored.Session, stored.Delivery);
        // Without the flag it is the answer to a subscription only if nothing else explains it.
        if (!delivery.Retain && stored.Live is not null)
            return false;
        Check(Statements.RetainFlagOnStored);
        if (!delivery.Retain)
        {
            var filter = read.Subscription.Filter;
            Deviate(
                Statements.RetainFlagOnStored,
                $"{(read.RetainAsPublished ? "retain as published, " : "")}{Wording.Filter(filter, Version)}",
                $"{session.Name}'s subscription to {filter} brings {stored.Publication} with RETAIN 0"
            );
        }
        if (stored is { Live: null, Fitting.Count: 1 } && !MayBeOfSharedRequest(stored))
            properties.JudgeStoredIdentifier(session, delivery, stored.Publication, read);
        var start = stored.Fitting.Where(r => !r.IsSatisfied).Min(r => r.Start);
        Satisfy(stored, read);
        if (delivery is { Retain: true, Duplicate: false })
            order.Read(session, stored.Writes, stored.Written, start);
        return true;
    }

    private bool JudgeOneMore(StoredDelivery stored)
    {
        var (session, publication, qos) = (stored.Session, stored.Publication, stored.Delivery.Qos);
        var isRepeated = stored.Fitting.Exists(read => read.MayRepeat(publication, qos));
        if (isRepeated)
        {
            // It may be the one, the other or one more for a SUBSCRIBE without an answer: nobody can tell.
            stored.Live?.Blur();
            return true;
        }
        if (stored.Live is { MayKeepRetain: true })
            return false;
        if (session.WildcardOverDollar(publication.Topic) is { } wild)
        {
            DeviateUnlessShared(
                stored,
                Statements.DollarTopics,
                Wording.Filter(wild, Version),
                $"{session.Name} gets retained {publication} also for its filter {wild}, "
                    + "which does not match a topic that begins with $"
            );
        }
        else if (stored.IsForbidden)
        {
            DeviateUnlessShared(
                stored,
                Statements.RetainHandling,
                "",
                $"{session.Name} gets retained {publication} once more than retain handling allows"
            );
        }
        else
        {
            DeviateUnlessShared(
                stored,
                Statements.OneCopy,
                $"retained, QoS {(int)qos}",
                $"{session.Name} gets retained {publication} once more than it has subscriptions that ask for it"
            );
        }
        return true;
    }

    private bool JudgeUnasked(StoredDelivery stored)
    {
        var (session, publication) = (stored.Session, stored.Publication);
        if (stored.Live is null && stored.Reads.Find(read => read.IsRefused) is { } refused)
        {
            DeviateUnlessShared(
                stored,
                Statements.RefusedFilter,
                "retained",
                $"{session.Name} gets retained {publication} for {refused.Subscription.Filter}, which was refused"
            );
            return true;
        }
        if (stored.Live is { } live && (live.MayKeepRetain || live.Copies.Count == 0))
            return false;
        if (stored.IsForbidden)
        {
            DeviateUnlessShared(
                stored,
                Statements.RetainHandling,
                "",
                $"{session.Name} gets retained {publication}, although its retain handling forbids it"
            );
            return true;
        }
        if (stored.Reads.Count == 0)
            return false;
        var last = stored.Reads[^1];
        // A filter that was refused may have brought it beside a live copy: nothing has replaced it.
        if (stored.Writes.Find(write => write.Start > stored.Written.End && write.End < last.Start) is not { } next)
            return false;
        var statement =
            next.IsDelete ? Statements.RetainDeleted
            : next.IsOfQos0 ? Statements.Qos0Replaces
            : Statements.RetainKept;
        var how = next.IsDelete ? "deleted" : "replaced";
        var filter = last.Subscription.Filter;
        Check(statement);
        DeviateUnlessShared(
            stored,
            statement,
            $"old message, {how} at QoS {(int)next.Publication.Qos}, {Wording.Filter(filter, Version)}",
            $"{session.Name}'s subscription to {filter} brings {publication}, which was {how} before",
            mustRecur: next.IsOfQos0
        );
        last.IsSatisfied = true;
        return true;
    }

    private void Satisfy(StoredDelivery stored, RetainedRead read)
    {
        var (session, delivery, publication) = (stored.Session, stored.Delivery, stored.Publication);
        read.IsSatisfied = true;
        if (stored is { Fitting.Count: 1, Live: null } && !MayBeOfSharedRequest(stored))
            read.Brought = publication;
        // Overlapping filters of one SUBSCRIBE strictly get one message each; one for all of them is tolerated.
        foreach (var other in session.Reads.Where(other => other.Topic == read.Topic))
            other.IsDue = false;
        Check(Statements.DeliveryQos);
        var bits = session.Reads.Where(r => r.Topic == read.Topic).Aggregate(0, (all, r) => all | r.GrantBits);
        if (!publication.MayComeAt(delivery.Qos, bits) && !Assumes(AssumedFaults.QosAny))
        {
            var granted = Wording.QosBits(bits);
            DeviateUnlessShared(
                stored,
                Statements.DeliveryQos,
                $"retained, published {(int)publication.Qos}, delivered {(int)delivery.Qos}, granted {granted}",
                $"{session.Name} gets retained {publication}, published at QoS {(int)publication.Qos}, "
                    + $"at QoS {(int)delivery.Qos}; granted: {granted}"
            );
        }
        properties.Delivered(session, delivery, publication, "retained");
        expiry.JudgeInterval(session, delivery, publication);
        // A message that was sent again may have been on its way in time.
        if (!delivery.Duplicate)
            expiry.JudgeExpired(session, publication, "retained");
    }

    // One for each ordinary filter, and one for each shared one.
    private static int MostLiveCopies(ClientSession session, ExpectedDelivery live)
    {
        return !live.MayBeShared
            ? live.Filters.Count
            : live.Filters.Count + session.Subscriptions.Values.Count(s => IsShareOf(s, live.Publication));
    }

    // A delivery of a message that is or was retained on its topic, with the reads that it may answer.
    private sealed record StoredDelivery(
        ClientSession Session,
        PublishPacket Delivery,
        Publication Publication,
        List<RetainedWrite> Writes,
        RetainedWrite Written,
        List<RetainedRead> Reads,
        List<RetainedRead> Fitting,
        ExpectedDelivery? Live
    )
    {
        // Whether a subscription reads it whose retain handling forbids that.
        public bool IsForbidden => Reads.Exists(read => !read.IsAllowed && Written.MayBeHeldAt(read.Start, Writes));
    }
}
