using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges.Conduct;

/// <summary>
/// Counts situations that a statement of the standard is about, where other judges judge more than that one. It judges
/// nothing.
/// </summary>
internal sealed class SituationCount(Judgements judgements) : Judge(judgements)
{
    private readonly HashSet<(int Client, ushort PacketId)> _answered = [];
    private readonly HashSet<(int Client, ushort PacketId)> _again = [];
    private readonly HashSet<Publication> _underUsedIdentifier = [];

    /// <summary>A client publishes. The other judges have not seen it.</summary>
    public void Sent(ClientSession session, PublishPacket publish)
    {
        var key = (session.Client, publish.PacketId);
        if (publish.Qos != QualityOfService.AtMostOnce && _answered.Remove(key))
            _again.Add(key);
    }

    /// <summary>A packet comes. The other judges have not seen it.</summary>
    public void Received(ClientSession session, ObservedConnection connection, Packet packet)
    {
        switch (packet)
        {
            case PublishPacket publish:
                Delivered(session, connection, publish);
                break;
            case PubackPacket or PubcompPacket:
                Answered(session, (AckPacket)packet);
                break;
            case PubrelPacket pubrel:
                Released(session, pubrel.PacketId);
                break;
            case PingrespPacket when HasFullWindow(session, connection):
                Note(Statements.Pingresp, "window-full");
                break;
        }
    }

    private void Answered(ClientSession session, AckPacket answer)
    {
        var key = (session.Client, answer.PacketId);
        if (!session.Outgoing.TryGetValue(answer.PacketId, out var publication))
            return;
        _answered.Add(key);
        if (_again.Remove(key))
            _underUsedIdentifier.Add(publication);
        if (answer is PubcompPacket && HasExpired(publication))
            Note(Statements.Pubcomp, "expired");
    }

    private void Released(ClientSession session, ushort packetId)
    {
        if (
            session.Incoming.GetValueOrDefault(packetId)?.Publication is { } publication
            && !session.Subscriptions.Values.Any(subscription => Takes(subscription, publication))
        )
            Note(Statements.Pubrel, "unsubscribed");
    }

    private void Delivered(ClientSession session, ObservedConnection connection, PublishPacket delivery)
    {
        if (IsV5 && (connection.Connect?.Properties.TopicAliasMaximum ?? 0) == 0)
            Note(Statements.TopicAlias, "none-allowed");
        if (delivery.Payload.IsEmpty || Run.WithPayload(delivery.Payload) is not { } publication)
            return;
        if (delivery.Retain)
            Stored(publication);
        if (
            _underUsedIdentifier.Contains(publication)
            || _again.Contains((publication.Client, publication.Packet.PacketId))
        )
            Note(Statements.Delivered, "identifier-again");
        if (!IsV5)
            return;
        Properties(publication);
        if (publication.Packet.Properties.TopicAlias is not null)
            Note(Statements.Delivered, "by-alias");
        if (delivery is { Duplicate: true, Qos: QualityOfService.ExactlyOnce } && HasExpired(publication))
            Note(Statements.Resend, "expired");
        if (session.Subscriptions.Values.Any(subscription => IsShareOf(subscription, publication)))
            Note(Statements.DeliveryQos, "shared");
        if (IsBehindTooLarge(session, connection, publication))
            Note(Statements.Delivered, "behind-too-large");
    }

    private void Stored(Publication publication)
    {
        if (publication.IsWill)
            Note(Statements.RetainSent, "will");
        else if (
            Run.Connections.TryGetValue(publication.Connection, out var connection)
            && connection is { IsClosed: true, ExpirySeconds: 0 }
        )
            Note(Statements.RetainSent, "publisher-gone");
    }

    private void Properties(Publication publication)
    {
        var properties = publication.Packet.Properties;
        if (properties.ContentType is not null)
            Note(Statements.Forwarded, "content-type");
        if (properties.ResponseTopic is not null)
            Note(Statements.Forwarded, "response-topic");
        if (properties.CorrelationData is not null)
            Note(Statements.Forwarded, "correlation-data");
        if (properties.PayloadFormatIndicator is not null)
            Note(Statements.Forwarded, "payload-format");
        if (properties.UserProperties.Count == 0)
            return;
        Note(Statements.Forwarded, "user-properties");
        if (publication.IsWill)
            Note(Statements.Forwarded, "will");
    }

    // A message before this one matched too, and was too large for the connection.
    private static bool IsBehindTooLarge(
        ClientSession session,
        ObservedConnection connection,
        Publication publication
    ) =>
        connection.Connect?.Properties.MaximumPacketSizeBytes is { } maximum
        && session.Expected.Values.Any(expected =>
            !expected.IsDue
            && expected.Copies.Count == 0
            && expected.Publication.SentAt < publication.SentAt
            && expected.Publication.Packet.Payload.Length > maximum
        );

    private bool HasFullWindow(ClientSession session, ObservedConnection connection) =>
        IsV5
        && connection.Connect?.Properties.ReceiveMaximum is { } maximum
        && session.Incoming.Values.Count(message => message.Connection == connection.Number && !message.IsFinished)
            >= maximum;

    private static bool Takes(SubscriptionState subscription, Publication publication) =>
        IsShareOf(subscription, publication)
        || Protocol.Topics.TopicFilter.Matches(subscription.Plain, publication.Topic);

    private bool HasExpired(Publication publication) =>
        publication.ExpirySeconds is { } seconds
        && !publication.IsWill
        && NowNanoseconds - Run.Trace[publication.SentAt].Nanoseconds > seconds * SecondNanoseconds;
}
