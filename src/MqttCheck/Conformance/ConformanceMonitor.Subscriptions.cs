using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance;

/// <content>SUBSCRIBE, UNSUBSCRIBE and their answers.</content>
public sealed partial class ConformanceMonitor
{
    private void SentSubscribe(ClientSession session, ConnectionState connection, SubscribePacket subscribe)
    {
        connection.AskedUnavailable |= subscribe.Subscriptions.Any(request =>
            IsUnavailable(connection, request.Filter)
        );
        connection.LastSent =
            $"SUBSCRIBE to {DescribeFilters(subscribe.Subscriptions.Select(request => request.Filter))}";
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
        {
            var request = subscribe.Subscriptions[place];
            if (!session.Subscriptions.TryGetValue(request.Filter, out var subscription))
            {
                session.Subscriptions.Add(request.Filter, subscription = new SubscriptionState(request.Filter));
                if (
                    _publications.Exists(publication =>
                        publication is { IsOpen: false, IsDormant: false }
                        && TopicFilter.Matches(subscription.Plain, publication.Topic)
                    )
                )
                    Check(Statements.BeforeSubscription);
            }
            if (
                subscription.IsShared(_version)
                && _retained.Keys.Any(topic => TopicFilter.Matches(subscription.Plain, topic))
            )
                Check(Statements.SharedNotRetained);
            if (!subscription.IsShared(_version))
                BeginReads(
                    session,
                    subscription,
                    request,
                    subscribe.PacketId,
                    place,
                    IsOnly(subscribe, request.Filter)
                );
            subscription.Pending++;
            subscription.LastRequest = Now;
            for (var qos = QualityOfService.AtMostOnce; qos <= request.Qos; qos++)
            {
                var variant = Variant(request, qos, subscribe);
                if (!subscription.Variants.Contains(variant))
                    subscription.Variants.Add(variant);
            }
            if (subscription.IsShared(_version))
                JoinShared(subscription.Filter);
            // What is under way may be routed by the old subscription or by the new one.
            foreach (var publication in OpenPublications())
                Widen(session, subscription, publication);
            foreach (
                var expectation in session.Expectations.Values.Where(expectation =>
                    expectation.Filters.Contains(request.Filter)
                )
            )
            {
                expectation.IsCertain = false;
                expectation.MayBeVolatile |= expectation.Publication.IsOpen;
                // Routed by the new subscription it is a message of QoS 0, which may be lost.
                if (request.Qos == QualityOfService.AtMostOnce && expectation.Publication.IsOpen)
                    expectation.IsDue = false;
            }
        }
    }

    private void ReceivedSuback(ClientSession session, ConnectionState connection, SubackPacket suback)
    {
        if (Take(session, connection, PacketType.Suback, suback.PacketId) is not { Subscribe: { } subscribe })
        {
            if (connection.Defect is null)
                Deviate(
                    Statements.AnswerIdentifier,
                    "SUBACK",
                    $"{Name(session)} got SUBACK {suback.PacketId} and has no SUBSCRIBE of that identifier"
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
                $"SUBACK {suback.PacketId} has {suback.ReasonCodes.Count} codes for {subscribe.Subscriptions.Count} filters"
            );
            return;
        }
        for (var i = 0; i < suback.ReasonCodes.Count; i++)
            Answer(session, connection, subscribe, i, suback.ReasonCodes[i]);
        MakeReadsDue(session, subscribe.PacketId);
    }

