using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Judges;

/// <summary>SUBSCRIBE, UNSUBSCRIBE and their answers.</summary>
internal sealed class SubscriptionJudge(
    Judgements judgements,
    RoutingJudge routing,
    RetainedReadJudge retained,
    SharedSubscriptionJudge shared,
    LimitJudge limits
) : Judge(judgements)
{
    public void Sent(ClientSession session, ObservedConnection connection, SubscribePacket subscribe)
    {
        connection.AskedUnavailable |= subscribe.Subscriptions.Any(request =>
            limits.IsUnavailable(connection, request.Filter)
        );
        var filters = Wording.Filters(subscribe.Subscriptions.Select(request => request.Filter), Version);
        connection.LastSent = new(PacketType.Subscribe, $"SUBSCRIBE to {filters}")
        {
            Marks = Wording.Levels(subscribe.Subscriptions.Select(request => PlainOf(request.Filter))),
        };
        session.Awaited.Add(
            new AwaitedAnswer(
                PacketType.Suback,
                subscribe.PacketId,
                connection.Number,
                Statements.Suback,
                "",
                $"SUBSCRIBE {subscribe.PacketId}"
            )
            {
                Subscribe = subscribe,
            }
        );
        for (var place = 0; place < subscribe.Subscriptions.Count; place++)
            Ask(session, subscribe, place);
    }

    public void Received(ClientSession session, ObservedConnection connection, SubackPacket suback)
    {
        if (session.Take(connection, PacketType.Suback, suback.PacketId) is not { Subscribe: { } subscribe })
        {
            if (connection.Defect is not null)
                return;
            Deviate(
                Statements.AnswerIdentifier,
                "SUBACK",
                $"{session.Name} got SUBACK {suback.PacketId} and has no SUBSCRIBE of that identifier"
            );
            return;
        }
        Check(Statements.Suback);
        Check(Statements.SubackCodes);
        if (suback.ReasonCodes.Count != subscribe.Subscriptions.Count)
        {
            Deviate(
                Statements.SubackCodes,
                "number of codes",
                $"SUBACK {suback.PacketId} has {suback.ReasonCodes.Count} codes for {subscribe.Subscriptions.Count} "
                    + "filters"
            );
            return;
        }
        for (var i = 0; i < suback.ReasonCodes.Count; i++)
            Answer(session, connection, subscribe, i, suback.ReasonCodes[i]);
        retained.Answered(session, subscribe.PacketId);
    }

    public void Sent(ClientSession session, ObservedConnection connection, UnsubscribePacket unsubscribe)
    {
        connection.LastSent = new(
            PacketType.Unsubscribe,
            $"UNSUBSCRIBE of {Wording.Filters(unsubscribe.Filters, Version)}"
        )
        {
            Marks = Wording.Levels(unsubscribe.Filters.Select(PlainOf)),
        };
        var known = unsubscribe.Filters.Distinct().Where(session.Subscriptions.ContainsKey).ToList();
        session.Awaited.Add(
            new AwaitedAnswer(
                PacketType.Unsuback,
                unsubscribe.PacketId,
                connection.Number,
                Statements.Unsuback,
                "",
                $"UNSUBSCRIBE {unsubscribe.PacketId}"
            )
            {
                Unsubscribe = unsubscribe,
                Counted = known,
                Existed = [.. unsubscribe.Filters.Select(filter => Exists(session, unsubscribe, filter))],
            }
        );
        foreach (var filter in unsubscribe.Filters.Distinct())
        {
            foreach (var read in session.Reads.Where(read => read.Subscription.Filter == filter))
                read.IsDue = false;
            foreach (var expected in session.Expected.Values.Where(expected => expected.Filters.Contains(filter)))
                expected.Blur();
            if (!session.Subscriptions.TryGetValue(filter, out var subscription))
                continue;
            subscription.Pending++;
            subscription.LastRequest = Now;
            subscription.MaybeAbsent = true;
        }
    }

    public void Received(ClientSession session, ObservedConnection connection, UnsubackPacket unsuback)
    {
        if (
            session.Take(connection, PacketType.Unsuback, unsuback.PacketId)
            is not { Unsubscribe: { } unsubscribe } awaited
        )
        {
            if (connection.Defect is not null)
                return;
            Deviate(
                Statements.AnswerIdentifier,
                "UNSUBACK",
                $"{session.Name} got UNSUBACK {unsuback.PacketId} and has no UNSUBSCRIBE of that identifier"
            );
            return;
        }
        Check(Statements.Unsuback);
        if (IsV5)
        {
            Check(Statements.UnsubackCodes);
            if (unsuback.ReasonCodes.Count != unsubscribe.Filters.Count)
            {
                Deviate(
                    Statements.UnsubackCodes,
                    "number of codes",
                    $"UNSUBACK {unsuback.PacketId} has {unsuback.ReasonCodes.Count} codes for "
                        + $"{unsubscribe.Filters.Count} filters"
                );
            }
            else
            {
                JudgeExisted(session, unsuback, unsubscribe, awaited);
            }
        }
        foreach (var filter in awaited.Counted)
        {
            if (!session.Subscriptions.TryGetValue(filter, out var subscription))
                continue;
            Check(Statements.Unsubscribed);
            subscription.LastAnswer = null;
            subscription.LastFailed = false;
            Settle(session, subscription);
        }
    }

    private bool? Exists(ClientSession session, UnsubscribePacket unsubscribe, string filter)
    {
        if (session.Presence != Presence.Yes || unsubscribe.Filters.Count(other => other == filter) > 1)
            return null;
        // A SUBSCRIBE without an answer may take effect yet.
        if (
            session.Awaited.Exists(a => a.Type is PacketType.Suback or PacketType.Unsuback)
            || session.Unanswered.Count > 0
        )
            return null;
        if (!session.Subscriptions.TryGetValue(filter, out var subscription))
            return false;
        if (subscription.IsShared && Assumes(AssumedFaults.SharedLost))
            return null;
        return subscription.IsCertain ? true : null;
    }

    private void JudgeExisted(
        ClientSession session,
        UnsubackPacket unsuback,
        UnsubscribePacket unsubscribe,
        AwaitedAnswer awaited
    )
    {
        for (var i = 0; i < awaited.Existed.Count; i++)
        {
            if (awaited.Existed[i] is not { } existed)
                continue;
            Check(Statements.UnsubackTold);
            var code = unsuback.ReasonCodes[i];
            if (code == (existed ? ReasonCode.NoSubscriptionExisted : ReasonCode.Success))
                Deviate(
                    Statements.UnsubackTold,
                    existed ? "subscribed" : "not subscribed",
                    $"{session.Name}'s UNSUBSCRIBE of {unsubscribe.Filters[i]} is answered by {code}; it was "
                        + $"{(existed ? "" : "not ")}subscribed",
                    mustRecur: true
                );
        }
    }

    private void Ask(ClientSession session, SubscribePacket subscribe, int place)
    {
        var request = subscribe.Subscriptions[place];
        if (!session.Subscriptions.TryGetValue(request.Filter, out var subscription))
        {
            session.Subscriptions.Add(request.Filter, subscription = new SubscriptionState(request.Filter, Version));
            if (
                Run.Publications.Exists(p =>
                    p is { IsOpen: false, IsDormant: false } && TopicFilter.Matches(subscription.Plain, p.Topic)
                )
            )
                Check(Statements.BeforeSubscription);
        }
        else
        {
            subscription.IsFirstRequest = false;
        }
        var isShared = subscription.IsShared;
        if (!isShared)
            retained.Asked(session, subscription, subscribe, place);
        else if (Run.RetainedTopics.Any(topic => TopicFilter.Matches(subscription.Plain, topic)))
            Check(Statements.SharedNotRetained);
        subscription.Pending++;
        subscription.LastRequest = Now;
        for (var qos = QualityOfService.AtMostOnce; qos <= request.Qos; qos++)
        {
            var variant = Variant(request, qos, subscribe);
            if (!subscription.Variants.Contains(variant))
                subscription.Variants.Add(variant);
        }
        if (isShared)
            shared.Joined(subscription.Filter);
        // A message that is under way may be routed by the old subscription or by the new one.
        foreach (var publication in Run.OpenPublications)
            routing.Widen(session, subscription, publication);
        foreach (var expected in session.Expected.Values.Where(expected => expected.Filters.Contains(request.Filter)))
        {
            expected.IsCertain = false;
            expected.MayBeVolatile |= expected.Publication.IsOpen;
            // If the new subscription routes the message, it has QoS 0 and may be lost.
            if (request.Qos == QualityOfService.AtMostOnce && expected.Publication.IsOpen)
                expected.IsDue = false;
        }
    }

    private void Answer(
        ClientSession session,
        ObservedConnection connection,
        SubscribePacket subscribe,
        int place,
        ReasonCode code
    )
    {
        var request = subscribe.Subscriptions[place];
        if (!session.Subscriptions.TryGetValue(request.Filter, out var subscription))
            return;
        var granted = (QualityOfService)code;
        Check(Statements.FilterAccepted);
        Check(Statements.Permitted);
        if (IsV5)
            Check(Statements.Offered);
        if (code.IsError())
        {
            subscription.LastFailed = true;
            subscription.LastAnswer = null;
            if (subscription.IsFirstRequest)
                JudgeRefused(session, subscription);
            if (!request.Filter.StartsWith('$'))
                JudgeRefusal(session, connection, request.Filter, code);
        }
        else
        {
            subscription.LastFailed = false;
            if (granted > request.Qos)
            {
                Deviate(
                    Statements.SubackCodes,
                    $"asked {(int)request.Qos}, granted {(int)granted}",
                    $"{session.Name} asked for QoS {(int)request.Qos} on {request.Filter} and got QoS {(int)granted}"
                );
            }
            subscription.LastAnswer = Variant(request, granted, subscribe);
            if (!Assumes(AssumedFaults.GrantsUnknown))
                foreach (var read in session.Reads.Where(r => r.PacketId == subscribe.PacketId && r.Request == place))
                    read.GrantBits = 1 << (int)granted;
        }
        Settle(session, subscription);
    }

    // A message that it should not bring may have come before SUBACK.
    private void JudgeRefused(ClientSession session, SubscriptionState subscription)
    {
        Check(Statements.RefusedFilter);
        foreach (var read in session.Reads.Where(read => read.Subscription == subscription))
        {
            read.IsRefused = true;
            if (read.Brought is { } publication)
                Deviate(
                    Statements.RefusedFilter,
                    "retained",
                    $"{session.Name} got retained {publication} for {subscription.Filter}, which SUBACK refuses"
                );
        }
    }

    private void JudgeRefusal(ClientSession session, ObservedConnection connection, string filter, ReasonCode code)
    {
        var statement =
            limits.IsUnavailable(connection, filter) ? Statements.Offered
            : IsBySetUp(code) ? Statements.Permitted
            : Statements.FilterAccepted;
        Deviate(
            statement,
            $"{code}: {Wording.Filter(filter, Version)}",
            $"{session.Name}'s subscription to {filter} fails with {code}",
            mustRecur: true
        );
    }

    // The answer to the last of several requests for a filter makes the subscription certain again.
    private void Settle(ClientSession session, SubscriptionState subscription)
    {
        subscription.Pending = Math.Max(0, subscription.Pending - 1);
        if (subscription.Pending > 0)
            return;
        if (subscription is { LastFailed: true, IsFirstRequest: true })
        {
            session.Subscriptions.Remove(subscription.Filter);
            session.Ended.Add(new EndedSubscription(subscription.Filter, Now, Statements.RefusedFilter));
        }
        else if (subscription.LastFailed)
        {
            subscription.MaybeAbsent = true;
        }
        else if (subscription.LastAnswer is { } variant)
        {
            if (!Assumes(AssumedFaults.GrantsUnknown))
            {
                subscription.Variants.Clear();
                subscription.Variants.Add(variant);
            }
            subscription.MaybeAbsent = Assumes(AssumedFaults.GrantsUnknown | AssumedFaults.SubscriptionLost);
        }
        else if (Assumes(AssumedFaults.UnsubscribeIgnored))
        {
            subscription.MaybeAbsent = true;
        }
        else
        {
            session.Subscriptions.Remove(subscription.Filter);
            session.Ended.Add(new EndedSubscription(subscription.Filter, Now, Statements.Unsubscribed));
        }
    }

    private static string PlainOf(string filter) => new SubscriptionState(filter, ProtocolVersion.V5).Plain;

    private static SubscriptionVariant Variant(
        SubscriptionRequest request,
        QualityOfService granted,
        SubscribePacket subscribe
    )
    {
        var identifiers = subscribe.Properties.SubscriptionIdentifiers;
        var identifier = identifiers.Count > 0 ? identifiers[0] : 0;
        return new SubscriptionVariant(granted, request.NoLocal, request.RetainAsPublished, identifier);
    }
}
