using System.Diagnostics;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Judges;

/// <summary>
/// Retained messages that a subscription must bring. Each topic is a register that publications write and subscriptions
/// read.
/// </summary>
internal sealed class RetainedReadJudge(Judgements judgements) : Judge(judgements)
{
    /// <summary>A filter is subscribed: it reads every topic that it matches.</summary>
    /// <param name="session">The session.</param>
    /// <param name="subscription">The subscription to the filter.</param>
    /// <param name="subscribe">The packet.</param>
    /// <param name="place">The place of the filter in it.</param>
    public void Asked(ClientSession session, SubscriptionState subscription, SubscribePacket subscribe, int place) =>
        session.Reads.AddRange(
            Run.RetainedTopics.Where(topic => TopicFilter.Matches(subscription.Plain, topic))
                .Select(topic => ReadOf(subscription, subscribe, place, topic))
        );

    /// <summary>A message with RETAIN is published. A SUBSCRIBE that waits for its answer may see it or not.</summary>
    public void Written(Publication publication)
    {
        Run.WritesTo(publication.Topic).Add(new RetainedWrite(publication, Now));
        foreach (var read in Run.Sessions.SelectMany(session => session.Reads))
            if (read.Topic == publication.Topic)
                read.IsDue = false;
        Named(publication.Topic);
    }

    /// <summary>
    /// A topic may get a retained message from now on: a SUBSCRIBE that waits for its answer reads it.
    /// </summary>
    /// <param name="topic">The topic.</param>
    public void Named(string topic)
    {
        foreach (var session in Run.Sessions)
        foreach (var awaited in session.Awaited.Concat(session.Unanswered))
            if (awaited.Subscribe is { } subscribe)
                AddReadsBeside(session, subscribe, topic);
    }

    /// <summary>The broker has taken a publication over: from now on it is there, if it is to be retained.</summary>
    public void Taken(Publication publication)
    {
        if (!publication.Packet.Retain || publication.IsRejected)
            return;
        if (Run.WritesTo(publication.Topic).Find(write => write.Publication == publication) is { } written)
            written.End = Now;
    }

    // "When a QoS 0 message with the RETAIN flag set to 1 is received it MUST discard any message previously retained
    // for that topic" (MQTT-3.3.1-7 of 3.1.1; 5: 3.3.1-5). The answer to a PINGREQ behind it shows that it was
    // received. That is not laid down in so many words, so what follows from it counts only if it comes every time.
    public void Pinged(ObservedConnection connection)
    {
        var pinged = Run.Trace.FindLastIndex(entry =>
            entry.Connection == connection.Number && entry is { Kind: TraceKind.Sent, Packet: PingreqPacket }
        );
        foreach (var write in Run.RetainedWrites)
        {
            if (!write.IsOfQos0 || write.End is not null || write.Start > pinged)
                continue;
            if (!write.Publication.IsWill && write.Publication.Connection == connection.Number)
                write.End = Now;
        }
    }

    /// <summary>SUBACK comes: what its filters read has been there by now, or has not.</summary>
    public void Answered(ClientSession session, ushort packetId)
    {
        foreach (var read in session.Reads.Where(read => read.PacketId == packetId && read.End is null))
        {
            read.End = Now;
            if (read.IsSatisfied || read.Topic.StartsWith('$'))
                continue;
            if (!read.IsCertainlyAsked || !read.Subscription.IsCertain || read.GrantBits == 1)
                continue;
            if (session.Subscriptions.ContainsKey(read.Subscription.Filter))
                Demand(session, read);
        }
    }

    public void AddOwed(ClientSession session, List<Obligation> owed) =>
        owed.AddRange(
            session
                .Reads.Where(read => read.IsDue && !read.IsSatisfied)
                .Select(read => new Obligation(
                    read.Statement,
                    $"{Wording.Filter(read.Subscription.Filter, Version)}, topic{Wording.Levels(read.Topic)}",
                    $"{session.Name}'s subscription to {read.Subscription.Filter} "
                        + "does not bring the retained message of "
                        + $"{read.Topic}",
                    session.Client
                )
                {
                    RetainedTopic = read.NoLocal ? null : read.Topic,
                    IsMarked = session.Expected.Values.Any(expected => IsMarker(session, read, expected)),
                    Waive = () => read.IsDue = false,
                })
        );