    private void Answer(
        ClientSession session,
        ConnectionState connection,
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
            if (!request.Filter.StartsWith('$'))
                Deviate(
                    IsUnavailable(connection, request.Filter) ? Statements.Offered
                        : IsBySetUp(code) ? Statements.Permitted
                        : Statements.FilterAccepted,
                    $"{code}: {DescribeFilters([request.Filter])}",
                    $"{Name(session)}'s subscription to {request.Filter} fails with {code}",
                    mustRecur: true
                );
        }
        else
        {
            subscription.LastFailed = false;
            if (granted > request.Qos)
                Deviate(
                    Statements.SubackCodes,
                    $"asked {(int)request.Qos}, granted {(int)granted}",
                    $"{Name(session)} asked for QoS {(int)request.Qos} on {request.Filter} and got QoS {(int)granted}"
                );
            subscription.LastAnswer = Variant(request, granted, subscribe);
            foreach (var read in session.Reads.Where(r => r.PacketId == subscribe.PacketId && r.Request == place))
                read.GrantBits = 1 << (int)granted;
        }
        Settle(session, subscription);
    }

    // What CONNACK says is not offered may be refused in any way.
    private bool IsUnavailable(ConnectionState connection, string filter) =>
        IsV5
        && connection.Connack is { } connack
        && (
            (
                connack.Properties.SharedSubscriptionAvailable == false
                && filter.StartsWith("$share/", StringComparison.Ordinal)
            )
            || (connack.Properties.WildcardSubscriptionAvailable == false && filter.AsSpan().IndexOfAny('+', '#') >= 0)
        );

    private void SentUnsubscribe(ClientSession session, ConnectionState connection, UnsubscribePacket unsubscribe)
    {
        connection.LastSent = $"UNSUBSCRIBE of {DescribeFilters(unsubscribe.Filters)}";
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
            }
        );
        foreach (var filter in unsubscribe.Filters.Distinct())
        {
            foreach (var read in session.Reads)
                if (read.Subscription.Filter == filter)
                    read.IsDue = false;
            foreach (var expectation in session.Expectations.Values)
                if (expectation.Filters.Contains(filter))
                    expectation.Blur();
            if (!session.Subscriptions.TryGetValue(filter, out var subscription))
                continue;
            subscription.Pending++;
            subscription.LastRequest = Now;
            subscription.MaybeAbsent = true;
        }
    }

    private void ReceivedUnsuback(ClientSession session, ConnectionState connection, UnsubackPacket unsuback)
    {
        if (
            Take(session, connection, PacketType.Unsuback, unsuback.PacketId)
            is not { Unsubscribe: { } unsubscribe } awaited
        )
        {
            if (connection.Defect is null)
                Deviate(
                    Statements.AnswerIdentifier,
                    "UNSUBACK",
                    $"{Name(session)} got UNSUBACK {unsuback.PacketId} and has no UNSUBSCRIBE of that identifier"
                );
            return;
        }
        Check(Statements.Unsuback);
        if (IsV5)
        {
            Check(Statements.UnsubackCodes);
            if (unsuback.ReasonCodes.Count != unsubscribe.Filters.Count)
                Deviate(
                    Statements.UnsubackCodes,
                    "number of codes",
                    $"UNSUBACK {unsuback.PacketId} has {unsuback.ReasonCodes.Count} codes for {unsubscribe.Filters.Count} filters"
                );
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

    // When the last of several requests for a filter is answered, what holds is known again.
    private void Settle(ClientSession session, SubscriptionState subscription)
    {
        subscription.Pending = Math.Max(0, subscription.Pending - 1);
        if (subscription.Pending > 0)
            return;
        if (subscription.LastFailed)
        {
            subscription.MaybeAbsent = true;
        }
        else if (subscription.LastAnswer is { } variant)
        {
            subscription.Variants.Clear();
            subscription.Variants.Add(variant);
            subscription.MaybeAbsent = false;
        }
        else
        {
            session.Subscriptions.Remove(subscription.Filter);
            session.Ended.Add(new EndedSubscription(subscription.Filter, Now, Statements.Unsubscribed));
        }
    }

    private static SubscriptionVariant Variant(
        SubscriptionRequest request,
        QualityOfService granted,
        SubscribePacket subscribe
    ) =>
        new(
            granted,
            request.NoLocal,
            request.RetainAsPublished,
            subscribe.Properties.SubscriptionIdentifiers.Count > 0 ? subscribe.Properties.SubscriptionIdentifiers[0] : 0
        );

    private static AwaitedAnswer? Take(
        ClientSession session,
        ConnectionState connection,
        PacketType type,
        ushort packetId
    )
    {
        var index = session.Awaited.FindIndex(awaited =>
            awaited.Type == type && awaited.PacketId == packetId && awaited.Connection == connection.Number
        );
        if (index < 0)
            return null;
        var found = session.Awaited[index];
        session.Awaited.RemoveAt(index);
        return found;
    }

    private string DescribeFilters(IEnumerable<string> filters) =>
        string.Join(" and ", filters.Select(DescribeFilter).Distinct().Order(StringComparer.Ordinal));

    private string DescribeFilter(string filter)
    {
        var shared = IsV5 && filter.StartsWith("$share/", StringComparison.Ordinal) ? "shared " : "";
        var kind = filter.Contains('+', StringComparison.Ordinal)
            ? filter.Contains('#', StringComparison.Ordinal)
                ? "+ and #"
                : "+"
            : filter.Contains('#', StringComparison.Ordinal)
                ? "#"
                : "exact";
        return $"{shared}{kind} filter{DescribeLevels(shared.Length > 0 ? "" : filter)}";
    }

    // What may matter about a topic's levels and characters, apart from its name.
    private static string DescribeLevels(string topic)
    {
        var marks = new List<string>();
        if (topic.StartsWith('$'))
            marks.Add("beginning with $");
        if (topic.StartsWith('/') || topic.EndsWith('/') || topic.Contains("//", StringComparison.Ordinal))
            marks.Add("with an empty level");
        if (topic.AsSpan().IndexOfAnyExceptInRange(' ', '~') >= 0)
            marks.Add("with characters beyond ASCII");
        var special = string.Concat(
            topic.Where(c => c is ' ' or '.' or '*' or '>' or '%' or ':' or ';').Distinct().Order()
        );
        if (special.Length > 0)
            marks.Add($"with '{special}'");
        if (topic.Length > 100)
            marks.Add("that is long");
        return marks.Count == 0 ? "" : " " + string.Join(" ", marks);
    }
}
