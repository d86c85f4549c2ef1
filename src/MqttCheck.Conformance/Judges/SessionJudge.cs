using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>Sessions: whether the broker keeps, resumes and ends them when it must.</summary>
internal sealed class SessionJudge(Judgements judgements, LimitJudge limits) : Judge(judgements)
{
    // A broker may look for sessions that have expired every second only.
    private const long GraceNanoseconds = 2_000_000_000;

    /// <summary>CONNECT is sent: the stored session may have outlived its interval.</summary>
    public void Expire(ClientSession session, ObservedConnection connection)
    {
        if (connection.IsAnonymous || session.Presence == Presence.No || session.Displaced is not null)
            return;
        var last = Run.LastAcceptedBefore(connection);
        if (last is not { IsClosed: true, ExpirySeconds: > 0 and < uint.MaxValue and var interval })
            return;
        if (MayHaveMissedExpiry(last))
            return;
        var passed = NowNanoseconds - last.ClosedNanoseconds;
        // A later CONNECT without an answer may have created a session with an expiry interval of its own.
        if (passed >= (interval * SecondNanoseconds) + GraceNanoseconds && !Run.HasUnansweredConnect(last, connection))
        {
            End(session, Statements.SessionExpiry);
            session.HasExpired = session.Presence == Presence.No;
        }
        else if (passed >= interval * SecondNanoseconds / 2)
        {
            MayBeOver(session);
        }
    }

    /// <summary>A connection is taken over, and with it ends a session that does not outlive it.</summary>
    public void TakenOver(ClientSession session, ObservedConnection displaced)
    {
        if (!displaced.IsAccepted)
        {
            MayBeOver(session);
        }
        else if (displaced.ExpirySeconds == 0)
        {
            End(session, Statements.SessionEnds);
        }
        else
        {
            MayLose(session);
        }
    }

    /// <summary>A clean start is asked for, and the broker may have dropped the session from now on.</summary>
    public static void CleanStartSent(ClientSession session)
    {
        session.Doubt();
        foreach (var message in session.Incoming.Values)
            message.MayBeGone = true;
    }

    /// <summary>CONNACK says whether a session is present.</summary>
    public void Accepted(
        ClientSession session,
        ObservedConnection connection,
        ConnectPacket connect,
        ConnackPacket connack
    )
    {
        connection.ExpirySeconds =
            IsV5
                ? connack.Properties.SessionExpiryIntervalSeconds
                    ?? connect.Properties.SessionExpiryIntervalSeconds
                    ?? 0
            : connect.CleanStart ? 0
            : uint.MaxValue;
        if (Version != ProtocolVersion.V31)
            JudgePresent(session, connection, connect, connack);
        if (connect.CleanStart)
            End(session, Statements.CleanStart, connection.ConnectAt);
        else if (!connack.SessionPresent && Version != ProtocolVersion.V31)
            End(session, Statements.SessionEnds, connection.ConnectAt);
        // If the connection was taken over before it was accepted, a session that does not outlive it may be over.
        session.Presence = connection is { IsTakenOver: true, ExpirySeconds: 0 } ? Presence.Maybe : Presence.Yes;
        session.Unanswered.Clear();
        limits.DropTooLarge(session);
        foreach (
            var message in session.Incoming.Values.Where(message =>
                message is { IsFinished: false, IsOfReplaced: false, MayBeGone: false }
                && !Assumes(AssumedFaults.ResendLost | AssumedFaults.SessionLost)
            )
        )
        {
            // A message that is too large for this connection counts as sent, also for later ones (MQTT-3.1.2-25). Only
            // PUBREL shows that PUBREC has come.
            message.MayBeGone = !message.IsReleased && LimitJudge.MayBeTooLarge(session, message.Packet);
            if (message.MayBeGone)
                continue;
            Check(Statements.Resend);
            message.ResendDue = true;
        }
        if (session.Incoming.Values.Any(message => message.RefusedAt is not null))
            Check(Statements.RefusedNotResent);
    }