    // A message that the client published after the read has come back, so nothing stands before it in the queue.
    private static bool IsMarker(ClientSession session, RetainedRead read, ExpectedDelivery expected) =>
        expected.Copies.Count > 0
        && expected.Publication is { IsWill: false, Packet.Retain: false } later
        && later.Client == session.Client
        && later.Topic == read.Topic
        && later.SentAt > read.End;

    private void AddReadsBeside(ClientSession session, SubscribePacket subscribe, string topic)
    {
        for (var place = 0; place < subscribe.Subscriptions.Count; place++)
        {
            var filter = subscribe.Subscriptions[place].Filter;
            if (!session.Subscriptions.TryGetValue(filter, out var subscription) || subscription.IsShared)
                continue;
            if (!TopicFilter.Matches(subscription.Plain, topic))
                continue;
            if (
                session.Reads.Exists(read =>
                    read.PacketId == subscribe.PacketId && read.Topic == topic && read.Request == place
                )
            )
                continue;
            session.Reads.Add(ReadOf(subscription, subscribe, place, topic));
        }
    }

    private RetainedRead ReadOf(SubscriptionState subscription, SubscribePacket subscribe, int place, string topic)
    {
        var request = subscribe.Subscriptions[place];
        var handling = request.RetainHandling;
        var isNew = subscription.Variants.Count == 0;
        // The same filter twice in one SUBSCRIBE replaces itself before anything is sent.
        var isOnly = subscribe.Subscriptions.Count(other => other.Filter == request.Filter) == 1;
        if (handling != RetainHandling.Send)
            Check(Statements.RetainHandling);
        return new RetainedRead(subscription, subscribe.PacketId, place, topic, Now)
        {
            IsAllowed =
                Assumes(AssumedFaults.RetainHandlingIgnored)
                || handling switch
                {
                    RetainHandling.Send => true,
                    RetainHandling.SendIfNew => subscription.MaybeAbsent || subscription.Pending > 0,
                    RetainHandling.DoNotSend => false,
                    _ => throw new UnreachableException(),
                },
            IsCertainlyAskedByDefault = handling == RetainHandling.Send,
            IsCertainlyAsked =
                isOnly && (handling == RetainHandling.Send || (handling == RetainHandling.SendIfNew && isNew)),
            IsRepeated = !isNew,
            GrantBits = (2 << (int)request.Qos) - 1,
            RetainAsPublished = request.RetainAsPublished,
            NoLocal = request.NoLocal,
            Identifier = subscribe.Properties.SubscriptionIdentifiers is [var identifier, ..] ? identifier : 0,
        };
    }

    private void Demand(ClientSession session, RetainedRead read)
    {
        if (Assumes(AssumedFaults.StoredMissing | AssumedFaults.StoredStays | AssumedFaults.StoredFlagClear))
            return;
        // A message at another quality of service may have answered an earlier subscription or this one.
        if (Assumes(AssumedFaults.QosAny) && session.Reads.Exists(other => other != read && other.Topic == read.Topic))
            return;
        if (!read.IsCertainlyAskedByDefault && Assumes(AssumedFaults.RetainHandlingIgnored))
            return;
        if (
            Assumes(AssumedFaults.StoredTouched)
            && Run.Publications.Exists(p => p.Topic == read.Topic && !p.Packet.Retain)
        )
            return;
        if (Run.Publications.Exists(publication => publication.IsConfused && publication.Packet.Retain))
            return;
        var writes = Run.WritesTo(read.Topic);
        var candidates = writes.Where(write => write.MayBeHeldAt(read.Start, writes)).ToList();
        if (
            !writes.Exists(write => write.End < read.Start)
            || !candidates.TrueForAll(write => IsHeld(session, read, write))
        )
        {
            if (candidates.Exists(write => write.IsDelete))
                Check(Statements.RetainDeleted);
            if (
                candidates.Exists(write => write is { IsOfQos0: true, End: not null })
                && writes.Exists(write => write.End < read.Start && !candidates.Contains(write))
            )
                Check(Statements.Qos0Replaces);
            return;
        }
        Check(read.Statement);
        Check(Statements.RetainUntouched);
        read.IsDue = true;
    }

    // The standard does not say whether No Local covers retained messages.
    private static bool IsHeld(ClientSession session, RetainedRead read, RetainedWrite write) =>
        !write.IsDelete
        && !(read.NoLocal && write.Publication.Client == session.Client)
        && !write.IsOfQos0
        && write.Publication is { IsRejected: false, MayExpire: false }
        && !LimitJudge.MayBeTooLarge(session, write.Publication.Packet);
}
