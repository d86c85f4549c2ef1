using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>CONNECT and its answer: which connections are accepted, refused and taken over.</summary>
internal sealed class ConnectionJudge(
    Judgements judgements,
    SessionJudge sessions,
    WillJudge wills,
    LimitJudge limits,
    MalformedJudge malformed,
    CloseJudge closes
) : Judge(judgements)
{
    // "The Server MUST allow ClientID's which are between 1 and 23 UTF-8 encoded bytes in length" (MQTT-3.1.3-5).
    private const int LongestIdentifier = 23;

    public void Opened(ClientSession session, TraceEntry entry)
    {
        var connection = new ObservedConnection(entry.Connection)
        {
            IsWebSocket = entry.Detail == "websocket",
            Previous = session.Connection,
        };
        Run.Connections.Add(entry.Connection, connection);
        // A connection that never sent a valid CONNECT has no client identifier, so it cannot be taken over.
        if (
            session.Connection is { IsClosed: false, Defect: null, IsRefused: false } old
            && !(old.IsMalformed && old.Connect is null)
        )
        {
            old.IsTakenOver = true;
            session.Displaced = old;
            connection.Displaces = old;
        }
        session.Connection = connection;
    }

    public void Sent(
        ClientSession session,
        ObservedConnection connection,
        ConnectPacket connect,
        bool withWrongPassword
    )
    {
        session.Version = connect.ProtocolVersion;
        connection.Connect = connect;
        connection.LastSent = new(PacketType.Connect, "CONNECT");
        connection.IsAnonymous = connect.ClientId.Length == 0;
        connection.MayBeRefused =
            withWrongPassword || connection.IsAnonymous || connect.ClientId.Length > LongestIdentifier;
        sessions.Expire(session, connection);
        var kind =
            $"{(connection.IsAnonymous ? "without identifier, " : "")}{(connect.CleanStart ? "clean" : "not clean")}"
            + $"{(connect.Will is null ? "" : ", with will")}{(connection.Displaces is null ? "" : ", take-over")}";
        session.Awaited.Add(
            new AwaitedAnswer(PacketType.Connack, 0, connection.Number, Statements.Connack, kind, "CONNECT")
        );
        if (connect.Will is { } will)
            wills.Left(session, connection, will);
        connection.ConnectAt = Now;
        wills.Connected(session, connection);
        if (connection.Displaces is { } displaced)
            TakeOver(session, displaced, connect.CleanStart);
        if (connect.CleanStart)
            SessionJudge.CleanStartSent(session);
    }

    public void Received(ClientSession session, ObservedConnection connection, ConnackPacket connack)
    {
        Check(Statements.OneConnack);
        Check(Statements.ConnackFirst);
        if (connection.IsAccepted || connection.IsRefused)
        {
            Deviate(Statements.OneConnack, "", $"{session.Name} got a second CONNACK");
            return;
        }
        session.Awaited.RemoveAll(awaited =>
            awaited.Connection == connection.Number && awaited.Type == PacketType.Connack
        );
        Check(Statements.Connack);
        connection.Connack = connack;
        // A client that does not wait for CONNACK cannot know the limits that CONNACK announces.
        connection.AskedUnavailable |= limits.WereExceeded(session, connection, connack);
        if (connection.IsWebSocket)
            Check(Statements.WebSocketFrames);
        if (connack.ReasonCode != ReasonCode.Success)
            Refuse(session, connection, connack);
        else if (connection.Defect is { } defect)
            malformed.Accepted(session, defect);
        // After a malformed CONNECT that the judges gave up on, the state of the broker is unknown.
        else if (connection.Connect is { } connect)
            Accept(session, connection, connect, connack);
    }

    public static void AddOwed(ClientSession session, List<Obligation> owed)
    {
        if (session.Displaced is { IsClosed: false } && session.IsOnline)
        {
            owed.Add(
                new Obligation(
                    Statements.TakeOver,
                    "old connection stays",
                    $"{session.Name}'s first connection is not ended by its second one",
                    session.Client
                )
                {
                    Waive = () => session.Displaced = null,
                }
            );
        }
        if (session.Connection is { IsRefused: true, IsClosed: false, IsLeft: false, Defect: null } refused)
        {
            owed.Add(
                new Obligation(
                    Statements.RefusedCloses,
                    "",
                    $"{session.Name}'s connection is not ended after CONNACK has refused it",
                    session.Client
                )
                {
                    Waive = () => refused.IsLeft = true,
                }
            );
        }
    }

    private void TakeOver(ClientSession session, ObservedConnection displaced, bool clean)
    {
        Check(Statements.TakeOver);
        session.LoseVolatile();
        wills.TakenOver(displaced, clean);
        sessions.TakenOver(session, displaced);
    }

    private void Accept(
        ClientSession session,
        ObservedConnection connection,
        ConnectPacket connect,
        ConnackPacket connack
    )
    {
        connection.IsAccepted = true;
        connection.AcceptedAt = Now;
        limits.Accepted(session, connection);
        if (
            Run.Sessions.Any(other =>
                other.Connection is { } last && closes.DifferenceToAnother(other, last) is not null
            )
        )
            Check(Statements.IdentifiersDiffer);
        if (connection.Displaces is { IsClosed: true } displaced)
            closes.JudgeTold(session, displaced);
        Check(Statements.ConnectionKept);
        Check(Statements.Permitted);
        if (connection.IsAnonymous)
            JudgeAnonymous(session, connect, connack);
        JudgeAssigned(session, connection, connack.Properties.AssignedClientIdentifier);
        if (IsV5)
            JudgeResponseInformation(session, connect, connack);
        sessions.Accepted(session, connection, connect, connack);
    }

    private void JudgeAnonymous(ClientSession session, ConnectPacket connect, ConnackPacket connack)
    {
        Check(Statements.EmptyIdentifier);
        if (IsV5 && string.IsNullOrEmpty(connack.Properties.AssignedClientIdentifier))
        {
            Deviate(
                Statements.EmptyIdentifier,
                "not told",
                $"{session.Name}'s CONNECT without identifier is accepted, and CONNACK does not say which one it got"
            );
        }
        else if (!IsV5 && !connect.CleanStart)
        {
            Deviate(
                Statements.EmptyIdentifier,
                "accepted",
                $"{session.Name}'s CONNECT without identifier and without clean session is accepted"
            );
        }
    }

    // A session that outlives its connection may be over, so that only connections show that an identifier is in use.
    private void JudgeAssigned(ClientSession session, ObservedConnection connection, string? assigned)
    {
        if (string.IsNullOrEmpty(assigned))
            return;
        Check(Statements.AssignedIdentifierNew);
        var other = Run.Connections.Values.FirstOrDefault(other =>
            other != connection
            && other is { IsAccepted: true, IsClosed: false, Disconnected: false, IsTakenOver: false }
            && (other.IsAnonymous ? other.Connack?.Properties.AssignedClientIdentifier : other.Connect?.ClientId)
                == assigned
        );
        if (other is not null)
            Deviate(
                Statements.AssignedIdentifierNew,
                "",
                $"{session.Name}'s CONNECT without identifier is given '{assigned}', which a connection has already"
            );
    }

    private void JudgeResponseInformation(ClientSession session, ConnectPacket connect, ConnackPacket connack)
    {
        Check(Statements.ResponseInformation);
        if (connack.Properties.ResponseInformation is not null && connect.Properties.RequestResponseInformation != true)
            Deviate(
                Statements.ResponseInformation,
                "",
                $"{session.Name}'s CONNECT does not ask for response information, and CONNACK has it"
            );
    }

    private void Refuse(ClientSession session, ObservedConnection connection, ConnackPacket connack)
    {
        connection.IsRefused = true;
        Check(Statements.RefusedNotPresent);
        Check(Statements.RefusedCloses);
        if (connack.SessionPresent)
        {
            Deviate(
                Statements.RefusedNotPresent,
                connack.ReasonCode.ToString(),
                $"{session.Name}'s CONNECT is refused with {connack.ReasonCode}, and CONNACK says that a session is "
                    + "present"
            );
        }
        // A connection that was refused takes over nothing, though the broker may have ended the earlier one before it
        // refused.
        if (connection.Displaces?.Will is { } will)
        {
            foreach (var other in Run.Sessions)
                if (other.Expected.TryGetValue(will, out var expected))
                    expected.Blur();
        }
        foreach (var publication in Run.Publications.Where(p => p.Connection == connection.Number))
        {
            Check(Statements.RefusedIgnored);
            publication.IsForbidden = true;
            Run.Reject(publication);
        }
        session.Awaited.RemoveAll(awaited => awaited.Connection == connection.Number);
        if (connection.IsAnonymous && !IsV5 && !connection.Connect!.CleanStart)
            JudgeAnonymousRefusal(session, connack.ReasonCode);
        JudgeRefusal(session, connection, connack.ReasonCode);
    }

    private void JudgeAnonymousRefusal(ClientSession session, ReasonCode reason)
    {
        Check(Statements.EmptyIdentifier);
        if (reason != ReasonCode.ClientIdentifierNotValid)
            Deviate(
                Statements.EmptyIdentifier,
                $"refused with {reason}",
                $"{session.Name}'s CONNECT without identifier and without clean session is refused with {reason}"
            );
    }

    private void JudgeRefusal(ClientSession session, ObservedConnection connection, ReasonCode reason)
    {
        if (connection.Defect is not null || connection.MayBeRefused || limits.IsRefusedForWill(connection, reason))
            return;
        // A server may keep clients from publishing to topics that begin with $ (section 4.7.2).
        if (connection.Connect?.Will?.Topic.StartsWith('$') != true)
            Deviate(
                IsBySetUp(reason) ? Statements.Permitted : Statements.Connack,
                $"refused with {reason}",
                $"{session.Name}'s CONNECT is refused with {reason}",
                mustRecur: true
            );
    }
}
