using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol.Defects;

namespace MqttCheck.Conformance.Judges;

/// <summary>Packets that break a rule on purpose: the broker must end the connection.</summary>
internal sealed class MalformedJudge(Judgements judgements) : Judge(judgements)
{
    public void Sent(ClientSession session, ObservedConnection connection, string defect)
    {
        Check(StatementOf(defect), defect);
        connection.Defect = defect;
        (connection.IsMalformed, connection.MalformedAt) = (true, Now);
        connection.LastSent = new(null, "malformed packet");
        if (!connection.IsAccepted)
            session.Doubt();
        // The broker may answer earlier requests, or end the connection without an answer.
        session.StopAwaiting(connection.Number);
        session.DoubtOutgoing();
        foreach (var subscription in session.Subscriptions.Values.Where(s => s.Pending > 0))
            subscription.MaybeAbsent = true;
        foreach (var read in session.Reads)
            read.IsDue = false;
    }

    /// <summary>CONNACK accepts a connection whose CONNECT breaks a rule.</summary>
    public void Accepted(ClientSession session, string defect) =>
        Deviate(StatementOf(defect), defect, $"{session.Name}'s CONNECT with {Describe(defect)}, is accepted");

    /// <summary>The broker answers what came behind the packet that had to end the connection.</summary>
    public void Answered(ClientSession session, ObservedConnection connection)
    {
        if (connection.Defect is not { } defect)
            return;
        Deviate(
            StatementOf(defect),
            defect,
            $"{session.Name}'s connection goes on after a packet with {Describe(defect)}"
        );
        connection.Defect = null;
    }

    public void AddOwed(ClientSession session, List<Obligation> owed)
    {
        if (session.Connection is { Defect: { } defect, IsClosed: false } connection)
            owed.Add(
                new Obligation(
                    StatementOf(defect),
                    defect,
                    $"{session.Name}'s connection is not ended after a packet with {Describe(defect)}",
                    session.Client
                )
                {
                    Waive = () => connection.Defect = null,
                }
            );
    }

    private Statement StatementOf(string defect) =>
        defect switch
        {
            MalformedCommand.SecondConnect => Statements.SecondConnect,
            MalformedCommand.NoConnect => Statements.FirstPacket,
            MalformedCommand.UnknownMethod => Statements.UnknownMethod,
            _ => IsV5 ? Statements.Detected : Statements.Malformed,
        };

    private string Describe(string defect)
    {
        return MalformedCommand.IsWellFormed(defect)
            ? $"the defect '{defect}'"
            : $"the defect '{defect}', which breaks {PacketDefects.Find(defect).Statement(Version)}";
    }
}
