using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>Messages from clients to the broker, and the answers by which it takes them over.</summary>
internal sealed class PublicationJudge(Judgements judgements, RoutingJudge routing, RetainedReadJudge retained)
    : Judge(judgements)
{
    public void Sent(ClientSession session, ObservedConnection connection, PublishPacket publish)
    {
        connection.LastSent = new(
            PacketType.Publish,
            $"PUBLISH of QoS {(int)publish.Qos}{(publish.Retain ? " with RETAIN" : "")} "
                + $"to a topic{Wording.Levels(publish.Topic)}"
        )
        {
            IsToBrokersTopic = publish.Topic.StartsWith('$'),
            Marks = Wording.Levels(publish.Topic),
        };
        var isAcknowledged = publish.Qos != QualityOfService.AtMostOnce;
        if (
            isAcknowledged
            && publish.Duplicate
            && session.Outgoing.TryGetValue(publish.PacketId, out var open)
            && open.Packet.Payload == publish.Payload
        )
        {
            open.IsIrregular = true;
            // Behind a CONNECT that was refused it had no effect, and now it may have.
            open.IsForbidden = false;
            open.SentAgainAt = Now;
            AwaitAnswer(session, connection, open, publish, "sent again");
            return;
        }
        publish = ResolveAlias(connection, publish);
        var publication = new Publication(Run.NextPublication, session.Client, publish, Now)
        {
            Connection = connection.Number,
        };
        Run.Register(publication);
        if (isAcknowledged)
        {
            session.Outgoing[publish.PacketId] = publication;
            AwaitAnswer(session, connection, publication, publish, publish.Retain ? "retained" : "");
        }
        else
        {
            Check(Statements.Qos0Taken);
            connection.OpenQos0 = connection.LastSent;
        }
        routing.Route(publication, certain: connection.IsAccepted);
        if (publish.Retain)
            retained.Written(publication);
    }

    public static void PubrelSent(ClientSession session, ObservedConnection connection, ushort packetId)
    {
        connection.LastSent = new(PacketType.Pubrel, "PUBREL");
        session.Outgoing.TryGetValue(packetId, out var publication);
        if (publication is not null)
            publication.IsHalf = false;
        session.Awaited.Add(
            new AwaitedAnswer(
                PacketType.Pubcomp,
                packetId,
                connection.Number,
                Statements.Pubcomp,
                "",
                $"PUBREL {packetId}"
            )
            {
                Publication = publication,
            }
        );
    }

    /// <summary>A client stops its half of an exchange: it waits for no answer, or it sends no PUBREL.</summary>
    public static void Withheld(ClientSession session, ushort packetId, bool isRelease)
    {
        if (!isRelease)
            session.Awaited.RemoveAll(a => a.PacketId == packetId && a.Type is PacketType.Puback or PacketType.Pubrec);
        if (!session.Outgoing.TryGetValue(packetId, out var publication))
            return;
        publication.IsIrregular = true;
        if (publication.Qos == QualityOfService.ExactlyOnce)
            publication.IsHalf = true;
        else if (!isRelease)
            publication.IsUncertain = true;
    }

    /// <summary>PUBACK, PUBREC or PUBCOMP comes.</summary>
    public void Answered(
        ClientSession session,
        ObservedConnection connection,
        PacketType type,
        ushort packetId,
        ReasonCode code
    )
    {
        Check(Statements.AnswerIdentifier);
        var awaited = session.Take(connection, type, packetId);
        if (
            awaited is null
            && type == PacketType.Puback
            && session.Take(connection, PacketType.Pubrec, packetId) is { } wrong
        )
        {
            Deviate(
                Statements.Pubrec,
                "answered by PUBACK",
                $"{session.Name}'s PUBLISH {packetId} of QoS 2 is answered by PUBACK"
            );
            awaited = wrong;
        }
        if (awaited is null && !session.Outgoing.ContainsKey(packetId))
        {
            // A connection whose packets broke a rule, or one that is being replaced, may answer anything that was sent
            // before.
            if (connection.Defect is not null || connection.IsTakenOver)
                return;
            Deviate(
                Statements.AnswerIdentifier,
                Wording.Packet(type),
                $"{session.Name} got {Wording.Packet(type)} {packetId} and has sent nothing that it answers"
            );
            return;
        }
        if (awaited is not null)
            Check(awaited.Statement);
        if ((awaited?.Publication ?? session.Outgoing.GetValueOrDefault(packetId)) is not { } publication)
            return;
        JudgeNoSubscribers(session, publication, packetId, type, code);
        if (code.IsError() && code != ReasonCode.PacketIdentifierNotFound)
            Refuse(session, publication, packetId, code);
        if (type == PacketType.Pubrec && !code.IsError())
            return;
        if (session.Outgoing.GetValueOrDefault(packetId) == publication)
            session.Outgoing.Remove(packetId);
        publication.TakenAt = Now;
        publication.IsUncertain = false;
        retained.Taken(publication);
    }

    private static PublishPacket ResolveAlias(ObservedConnection connection, PublishPacket publish)
    {
        if (publish.Properties.TopicAlias is not { } alias)
            return publish;
        if (publish.Topic.Length == 0)
            return publish with { Topic = connection.AliasesToServer.GetValueOrDefault(alias, "") };
        connection.AliasesToServer[alias] = publish.Topic;
        return publish;
    }

    private static void AwaitAnswer(
        ClientSession session,
        ObservedConnection connection,
        Publication publication,
        PublishPacket publish,
        string circumstances
    )
    {
        var (type, statement) =
            publish.Qos == QualityOfService.AtLeastOnce
                ? (PacketType.Puback, Statements.Puback)
                : (PacketType.Pubrec, Statements.Pubrec);
        var request = $"PUBLISH {publish.PacketId} of QoS {(int)publish.Qos}";
        session.Awaited.Add(
            new AwaitedAnswer(type, publish.PacketId, connection.Number, statement, circumstances, request)
            {
                Publication = publication,
            }
        );
    }

    private void JudgeNoSubscribers(
        ClientSession session,
        Publication publication,
        ushort packetId,
        PacketType type,
        ReasonCode code
    )
    {
        if (!IsV5 || type == PacketType.Pubcomp || publication.IsIrregular)
            return;
        // Only a delivery that must come shows that a client has certainly subscribed.
        var subscriber = Array.Find(
            Run.Sessions,
            other =>
                other.Expected.TryGetValue(publication, out var expected)
                && expected is { IsDue: true, IsCertain: true, WasOffline: false }
                && StaysConnected(other)
        );
        if (subscriber is null)
            return;
        Check(Statements.NoSubscribersTold);
        if (code == ReasonCode.NoMatchingSubscribers)
            Deviate(
                Statements.NoSubscribersTold,
                Wording.Packet(type),
                $"{session.Name}'s PUBLISH {packetId} is answered by {code}, and {subscriber.Name} has subscribed",
                mustRecur: true
            );
    }

    // An event that ends the connection may end the session too, and no client sees when the broker handles it.
    private bool StaysConnected(ClientSession session) =>
        session.IsOnline
        && session.Connection
            is {
                Disconnected: false,
                IsTakenOver: false,
                IsMalformed: false,
                AskedUnavailable: false,
                WasSilent: false
            }
        && !session.Connection.WasQuietAt(NowNanoseconds);

    private void Refuse(ClientSession session, Publication publication, ushort packetId, ReasonCode code)
    {
        Run.Reject(publication);
        // A server may keep clients from exchanging messages over topics that begin with $ (section 4.7.2).
        if (IsBySetUp(code) && !publication.Topic.StartsWith('$'))
            Deviate(
                Statements.Permitted,
                $"PUBLISH: {code}",
                $"{session.Name}'s PUBLISH {packetId} of QoS {(int)publication.Qos} is refused with {code}",
                mustRecur: true
            );
    }
}
