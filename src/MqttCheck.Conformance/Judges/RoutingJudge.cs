using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Judges;

/// <summary>Which sessions may get a publication, and which of them must get it.</summary>
internal sealed class RoutingJudge(Judgements judgements, SharedSubscriptionJudge shared) : Judge(judgements)
{
    // A broker may notice so late that a connection has ended.
    private const long UnseenEndNanoseconds = 50_000_000;

    /// <summary>A publication may be routed from now on.</summary>
    /// <param name="publication">The publication.</param>
    /// <param name="certain">Whether the broker takes it for sure.</param>
    public void Route(Publication publication, bool certain)
    {
        foreach (var session in Run.Sessions)
        {
            foreach (var subscription in session.Subscriptions.Values)
                Widen(session, subscription, publication);
            if (session.Expected.TryGetValue(publication, out var expected))
                Demand(session, expected, certain);
        }
        shared.Route(publication, certain);
    }

    /// <summary>Notes that a subscription, or one of its variants, may bring a publication.</summary>
    public void Widen(ClientSession session, SubscriptionState subscription, Publication publication)
    {
        if (!Matches(subscription, publication))
        {
            if (publication.Topic.StartsWith('$'))
                Check(Statements.DollarTopics);
            return;
        }
        var isOwn = publication.Client == session.Client;
        // The standard does not say whether a will comes from its client.
        if (
            isOwn
            && !publication.IsWill
            && !Assumes(AssumedFaults.NoLocalIgnored)
            && subscription.Variants.TrueForAll(variant => variant.NoLocal)
        )
        {
            Check(Statements.NoLocal);
            return;
        }
        if (!session.Expected.TryGetValue(publication, out var expected))
            session.Expected.Add(
                publication,
                expected = new ExpectedDelivery(publication) { WasOffline = !session.IsOnline }
            );
        if (subscription.IsShared)
            expected.MayBeShared = true;
        else
            expected.Filters.Add(subscription.Filter);
        foreach (var variant in subscription.Variants)
        {
            expected.Allow(publication.QosAt(variant.Qos));
            if (variant.RetainAsPublished)
                expected.MayKeepRetain = true;
            else
                expected.MustKeepRetain = false;
        }
        if (Assumes(AssumedFaults.LiveFlagAny))
            (expected.MayKeepRetain, expected.MustKeepRetain) = (true, false);
        if (Assumes(AssumedFaults.QosAny))
            foreach (var qos in Enum.GetValues<QualityOfService>())
                expected.Allow(qos);
        if (!subscription.IsCertain || (isOwn && subscription.Variants.Exists(variant => variant.NoLocal)))
            expected.IsCertain = false;
    }

    private bool Matches(SubscriptionState subscription, Publication publication) =>
        TopicFilter.Matches(subscription.Plain, publication.Topic)
        || (
            Assumes(AssumedFaults.DollarMatched)
            && publication.Topic.StartsWith('$')
            && subscription.Plain[0] is '#' or '+'
            && TopicFilter.Matches(subscription.Plain, "x" + publication.Topic[1..])
        );

    // Whether the broker is assumed to lose it, or to send it in a way in which it may be lost.
    private bool IsLost(ClientSession session, ExpectedDelivery expected) =>
        expected.Publication.IsConfused
        || Assumes(AssumedFaults.MessageLost)
        || (expected.WasOffline && Assumes(AssumedFaults.QueueLost | AssumedFaults.QosAny))
        || (Assumes(AssumedFaults.ResendLost) && MayHaveBeenSentBefore(session))
        || (expected.Publication.IsWill && Assumes(AssumedFaults.WillLost | AssumedFaults.WillUntimely));

    // The connection had just ended: the message may have been sent on it, and must then be sent again.
    private bool MayHaveBeenSentBefore(ClientSession session) =>
        session.Connection is { IsClosed: true } last && NowNanoseconds - last.ClosedNanoseconds < UnseenEndNanoseconds;

    private void Demand(ClientSession session, ExpectedDelivery expected, bool certain)
    {
        var publication = expected.Publication;
        foreach (var filter in expected.Filters)
        {
            var subscription = session.Subscriptions[filter];
            if (!certain || session.Presence != Presence.Yes || !subscription.IsCertain || IsLost(session, expected))
            {
                expected.IsCertain = false;
                continue;
            }
            var variant = subscription.Variants[0];
            if (variant.NoLocal && publication.Client == session.Client)
            {
                expected.IsCertain = false;
                continue;
            }
            var qos = publication.QosAt(variant.Qos);
            if (qos == QualityOfService.AtMostOnce)
                expected.IsEachDue = false;
            if (expected.CertainQos is null || qos > expected.CertainQos)
                expected.CertainQos = qos;
            if (variant.Identifier > 0)
                expected.Identifiers.Add(variant.Identifier);
            // A server may keep clients from exchanging messages over topics that begin with $ (section 4.7.2).
            if (qos == QualityOfService.AtMostOnce || publication.Topic.StartsWith('$'))
                continue;
            if (LimitJudge.MayBeTooLarge(session, publication.Packet))
                continue;
            expected.IsDue = true;
            Check(expected.DueStatement);
            if (expected.Filters.Count > 1)
                Check(Statements.Overlap);
        }
    }
}
