using MqttCheck.Conformance.Model;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance;

/// <content>Messages that a client was not to get, and which publication a message is.</content>
public sealed partial class ConformanceMonitor
{
    private Publication? Identify(ClientSession session, PublishPacket delivery)
    {
        if (!delivery.Payload.IsEmpty)
            return _byPayload.GetValueOrDefault(delivery.Payload);
        // Empty messages of one topic cannot be told apart: the one that fits best is meant.
        Publication? best = null;
        var bestFit = -1;
        foreach (var publication in _publications)
        {
            if (
                !publication.Packet.Payload.IsEmpty
                || publication.Topic != delivery.Topic
                || publication.IsDormant
                || publication.IsForbidden
            )
                continue;
            var fit = 0;
            if (session.Expectations.TryGetValue(publication, out var expectation))
            {
                fit =
                    1
                    + (expectation.Allows(delivery.Qos) ? 4 : 0)
                    + (expectation.Copies.Count < expectation.Filters.Count + (expectation.MayBeShared ? 1 : 0) ? 8 : 0)
                    + (expectation.IsDue && expectation.Copies.Count == 0 ? 2 : 0);
            }
            if (fit > bestFit)
                (best, bestFit) = (publication, fit);
        }
        return best;
    }

    private void JudgeForeign(ClientSession session, PublishPacket delivery)
    {
        if (_names.IsOfThisRun(delivery.Payload))
        {
            Check(Statements.Payload);
            Deviate(
                Statements.Payload,
                "",
                $"{Name(session)} gets a payload that nobody published: {delivery.Payload}"
            );
        }
        // What another run publishes is that run's business.
        if (!delivery.Topic.StartsWith('$') || delivery.Topic.StartsWith("$" + _names.Family, StringComparison.Ordinal))
            return;
        Check(Statements.DollarTopics);
        if (
            session.Subscriptions.Keys.Any(filter => TopicFilter.Matches(filter, delivery.Topic))
            || session.Subscriptions.Count == 0
        )
            return;
        Deviate(
            Statements.DollarTopics,
            "topics of the broker's own",
            $"{Name(session)} gets a message on {delivery.Topic} and has no filter that begins with $"
        );
    }

    private void Unexpected(ClientSession session, PublishPacket delivery, Publication publication)
    {
        var filters = session.Subscriptions.Values.ToList();
        var what = $"{Name(session)} gets {publication}";
        var wild = filters
            .Select(s => s.Filter)
            .Concat(session.Ended.Select(e => e.Filter))
            .FirstOrDefault(filter => PlainOf(filter)[0] is '#' or '+');
        if (
            publication.Topic.StartsWith('$')
            && wild is not null
            && filters.TrueForAll(s => !TopicFilter.Matches(s.Plain, publication.Topic))
        )
        {
            Deviate(
                Statements.DollarTopics,
                DescribeFilter(wild),
                $"{what}; its filter {wild} does not match a topic that begins with $"
            );
            return;
        }
        var matching = filters.Find(s => TopicFilter.Matches(s.Plain, publication.Topic));
        if (
            matching is not null
            && publication.Client == session.Client
            && matching.Variants.TrueForAll(variant => variant.NoLocal)
        )
        {
            Deviate(
                Statements.NoLocal,
                "",
                $"{what}, its own message, although its subscription to {matching.Filter} has No Local"
            );
            return;
        }
        if (delivery.Retain && matching is not null && !publication.Packet.Retain)
        {
            Deviate(
                Statements.RetainUntouched,
                "",
                $"{what} as a retained message, although it was published without RETAIN"
            );
            return;
        }
        if (delivery.Retain && matching is not null)
        {
            Deviate(
                Statements.RetainFlagLive,
                "no subscription asked",
                $"{what} with RETAIN 1, which no subscription asked for"
            );
            return;
        }
        if (
            delivery.Retain
            && publication.Packet.Retain
            && matching is null
            && filters.Exists(s => s.LastRequest > publication.SentAt)
        )
        {
            Deviate(
                Statements.TopicMatches,
                $"retained, no matching subscription, topic{DescribeLevels(publication.Topic)}",
                $"{what} as a retained message and has no subscription that matches"
            );
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
            Deviate(
                Statements.BeforeSubscription,
                $"QoS {(int)publication.Qos}",
                $"{what}, whose publication was acknowledged before the subscription to {matching.Filter} was asked for"
            );
        }
        else if (ended is not null)
        {
            Deviate(
                ended.Statement,
                $"subscription goes on, {DescribeFilter(ended.Filter)}",
                $"{what}; its subscription to {ended.Filter} was over before"
            );
        }
        else
        {
            Deviate(
                Statements.TopicMatches,
                $"no matching subscription, topic{DescribeLevels(publication.Topic)}",
                $"{what} and has no subscription that matches"
            );
        }
    }

    // A subscription that matches only if wildcards take a topic that begins with $.
    private static bool IsForWildcardOverDollar(ClientSession session, string topic, out string filter)
    {
        filter = topic.StartsWith('$')
            ? session
                .Subscriptions.Values.Select(s => s.Plain)
                .FirstOrDefault(plain => plain[0] is '#' or '+' && TopicFilter.Matches(plain, "x" + topic[1..]))
                ?? ""
            : "";
        return filter.Length > 0;
    }

    private static string PlainOf(string filter) => new SubscriptionState(filter).Plain;
}
