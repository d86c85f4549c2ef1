using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Judges;

/// <summary>Messages that a client was not to get, and which publication a message is.</summary>
internal sealed class UnexpectedDeliveryJudge(Judgements judgements) : Judge(judgements)
{
    /// <summary>The publication that a message is a copy of; null if it is of nobody in this run.</summary>
    public Publication? Identify(ClientSession session, PublishPacket delivery)
    {
        if (!delivery.Payload.IsEmpty)
            return Run.WithPayload(delivery.Payload);
        // One that was published to another topic may be meant.
        if (Run.Publications.Exists(publication => publication.IsConfused && publication.Packet.Payload.IsEmpty))
            return null;
        // Empty messages of one topic cannot be told apart: the one that fits best is meant.
        Publication? best = null;
        var bestFit = -1;
        foreach (
            var publication in Run
                .Publications.Where(publication =>
                    publication.Packet.Payload.IsEmpty && publication.Topic == delivery.Topic
                )
                .Where(publication => !publication.IsDormant && !publication.IsForbidden)
        )
        {
            var fit = session.Expected.TryGetValue(publication, out var expected) ? Fit(expected, delivery.Qos) : 0;
            if (fit > bestFit)
                (best, bestFit) = (publication, fit);
        }
        return best;
    }

    /// <summary>A message comes that nobody in this run published.</summary>
    public void Foreign(ClientSession session, PublishPacket delivery)
    {
        if (Run.Names.IsOfThisRun(delivery.Payload))
        {
            Check(Statements.Payload);
            var shown = delivery.Payload.Span[..Math.Min(40, delivery.Payload.Length)];
            Deviate(
                Statements.Payload,
                "",
                $"{session.Name} gets a payload of {delivery.Payload.Length} bytes that nobody published: "
                    + Convert.ToHexString(shown)
            );
        }
        // A message that another run publishes is not judged; topics that begin with $ are the broker's own.
        if (
            !delivery.Topic.StartsWith('$')
            || delivery.Topic.StartsWith("$" + Run.Names.Family, StringComparison.Ordinal)
        )
            return;
        Check(Statements.DollarTopics);
        if (session.Subscriptions.Count == 0)
            return;
        if (!session.Subscriptions.Keys.Any(filter => TopicFilter.Matches(filter, delivery.Topic)))
            Deviate(
                Statements.DollarTopics,
                "topics of the broker's own",
                $"{session.Name} gets a message on {delivery.Topic} and has no filter that begins with $"
            );
    }

    /// <summary>A message comes that no subscription of the client explains.</summary>
    public void Delivered(ClientSession session, PublishPacket delivery, Publication publication)
    {
        var what = $"{session.Name} gets {publication}";
        var filters = session.Subscriptions.Values.ToList();
        var known = filters.Select(s => s.Filter).Concat(session.Ended.Select(e => e.Filter));
        var wild = known.FirstOrDefault(filter => PlainOf(filter)[0] is '#' or '+');
        if (
            publication.Topic.StartsWith('$')
            && wild is not null
            && filters.TrueForAll(s => !TopicFilter.Matches(s.Plain, publication.Topic))
        )
        {
            Deviate(
                Statements.DollarTopics,
                Wording.Filter(wild, Version),
                $"{what}; its filter {wild} does not match a topic that begins with $"
            );
        }
        else if (filters.Find(s => TopicFilter.Matches(s.Plain, publication.Topic)) is { } matching)
        {
            JudgeMatching(session, delivery, publication, matching, what);
        }
        else if (
            delivery.Retain
            && publication.Packet.Retain
            && filters.Exists(s => s.LastRequest > publication.SentAt)
        )
        {
            Deviate(
                Statements.TopicMatches,
                $"retained, no matching subscription, topic{Wording.Levels(publication.Topic)}",
                $"{what} as a retained message and has no subscription that matches"
            );
        }
        else
        {
            JudgeEnded(session, publication, what);
        }
    }

    private static int Fit(ExpectedDelivery expected, QualityOfService qos)
    {
        var most = expected.Filters.Count + (expected.MayBeShared ? 1 : 0);
        return 1
            + (expected.Allows(qos) ? 4 : 0)
            + (expected.Copies.Count < most ? 8 : 0)
            + (expected.IsDue && expected.Copies.Count == 0 ? 2 : 0);
    }

    // A subscription matches, and yet it does not explain the message.
    private void JudgeMatching(
        ClientSession session,
        PublishPacket delivery,
        Publication publication,
        SubscriptionState matching,
        string what
    )
    {
        if (publication.Client == session.Client && matching.Variants.TrueForAll(variant => variant.NoLocal))
        {
            Deviate(
                Statements.NoLocal,
                "",
                $"{what}, its own message, although its subscription to {matching.Filter} has No Local"
            );
        }
        else if (delivery.Retain && !publication.Packet.Retain)
        {
            Deviate(
                Statements.RetainUntouched,
                "",
                $"{what} as a retained message, although it was published without RETAIN"
            );
        }
        else if (delivery.Retain)
        {
            Deviate(
                Statements.RetainFlagLive,
                "no subscription asked",
                $"{what} with RETAIN 1, which no subscription asked for"
            );
        }
        else
        {
            Deviate(
                Statements.BeforeSubscription,
                $"QoS {(int)publication.Qos}",
                $"{what}, whose publication was acknowledged before the subscription to {matching.Filter} was asked "
                    + "for"
            );
        }
    }

    // No subscription matches, but one may have done so earlier.
    private void JudgeEnded(ClientSession session, Publication publication, string what)
    {
        var ended = session.Ended.FindLast(e => TopicFilter.Matches(PlainOf(e.Filter), publication.Topic));
        if (session.Stale.Contains(publication))
        {
            Deviate(
                ended?.Statement ?? Statements.CleanStart,
                "old message",
                $"{what}, which belongs to a session that is over"
            );
        }
        else if (ended is not null)
        {
            Deviate(
                ended.Statement,
                $"subscription goes on, {Wording.Filter(ended.Filter, Version)}",
                $"{what}; its subscription to {ended.Filter} was over before"
            );
        }
        else
        {
            Deviate(
                Statements.TopicMatches,
                $"no matching subscription, topic{Wording.Levels(publication.Topic)}",
                $"{what} and has no subscription that matches"
            );
        }
    }

    private static string PlainOf(string filter) => new SubscriptionState(filter, ProtocolVersion.V5).Plain;
}
