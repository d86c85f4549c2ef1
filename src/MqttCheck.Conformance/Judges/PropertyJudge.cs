using System.Globalization;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>Properties of deliveries: those of the publication, and the identifiers of subscriptions.</summary>
internal sealed class PropertyJudge(Judgements judgements) : Judge(judgements)
{
    /// <summary>A message comes: the properties that its publisher gave it must be unchanged.</summary>
    /// <param name="session">Who gets it.</param>
    /// <param name="delivery">The packet that was delivered.</param>
    /// <param name="publication">The message.</param>
    /// <param name="how">How it came.</param>
    public void Delivered(ClientSession session, PublishPacket delivery, Publication publication, string how)
    {
        if (!IsV5)
            return;
        Check(Statements.Forwarded);
        var (sent, received) = (publication.Packet.Properties, delivery.Properties);
        var changed = new List<string>();
        if (sent.ContentType != received.ContentType)
            changed.Add("content type");
        if (sent.ResponseTopic != received.ResponseTopic)
            changed.Add("response topic");
        if (sent.CorrelationData != received.CorrelationData)
            changed.Add("correlation data");
        if (sent.UserProperties != received.UserProperties)
            changed.Add("user properties");
        if (FormatOf(sent) != FormatOf(received))
            changed.Add("payload format");
        if (changed.Count == 0)
            return;
        var names = string.Join(", ", changed);
        Deviate(
            Statements.Forwarded,
            $"{how}{(publication.IsWill ? " will" : "")}: {names}",
            $"{session.Name} gets {publication} with changed {names}"
        );
    }

    /// <summary>A message comes live: it must carry the identifiers of the subscriptions that it answers.</summary>
    public void JudgeIdentifiers(ClientSession session, PublishPacket delivery, ExpectedDelivery expected)
    {
        if (!IsV5)
            return;
        if (expected is { MayBeShared: true, Filters.Count: 0 })
            JudgeSharedIdentifier(session, delivery, expected);
        if (!expected.IsCertain || expected.MayBeShared)
            return;
        var (asked, filters) = (expected.Identifiers, expected.Filters.Count);
        var received = delivery.Properties.SubscriptionIdentifiers;
        if (asked.Count == 0 && received.Count == 0)
            return;
        Check(Statements.SubscriptionIdentifiers);
        expected.ReceivedIdentifiers.UnionWith(received);
        if (asked.Distinct().Count() > 1)
            Check(Statements.AllIdentifiers);
        var isMerged = received.Order().SequenceEqual(asked.Order());
        var isSeparate =
            filters > 1
            && received.Count switch
            {
                0 => asked.Count < filters,
                1 => asked.Contains(received[0]),
                _ => false,
            };
        if (!isMerged && !isSeparate)
            Deviate(
                Statements.SubscriptionIdentifiers,
                $"{filters} filters, {asked.Count} identifiers, {received.Count} received",
                $"{session.Name} gets {expected.Publication} with subscription identifiers {received}; "
                    + $"its subscriptions have [{string.Join(", ", asked)}]"
            );
    }

    /// <summary>
    /// A stored message answers a subscription: it must carry the identifier of that, and may carry those of others.
    /// </summary>
    public void JudgeStoredIdentifier(
        ClientSession session,
        PublishPacket delivery,
        Publication publication,
        RetainedRead read
    )
    {
        if (!IsV5 || read.Identifier == 0)
            return;
        Check(Statements.SubscriptionIdentifiers);
        if (!delivery.Properties.SubscriptionIdentifiers.Contains(read.Identifier))
            Deviate(
                Statements.SubscriptionIdentifiers,
                "retained",
                $"{session.Name} gets retained {publication} without subscription identifier {read.Identifier}"
            );
    }

    // A delivery by a shared subscription alone must carry exactly its identifier, or none if it has none.
    private void JudgeSharedIdentifier(ClientSession session, PublishPacket delivery, ExpectedDelivery expected)
    {
        var matching = session.Subscriptions.Values.Where(s => IsShareOf(s, expected.Publication)).ToList();
        if (matching is not [{ IsCertain: true } only] || only.LastRequest > expected.Publication.SentAt)
            return;
        // A message that waited may have been routed by a subscription that has ended since.
        if (session.Ended.Any(ended => ended.EndedAt > expected.Publication.SentAt))
            return;
        var asked = only.Variants[0].Identifier;
        var received = delivery.Properties.SubscriptionIdentifiers;
        if (asked == 0 && received.Count == 0)
            return;
        Check(Statements.SubscriptionIdentifiers);
        if (asked == 0 ? received.Count == 0 : received is [var identifier] && identifier == asked)
            return;
        Deviate(
            Statements.SubscriptionIdentifiers,
            $"shared, {received.Count} received",
            $"{session.Name} gets {expected.Publication} with subscription identifiers {received}; "
                + $"its shared subscription has {(asked == 0 ? "none" : asked.ToString(CultureInfo.InvariantCulture))}"
        );
    }

    private static PayloadFormat FormatOf(PacketProperties properties) =>
        properties.PayloadFormatIndicator ?? PayloadFormat.Bytes;
}
