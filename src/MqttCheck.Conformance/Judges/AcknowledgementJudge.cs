using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Judges;

/// <summary>Answers that the broker owes, whatever they answer, and the answer to PINGREQ.</summary>
internal sealed class AcknowledgementJudge(Judgements judgements, RetainedReadJudge retained, MalformedJudge malformed)
    : Judge(judgements)
{
    public static void PingreqSent(ClientSession session, ObservedConnection connection)
    {
        connection.LastSent = new(PacketType.Pingreq, "PINGREQ");
        session.Awaited.Add(
            new AwaitedAnswer(PacketType.Pingresp, 0, connection.Number, Statements.Pingresp, "", "PINGREQ")
        );
    }

    public void PingrespReceived(ClientSession session, ObservedConnection connection)
    {
        Check(Statements.Pingresp);
        session.Take(connection, PacketType.Pingresp, 0);
        // If several wait it is not known which one is answered.
        var isLast = !session.Awaited.Exists(a => a.Type == PacketType.Pingresp && a.Connection == connection.Number);
        if (connection.Defect is null && isLast)
            retained.Pinged(connection);
        malformed.Answered(session, connection);
    }

    public static void AddOwed(ClientSession session, List<Obligation> owed) =>
        owed.AddRange(
            session.Awaited.Select(awaited => new Obligation(
                awaited.Statement,
                awaited.Circumstances.Length > 0 ? $"no answer, {awaited.Circumstances}" : "no answer",
                $"{session.Name}'s {awaited.Request} is not answered by {Wording.Packet(awaited.Type)}",
                session.Client
            )
            {
                Waive = () => session.Awaited.Remove(awaited),
            })
        );
}
