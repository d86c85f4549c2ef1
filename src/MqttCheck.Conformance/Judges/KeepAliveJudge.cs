using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;

namespace MqttCheck.Conformance.Judges;

/// <summary>Keep alive: a connection on which nothing is sent for one and a half times its interval must end.</summary>
internal sealed class KeepAliveJudge(Judgements judgements) : Judge(judgements)
{
    private const long LimitPerSecond = 1_500_000_000;

    // A broker may look after its timers every few seconds only.
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(10);

    /// <summary>A packet is sent after a pause in which the broker may have ended the connection.</summary>
    public static void Sent(ObservedConnection connection, long nanoseconds)
    {
        if (connection.IsAccepted && connection.WasQuietAt(nanoseconds))
            connection.WasSilent = true;
        connection.LastSentNanoseconds = nanoseconds;
    }

    /// <summary>A wait is over: the connection may have been silent for too long.</summary>
    public void Waited(ObservedConnection connection)
    {
        if (connection is not { IsAccepted: true, IsClosed: false } || !IsOverdue(connection))
            return;
        Check(Statements.KeepAlive);
        connection.IsSilent = true;
    }

    /// <summary>The broker ended a connection. If it was silent for too long, that was right.</summary>
    public void ClosedByBroker(ObservedConnection connection)
    {
        if (connection is { IsAccepted: true, IsSilent: false } && IsOverdue(connection))
            Check(Statements.KeepAlive);
    }

    public static void AddOwed(ClientSession session, List<Obligation> owed)
    {
        if (session.Connection is { IsSilent: true, IsClosed: false } connection)
            owed.Add(
                new Obligation(
                    Statements.KeepAlive,
                    "connection stays",
                    $"{session.Name}'s connection is not ended, although nothing was sent on it "
                        + $"for one and a half times its keep alive of {connection.KeepAliveSeconds} s",
                    session.Client
                )
                {
                    Grace = s_grace,
                    Waive = () => connection.IsSilent = false,
                }
            );
    }

    private bool IsOverdue(ObservedConnection connection) =>
        connection.KeepAliveSeconds is > 0 and var interval
        && NowNanoseconds - connection.LastSentNanoseconds >= interval * LimitPerSecond;
}
