using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Judges.Conduct;

/// <summary>Messages of a shared subscription that a member answers with an error: no other member gets them.</summary>
internal sealed class DiscardedShareJudge(Judgements judgements) : Judge(judgements)
{
    private readonly Dictionary<Publication, (int Client, string Share)> _refused = [];

    /// <summary>A client sends an acknowledgement. The other judges have not seen it.</summary>
    public void Sent(ClientSession session, AckPacket answer)
    {
        if (
            answer is not (PubackPacket or PubrecPacket)
            || !answer.ReasonCode.IsError()
            || session.Incoming.GetValueOrDefault(answer.PacketId)?.Publication is not { } publication
            || OnlyShare(session, publication) is not { } share
        )
            return;
        Check(Statements.SharedDiscarded);
        _refused[publication] = (session.Client, share);
    }

    // "If a Client responds with a PUBACK or PUBREC containing a Reason Code of 0x80 or greater to a PUBLISH packet
    // from the Server, the Server MUST discard the Application Message and not attempt to send it to any other
    // Subscriber" (MQTT-4.8.2-6).
    public void Received(ClientSession session, Packet packet)
    {
        if (
            _refused.Count > 0
            && packet is PublishPacket publish
            && Run.WithPayload(publish.Payload) is { } publication
            && _refused.TryGetValue(publication, out var refused)
            && refused.Client != session.Client
            && OnlyShare(session, publication) == refused.Share
        )
            Deviate(
                Statements.SharedDiscarded,
                $"QoS {(int)publish.Qos}",
                $"{session.Name} gets {publication}, which another member of {refused.Share} answered with an error"
            );
    }

    // The shared subscription by which alone a session gets a message.
    private static string? OnlyShare(ClientSession session, Publication publication) =>
        session.Subscriptions.Values.Where(subscription => Takes(subscription, publication)).ToList() is [var only]
        && IsShareOf(only, publication)
        && session.Ended.Count == 0
            ? only.Filter
            : null;

    private static bool Takes(SubscriptionState subscription, Publication publication) =>
        IsShareOf(subscription, publication) || TopicFilter.Matches(subscription.Plain, publication.Topic);
}
