using MqttCheck.Conformance.Commands;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Defects;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance;

/// <content>Connections, sessions and wills.</content>
public sealed partial class ConformanceMonitor
{
    private void Opened(ClientSession session, TraceEntry entry)
    {
        var connection = new ConnectionState(entry.Connection)
        {
            IsWebSocket = entry.Detail == "websocket",
            Previous = session.Connection,
        };
        _connections.Add(entry.Connection, connection);
        // What never sent a valid CONNECT has no client identifier.
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

    private void Sent(ClientSession session, ConnectionState connection, Packet packet, string detail)
    {
        switch (packet)
        {
            case ConnectPacket connect:
                connection.MayBeRefused = detail == TraceEntry.WrongPassword;
                SentConnect(session, connection, connect);
                break;
            case PublishPacket publish:
                SentPublish(session, connection, publish);
                break;
            case PubrelPacket pubrel:
                SentPubrel(session, connection, pubrel.PacketId);
                break;
            case SubscribePacket subscribe:
                SentSubscribe(session, connection, subscribe);
                break;
            case UnsubscribePacket unsubscribe:
                SentUnsubscribe(session, connection, unsubscribe);
                break;
            case PubackPacket or PubrecPacket or PubcompPacket:
                SentAcknowledgement(session, connection, packet);
                break;
            case PingreqPacket:
                connection.LastSent = "PINGREQ";
                session.Awaited.Add(
                    new AwaitedAnswer(PacketType.Pingresp, 0, connection.Number, Statements.Pingresp, "", "PINGREQ")
                );
                break;
            case DisconnectPacket disconnect:
                SentDisconnect(session, connection, disconnect);
                break;
        }
    }

    private void SentConnect(ClientSession session, ConnectionState connection, ConnectPacket connect)
    {
        connection.Connect = connect;
        connection.LastSent = "CONNECT";
        connection.IsAnonymous = connect.ClientId.Length == 0;
        connection.MayBeRefused |= connection.IsAnonymous;
        ExpireSession(session, connection);
        var kind =
            $"{(connection.IsAnonymous ? "without identifier, " : "")}{(connect.CleanStart ? "clean" : "not clean")}{(connect.Will is null ? "" : ", with will")}{(connection.Displaces is null ? "" : ", take-over")}";
        session.Awaited.Add(
            new AwaitedAnswer(PacketType.Connack, 0, connection.Number, Statements.Connack, kind, "CONNECT")
        );
        if (connect.Will is { } will)
        {
            var message = new PublishPacket
            {
                Topic = will.Topic,
                Payload = will.Payload,
                Qos = will.Qos,
                Retain = will.Retain,
                Properties = will.Properties,
            };
            connection.Will = new Publication(_publications.Count, session.Client, message, Now)
            {
                IsWill = true,
                IsDormant = true,
            };
            Register(connection.Will);
            if (will.Retain)
                RetainedOf(will.Topic);
        }
        connection.ConnectAt = Now;
        JudgeDelayedWill(session, connection);
        if (connection.Displaces is { } displaced)
            TakeOver(session, displaced, connect.CleanStart);
        if (!connect.CleanStart)
            return;
        Doubt(session);
        foreach (var message in session.Incoming.Values)
            message.MayBeGone = true;
    }

    // The old connection ends, and with it a session that does not outlive it.
    private void TakeOver(ClientSession session, ConnectionState displaced, bool clean)
    {
        Check(Statements.TakeOver);
        session.LoseVolatile();
        // A session that goes on keeps a will that waits from being published (5: 3.1.3-9).
        if (WillDelaySeconds(displaced) > 0 && !clean)
            CancelWill(displaced);
        else
            ReleaseWill(displaced, endsSession: clean, byConnection: true);
        if (!displaced.IsAccepted)
        {
            Doubt(session);
            session.Presence = Presence.Maybe;
        }
        else if (displaced.ExpirySeconds == 0)
        {
            session.EndSession(Now, Statements.SessionEnds, keepAfter: int.MaxValue);
        }
    }

    private void SentDisconnect(ClientSession session, ConnectionState connection, DisconnectPacket disconnect)
    {
        connection.LastSent = "DISCONNECT";
        (connection.Disconnected, connection.DisconnectedAt) = (true, Now);
        if (disconnect.Properties.SessionExpiryIntervalSeconds is { } expiry)
            connection.ExpirySeconds = expiry;
        session.StopAwaiting(connection.Number);
        session.LoseVolatile();
        foreach (var publication in session.Outgoing.Values)
            publication.IsUncertain = true;
        if (disconnect.ReasonCode != ReasonCode.Success)
            ReleaseWill(connection);
        else if (connection.Will is not null)
            Check(Statements.WillDiscarded);
    }

    private void SentMalformed(ClientSession session, ConnectionState connection, string defect)
    {
        Check(MalformedStatement(defect));
        connection.Defect = defect;
        connection.IsMalformed = true;
        connection.LastSent = "malformed packet";
        if (!connection.IsAccepted)
            Doubt(session);
        // What was asked before may be answered or not.
        session.StopAwaiting(connection.Number);
        foreach (var publication in session.Outgoing.Values)
            publication.IsUncertain = true;
        foreach (var subscription in session.Subscriptions.Values.Where(s => s.Pending > 0))
            subscription.MaybeAbsent = true;
        foreach (var read in session.Reads)
            read.IsDue = false;
    }

    private void ReceivedConnack(ClientSession session, ConnectionState connection, ConnackPacket connack)
    {
        Check(Statements.OneConnack);
        Check(Statements.ConnackFirst);
        if (connection.IsAccepted || connection.IsRefused)
        {
            Deviate(Statements.OneConnack, "", $"{Name(session)} got a second CONNACK");
            return;
        }
        session.Awaited.RemoveAll(awaited =>
            awaited.Connection == connection.Number && awaited.Type == PacketType.Connack
        );
        Check(Statements.Connack);
        connection.Connack = connack;
        // What was sent without waiting for CONNACK could not know what it says.
        connection.AskedUnavailable |=
            session.Awaited.Any(a =>
                a.Subscribe is { } s && s.Subscriptions.Any(request => IsUnavailable(connection, request.Filter))
            )
            || (
                connack.Properties.SubscriptionIdentifierAvailable == false
                && session.Awaited.Any(a => a.Subscribe is { Properties.SubscriptionIdentifiers.Count: > 0 })
            )
            || ExceedsLimits(connection, connack);
        if (connection.IsWebSocket)
            Check(Statements.WebSocketFrames);
        if (connack.ReasonCode != ReasonCode.Success)
        {
            Refused(session, connection, connack);
            if (
                connection.Defect is null
                && !connection.MayBeRefused
                && !IsRefusedForWill(connection, connack.ReasonCode)
                && connection.Connect?.Will?.Topic.StartsWith('$') != true
            )
                Deviate(
                    IsBySetUp(connack.ReasonCode) ? Statements.Permitted : Statements.Connack,
                    $"refused with {connack.ReasonCode}",
                    $"{Name(session)}'s CONNECT is refused with {connack.ReasonCode}",
                    mustRecur: true
                );
            return;
        }
        if (connection.Defect is { } defect)
        {
            Deviate(
                MalformedStatement(defect),
                defect,
                $"{Name(session)}'s CONNECT with {DescribeDefect(defect)}, is accepted"
            );
            return;
        }
        // A malformed CONNECT that was given up on before: what it makes the broker think is not known.
        if (connection.Connect is null)
            return;
        connection.IsAccepted = true;
        connection.AcceptedAt = Now;
        _limits = connack.Properties;
        JudgeWillWithinLimits(session, connection);
        if (connection.Displaces is { IsClosed: true } displaced)
            JudgeTold(session, displaced);
        Check(Statements.ConnectionKept);
        Check(Statements.Permitted);
        var connect = connection.Connect!;
        if (connection.IsAnonymous)
            JudgeAnonymous(session, connect, connack);
        connection.ExpirySeconds =
            IsV5
                ? connack.Properties.SessionExpiryIntervalSeconds
                    ?? connect.Properties.SessionExpiryIntervalSeconds
                    ?? 0
            : connect.CleanStart ? 0
            : uint.MaxValue;
        JudgeSessionPresent(session, connection, connect, connack);
        if (connect.CleanStart)
            session.EndSession(Now, Statements.CleanStart, connection.ConnectAt);
        else if (!connack.SessionPresent && _version != ProtocolVersion.V31)
            session.EndSession(Now, Statements.SessionEnds, connection.ConnectAt);
        // Taken over before it was accepted, a session that does not outlive its connection may be over already.
        session.Presence = connection is { IsTakenOver: true, ExpirySeconds: 0 } ? Presence.Maybe : Presence.Yes;
        session.Unanswered.Clear();
        DropTooLarge(session);
        foreach (
            var message in session.Incoming.Values.Where(m =>
                m is { IsFinished: false, IsOfReplaced: false, MayBeGone: false }
                && (m.IsAcknowledged || !MayBeTooLarge(session, m.Packet))
            )
        )
        {
            Check(Statements.Resend);
            message.ResendDue = true;
        }
    }

    private void JudgeSessionPresent(
        ClientSession session,
        ConnectionState connection,
        ConnectPacket connect,
        ConnackPacket connack
    )
    {
        if (_version == ProtocolVersion.V31)
            return;
        if (connect.CleanStart)
        {
            Check(Statements.CleanNotPresent);
            if (session.Presence != Presence.No)
                Check(Statements.CleanStart);
            if (connack.SessionPresent)
                Deviate(
                    Statements.CleanNotPresent,
                    "",
                    $"{Name(session)} asked for a clean start, and CONNACK says that a session is present"
                );
        }
        else if (session.Presence == Presence.Yes)
        {
            Check(Statements.SessionPresent);
            if (!connack.SessionPresent && !MayHaveExpired(connection))
                Deviate(
                    Statements.SessionPresent,
                    "stored session",
                    $"{Name(session)} has a stored session, and CONNACK says that none is present"
                );
        }
        else if (session.Presence == Presence.No)
        {
            var statement = session.HasExpired ? Statements.SessionExpiry : Statements.SessionAbsent;
            Check(statement);
            if (connack.SessionPresent)
                Deviate(
                    statement,
                    session.HasExpired ? "expired session" : "no session",
                    $"{Name(session)} has no session, and CONNACK says that one is present"
                );
        }
    }

    private void ReceivedDisconnect(ClientSession session, ConnectionState connection, DisconnectPacket disconnect)
    {
        Check(Statements.LegalDisconnect);
        connection.EndedBySetUp = IsBySetUp(disconnect.ReasonCode);
        connection.ToldReason ??= disconnect.ReasonCode;
        if (!connection.IsAccepted)
            Deviate(
                Statements.LegalDisconnect,
                "before CONNACK",
                $"{Name(session)} got DISCONNECT ({disconnect.ReasonCode}) before CONNACK"
            );
    }

    private void Closed(ClientSession session, ConnectionState connection, bool byBroker, string detail)
    {
        if (connection.IsClosed)
            return;
        connection.IsClosed = true;
        connection.ClosedNanoseconds = NowNanoseconds;
        connection.IsClosedByBroker = byBroker;
        if (byBroker)
            JudgeClose(session, connection, detail);
        // A broker that ends a silent connection in time has been judged too.
        if (
            byBroker
            && connection is { IsAccepted: true, IsSilent: false, KeepAliveSeconds: > 0 and var interval }
            && NowNanoseconds - connection.LastSentNanoseconds >= interval * 1_500_000_000L
        )
            Check(Statements.KeepAlive);
        if (session.Displaced == connection && session.IsOnline)
            JudgeTold(session, connection);
        LeaveShared(session, connection);
        session.StopAwaiting(connection.Number);
        if (session.Displaced == connection)
            session.Displaced = null;
        // The end of an earlier connection does not touch the present one.
        if (session.Connection != connection)
            return;
        session.LoseVolatile();
        foreach (var publication in session.Outgoing.Values)
            publication.IsUncertain = true;
        foreach (var subscription in session.Subscriptions.Values)
            subscription.Pending = 0;
        foreach (var read in session.Reads)
            read.IsDue = false;
        // Nobody subscribes while everybody waits: what a client's silence ends is certain.
        if (!connection.Disconnected)
            ReleaseWill(
                connection,
                certain: !byBroker
                    || (connection.IsSilent && !_sessions.Any(s => s.Awaited.Exists(a => a.Type == PacketType.Suback)))
            );
        if (connection.IsRefused)
            return;
        if (!connection.IsAccepted)
        {
            // The broker may have handled CONNECT or not.
            Doubt(session);
            if (connection.Connect is not null)
                session.Presence = Presence.Maybe;
        }
        else if (connection.ExpirySeconds == 0)
        {
            Check(Statements.SessionEnds);
            session.EndSession(Now, Statements.SessionEnds, keepAfter: int.MaxValue);
        }
    }

    private void JudgeClose(ClientSession session, ConnectionState connection, string detail)
    {
        if (connection.IsWebSocket && detail.Contains("WebSocket", StringComparison.Ordinal))
            Deviate(Statements.WebSocketFrames, "", $"{Name(session)}'s connection: {detail}");
        if (
            connection.Disconnected
            || connection.IsTakenOver
            || connection.IsRefused
            || connection.Defect is not null
            || connection.AskedUnavailable
        )
            return;
        if (connection.MayBeRefused && !connection.IsAccepted)
            return;
        if (connection.WasSilent)
            return;
        if (
            connection.KeepAliveSeconds > 0
            && NowNanoseconds - connection.LastSentNanoseconds >= connection.KeepAliveSeconds * (long)TickNanoseconds
        )
            return;
        if (connection.LastSent.EndsWith("topic beginning with $", StringComparison.Ordinal))
            return;
        // A PUBLISH of QoS 0 has no answer: the end comes with the PINGREQ behind it.
        var isQos0 =
            connection.OpenQos0 is not null
            && (connection.LastSent == "PINGREQ" || connection.LastSent == connection.OpenQos0);
        var cause = isQos0 ? connection.OpenQos0! : connection.LastSent;
        var isAcknowledgement = cause is "PUBACK" or "PUBREC" or "PUBCOMP";
        var statement =
            connection.EndedBySetUp ? Statements.Permitted
            : isQos0 ? Statements.Qos0Taken
            : isAcknowledgement ? Statements.ConnectionKept
            : session.Awaited.Find(awaited => awaited.Connection == connection.Number)?.Statement
                ?? Statements.ConnectionKept;
        Deviate(
            statement,
            $"connection closed after {cause}",
            $"the broker closed {Name(session)}'s connection after {cause}{(detail.Length > 0 ? $" ({detail})" : "")}",
            mustRecur: true
        );
    }

    // Reasons that have to do with who the client is and what it may do, and not with what it sent.
    private static bool IsBySetUp(ReasonCode code) =>
        code
            is ReasonCode.NotAuthorized
                or ReasonCode.BadUserNameOrPassword
                or ReasonCode.Banned
                or ReasonCode.QuotaExceeded
                or ReasonCode.AdministrativeAction
                or ReasonCode.MessageRateTooHigh
                or ReasonCode.ConnectionRateExceeded
                or ReasonCode.UseAnotherServer
                or ReasonCode.ServerMoved;

    // Whether the session and what belongs to it still exists is not known.
    private static void Doubt(ClientSession session)
    {
        foreach (var subscription in session.Subscriptions.Values)
            subscription.MaybeAbsent = true;
        foreach (var expectation in session.Expectations.Values)
            expectation.Blur();
        foreach (var message in session.Incoming.Values)
            message.ResendDue = false;
    }

    private void ReleaseWill(
        ConnectionState connection,
        bool certain = true,
        bool endsSession = false,
        bool byConnection = false
    )
    {
        if (connection.Will is not { IsDormant: true, IsCancelled: false } will)
            return;
        if (!endsSession && WillDelaySeconds(connection) is var delay and > 0)
        {
            DelayWill(connection, will, delay, certain);
            return;
        }
        will.IsDormant = false;
        will.IsFreedByConnection = byConnection && will.Packet.Properties.WillDelayIntervalSeconds > 0;
        // What the broker ended by itself it ended some time before its client saw it.
        will.SentAt = certain ? Now : connection.ConnectAt;
        if (connection.IsAccepted)
            Check(will.IsFreedByConnection ? Statements.WillAtTakeOver : Statements.WillPublished);
        // A will needs an accepted connection; without CONNACK nobody knows.
        Route(will, certain && connection.IsAccepted && connection.Defect is null);
        if (will.Packet.Retain)
            RetainedOf(will.Topic).Add(new RetainedWrite(will, will.SentAt));
    }

    private static void AddAnswersOwed(ClientSession session, List<Obligation> owed)
    {
        foreach (var awaited in session.Awaited)
        {
            owed.Add(
                new Obligation(
                    awaited.Statement,
                    awaited.Circumstances.Length > 0 ? $"no answer, {awaited.Circumstances}" : "no answer",
                    $"{Name(session)}'s {awaited.Request} is not answered by {awaited.Type.ToString().ToUpperInvariant()}",
                    session.Client
                )
                {
                    Waive = () => session.Awaited.Remove(awaited),
                }
            );
        }
    }

    private void AddClosesOwed(ClientSession session, List<Obligation> owed)
    {
        if (session.Displaced is { IsClosed: false } displaced && session.IsOnline)
        {
            owed.Add(
                new Obligation(
                    Statements.TakeOver,
                    "old connection stays",
                    $"{Name(session)}'s first connection is not ended by its second one",
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
                    $"{Name(session)}'s connection is not ended after CONNACK has refused it",
                    session.Client
                )
                {
                    Waive = () => refused.IsLeft = true,
                }
            );
        }
        if (session.Connection is { Defect: { } defect, IsClosed: false } connection)
        {
            owed.Add(
                new Obligation(
                    MalformedStatement(defect),
                    defect,
                    $"{Name(session)}'s connection is not ended after a packet with {DescribeDefect(defect)}",
                    session.Client
                )
                {
                    Waive = () => connection.Defect = null,
                }
            );
        }
    }

    private Statement MalformedStatement(string defect) =>
        defect switch
        {
            MalformedCommand.SecondConnect => Statements.SecondConnect,
            MalformedCommand.NoConnect => Statements.FirstPacket,
            _ => IsV5 ? Statements.Detected : Statements.Malformed,
        };

    private string DescribeDefect(string defect) =>
        $"the defect '{defect}'{(defect is MalformedCommand.SecondConnect or MalformedCommand.NoConnect ? "" : $", which breaks {PacketDefects.Find(defect).Statement(_version)}")}";
}
