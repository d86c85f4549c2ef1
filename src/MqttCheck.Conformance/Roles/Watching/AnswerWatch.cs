using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>Watches a client's answers to the messages that it gets.</summary>
internal sealed class AnswerWatch(ClientJudgements judgements)
{
    /// <summary>The broker sent PUBLISH or PUBREL.</summary>
    public void Delivered(WatchedConnection connection, Packet packet, long nanoseconds)
    {
        if (packet is PublishPacket { Qos: QualityOfService.AtLeastOnce } first)
            Owe(connection, connection.AwaitsPuback, ClientStatements.Puback, first.PacketId, nanoseconds);
        else if (packet is PublishPacket { Qos: QualityOfService.ExactlyOnce } second)
            Owe(connection, connection.AwaitsPubrec, ClientStatements.Pubrec, second.PacketId, nanoseconds);
        else if (packet is PubrelPacket release)
            Owe(connection, connection.AwaitsPubcomp, ClientStatements.Pubcomp, release.PacketId, nanoseconds);
    }

    /// <summary>The client sent PUBACK, PUBREC or PUBCOMP.</summary>
    public void Answered(WatchedConnection connection, AckPacket packet)
    {
        var (awaiting, order) = packet switch
        {
            PubackPacket => (connection.AwaitsPuback, ClientStatements.PubackOrder),
            PubrecPacket => (connection.AwaitsPubrec, ClientStatements.PubrecOrder),
            _ => (connection.AwaitsPubcomp, null),
        };
        var name = Wording.Packet(packet.Type);
        var place = awaiting.IndexOf(packet.PacketId);
        if (place < 0)
        {
            NotAwaited(connection, packet, name);
            return;
        }
        judgements.Check(ClientStatements.AnswerIdentifier);
        judgements.Check(ClientStatements.AnswerByQos);
        if (order is not null)
            judgements.Demand(
                place == 0,
                order,
                "",
                Invariant($"{name} {packet.PacketId} comes before that of an earlier message")
            );
        awaiting.RemoveAt(place);
        judgements.Settle(connection, Invariant($"{packet.Type} {packet.PacketId}"));
    }

    /// <summary>A connection ended with messages that were not answered.</summary>
    public static void Ended(WatchedConnection connection)
    {
        connection.Client.Unanswered.UnionWith(connection.AwaitsPuback);
        connection.Client.Unanswered.UnionWith(connection.AwaitsPubrec);
        connection.Client.Unanswered.UnionWith(connection.AwaitsPubcomp);
    }

    private void NotAwaited(WatchedConnection connection, AckPacket packet, string name)
    {
        var identifier = packet.PacketId;
        var isOfOther = connection.AwaitsPuback.Contains(identifier) || connection.AwaitsPubrec.Contains(identifier);
        judgements.Check(ClientStatements.AnswerIdentifier);
        if (isOfOther && packet is PubackPacket or PubrecPacket)
            judgements.Deviate(
                ClientStatements.AnswerByQos,
                name,
                Invariant($"{name} {identifier} answers a message of another QoS")
            );
        // A message of the connection before may be answered on this one. "Not found" says that nothing is known.
        else if (
            !connection.Client.Unanswered.Contains(identifier)
            && packet.ReasonCode != ReasonCode.PacketIdentifierNotFound
        )
            judgements.Deviate(
                ClientStatements.AnswerIdentifier,
                name,
                Invariant($"{name} {identifier} answers nothing that was sent")
            );
    }

    private void Owe(
        WatchedConnection connection,
        List<ushort> awaiting,
        Statement statement,
        ushort identifier,
        long nanoseconds
    )
    {
        awaiting.Add(identifier);
        // The standard does not demand answers on a connection that is to be closed.
        if (connection.IsEnding)
            return;
        var answer =
            statement == ClientStatements.Puback ? PacketType.Puback
            : statement == ClientStatements.Pubrec ? PacketType.Pubrec
            : PacketType.Pubcomp;
        judgements.Owe(
            new(
                statement,
                $"no {Wording.Packet(answer)}",
                Invariant($"{Wording.Packet(answer)} {identifier} does not come")
            )
            {
                Connection = connection,
                Key = Invariant($"{answer} {identifier}"),
                SinceNanoseconds = nanoseconds,
            }
        );
    }
}
