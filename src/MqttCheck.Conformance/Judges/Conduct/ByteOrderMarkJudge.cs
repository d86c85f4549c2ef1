using MqttCheck.Conformance.Model;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges.Conduct;

/// <summary>The character U+FEFF in topics, which some libraries take for a mark of the byte order and drop.</summary>
internal sealed class ByteOrderMarkJudge(Judgements judgements) : Judge(judgements)
{
    private const string Mark = "\uFEFF";

    /// <summary>A packet comes. The other judges have not seen it.</summary>
    public void Received(ClientSession session, Packet packet)
    {
        if (
            packet is not PublishPacket { Topic.Length: > 0 } delivery
            || Run.WithPayload(delivery.Payload) is not { } publication
            || !publication.Topic.Contains(Mark, StringComparison.Ordinal)
        )
            return;
        Check(Statements.ByteOrderMark);
        if (IsDropped(delivery, publication))
            Deviate(
                Statements.ByteOrderMark,
                "",
                $"{session.Name} gets {publication} under the topic {delivery.Topic}, without U+FEFF"
            );
    }

    /// <summary>Whether the topics differ in nothing but that character.</summary>
    public static bool IsDropped(PublishPacket delivery, Publication publication) =>
        delivery.Topic != publication.Topic && Without(delivery.Topic) == Without(publication.Topic);

    private static string Without(string topic) => topic.Replace(Mark, "", StringComparison.Ordinal);
}