    /// <summary>The present connection has ended, and with it a session that does not outlive it.</summary>
    public void Closed(ClientSession session, ObservedConnection connection)
    {
        if (connection.IsRefused)
            return;
        if (!connection.IsAccepted)
        {
            // The broker may have handled CONNECT or not.
            session.Doubt();
            if (connection.Connect is not null)
                session.Presence = Presence.Maybe;
            // The broker may also have dropped messages that are too large for that connection.
            foreach (var message in session.Incoming.Values)
                message.MayBeGone |= LimitJudge.MayBeTooLarge(session, message.Packet);
        }
        else if (MayHaveMissedExpiry(connection))
        {
            MayBeOver(session);
        }
        else if (connection.ExpirySeconds == 0)
        {
            Check(Statements.SessionEnds);
            End(session, Statements.SessionEnds);
        }
        else
        {
            MayLose(session);
        }
    }

    private static void MayBeOver(ClientSession session)
    {
        session.Doubt();
        session.Presence = Presence.Maybe;
    }

    // The DISCONNECT with a new interval came after a silence, in which the broker may have ended the connection.
    private static bool MayHaveMissedExpiry(ObservedConnection connection) =>
        connection is { WasSilent: true, HasChangedExpiry: true };

    // A session ends, unless the broker is assumed to keep it.
    private void End(ClientSession session, Statement statement, int keepAfter = int.MaxValue)
    {
        var goesOn =
            statement == Statements.CleanStart
                ? Assumes(AssumedFaults.CleanStartIgnored)
                : Assumes(AssumedFaults.SessionOutlives | AssumedFaults.SessionLost);
        if (!goesOn)
        {
            session.EndSession(Now, statement, keepAfter);
        }
        else
        {
            MayBeOver(session);
        }
    }

    // A session outlives its connection, unless the broker is assumed to lose it, or the messages in flight.
    private void MayLose(ClientSession session)
    {
        if (Assumes(AssumedFaults.ResendLost))
            foreach (var expected in session.Expected.Values)
                expected.IsDue = false;
        if (Assumes(AssumedFaults.SessionLost))
            MayBeOver(session);
    }

    private void JudgePresent(
        ClientSession session,
        ObservedConnection connection,
        ConnectPacket connect,
        ConnackPacket connack
    )
    {
        if (connect.CleanStart)
        {
            Check(Statements.CleanNotPresent);
            if (session.Presence != Presence.No)
                Check(Statements.CleanStart);
            if (!connack.SessionPresent)
                return;
            Deviate(
                Statements.CleanNotPresent,
                "",
                $"{session.Name} asked for a clean start, and CONNACK says that a session is present"
            );
        }
        else if (session.Presence == Presence.Yes)
        {
            Check(Statements.SessionPresent);
            if (connack.SessionPresent || MayHaveExpired(connection))
                return;
            DoubtExpiry(connection);
            Deviate(
                Statements.SessionPresent,
                "stored session",
                $"{session.Name} has a stored session, and CONNACK says that none is present"
            );
        }
        else if (session.Presence == Presence.No)
        {
            var statement = session.HasExpired ? Statements.SessionExpiry : Statements.SessionAbsent;
            Check(statement);
            if (!connack.SessionPresent)
                return;
            DoubtExpiry(connection);
            Deviate(
                statement,
                session.HasExpired ? "expired session" : "no session",
                $"{session.Name} has no session, and CONNACK says that one is present"
            );
        }
    }

    // A broker may end any connection, also one whose DISCONNECT with another session expiry is under way. It goes by
    // the interval of CONNECT then (section 3.14.2.2.2), and nothing that follows is certain.
    private void DoubtExpiry(ObservedConnection connection) =>
        Run.IsDoubtful |= Run.LastAcceptedBefore(connection) is { HasChangedExpiry: true };

    // When CONNACK comes, the session may have expired before CONNECT was handled.
    // Its interval is counted from when the broker can have ended the connection before.
    private bool MayHaveExpired(ObservedConnection connection)
    {
        return Run.LastAcceptedBefore(connection) is { ExpirySeconds: > 0 and < uint.MaxValue and var interval } last
            && NowNanoseconds - EarliestEnd(last) >= interval * SecondNanoseconds / 2;
    }

    private long EarliestEnd(ObservedConnection connection)
    {
        // A connection that is taken over ended with this CONNECT, unless it had been silent for too long.
        if (connection is { IsClosedByBroker: true, IsTakenOver: false })
            return connection.LastSentNanoseconds;
        var seen = connection.IsClosed ? connection.ClosedNanoseconds : NowNanoseconds;
        if (connection.KeepAliveSeconds == 0 || connection is { IsClosedByBroker: false, IsClosed: true })
            return seen;
        return Math.Min(seen, connection.LastSentNanoseconds + (connection.KeepAliveSeconds * SecondNanoseconds));
    }
}
