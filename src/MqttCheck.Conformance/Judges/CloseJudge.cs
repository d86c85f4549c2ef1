using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>
/// Ends of connections: DISCONNECT from either side, and whether the broker had a reason to end a connection.
/// </summary>
internal sealed class CloseJudge(
    Judgements judgements,
    SessionJudge sessions,
    WillJudge wills,
    KeepAliveJudge keepAlive,
    SharedSubscriptionJudge shared
) : Judge(judgements)
{
    // Every broker takes identifiers of this length (MQTT-3.1.3-5).
    private const int LeastIdentifier = 23;

    public void Sent(ClientSession session, ObservedConnection connection, DisconnectPacket disconnect)
    {
        connection.LastSent = new(PacketType.Disconnect, "DISCONNECT");
        (connection.Disconnected, connection.DisconnectedAt) = (true, Now);
        if (disconnect.Properties.SessionExpiryIntervalSeconds is { } expiry)
            (connection.ExpirySeconds, connection.HasChangedExpiry) = (expiry, true);
        session.StopAwaiting(connection.Number);
        session.LoseVolatile();
        session.DoubtOutgoing();
        wills.Disconnected(connection, disconnect.ReasonCode);
    }

    public void Received(ClientSession session, ObservedConnection connection, DisconnectPacket disconnect)
    {
        Check(Statements.LegalDisconnect);
        connection.EndedBySetUp = IsBySetUp(disconnect.ReasonCode);
        connection.ToldReason ??= disconnect.ReasonCode;
        if (!IsV5)
        {
            Deviate(
                Statements.LegalDisconnect,
                "MQTT 3.1.1",
                $"{session.Name} got DISCONNECT, which only clients send in MQTT 3.1.1"
            );
            return;
        }
        if (!connection.IsAccepted)
            Deviate(
                Statements.LegalDisconnect,
                "before CONNACK",
                $"{session.Name} got DISCONNECT ({disconnect.ReasonCode}) before CONNACK"
            );
    }

    /// <summary>Something was sent on a connection that the broker has ended: it owes no answer, and ends for nothing
    /// new.</summary>
    public void SentBehindDisconnect(ClientSession session, ObservedConnection connection, SentPacket before)
    {
        if (!IsV5)
            return;
        connection.LastSent = before;
        session.StopAwaiting(connection.Number);
        session.DoubtOutgoing();
    }

    public void Closed(ClientSession session, ObservedConnection connection, bool byBroker, string detail)
    {
        if (connection.IsClosed)
            return;
        connection.IsClosed = true;
        connection.ClosedNanoseconds = NowNanoseconds;
        connection.IsClosedByBroker = byBroker;
        if (byBroker)
        {
            JudgeClose(session, connection, detail);
            keepAlive.ClosedByBroker(connection);
        }
        if (session.Displaced == connection && session.IsOnline)
            JudgeTold(session, connection);
        shared.Left(session, connection);
        session.StopAwaiting(connection.Number);
        if (session.Displaced == connection)
            session.Displaced = null;
        // The end of an earlier connection does not touch the present one.
        if (session.Connection != connection)
            return;
        session.LoseVolatile();
        session.DoubtOutgoing();
        foreach (var subscription in session.Subscriptions.Values)
            subscription.Pending = 0;
        foreach (var read in session.Reads)
            read.IsDue = false;
        wills.Closed(connection, byBroker);
        sessions.Closed(session, connection);
    }

    // "If the ClientID represents a Client already connected to the Server, the Server sends a DISCONNECT packet to the
    // existing Client with Reason Code of 0x8E (Session taken over)" (MQTT-3.1.4-3). The old connection may have been
    // ended for something else at the same moment, and what was sent to it may be lost: it counts only if it comes
    // every time.
    public void JudgeTold(ClientSession session, ObservedConnection old)
    {
        if (!IsV5 || !old.IsClosedByBroker)
            return;
        if (old is not { IsAccepted: true, Disconnected: false, Defect: null, IsMalformed: false })
            return;
        if (old is not { AskedUnavailable: false, WasSilent: false })
            return;
        Check(Statements.TakeOverTold);
        if (old.ToldReason is null)
            Deviate(
                Statements.TakeOverTold,
                "not told",
                $"{session.Name}'s first connection is ended by its second one without DISCONNECT",
                mustRecur: true
            );
        else if (old.ToldReason != ReasonCode.SessionTakenOver)
            Deviate(
                Statements.TakeOverTold,
                $"told {old.ToldReason}",
                $"{session.Name}'s first connection is ended by its second one with DISCONNECT ({old.ToldReason})",
                mustRecur: true
            );
    }

    private void JudgeClose(ClientSession session, ObservedConnection connection, string detail)
    {
        if (connection.IsWebSocket && detail.Contains("WebSocket", StringComparison.Ordinal))
            Deviate(Statements.WebSocketFrames, "", $"{session.Name}'s connection: {detail}");
        if (MayEnd(connection))
            return;
        if (IsInSilence(session, connection))
        {
            DeviateByEnd(
                Statements.ConnectionKept,
                $"the broker closed {session.Name}'s connection, silent for less than its keep alive",
                new SentPacket(null, "a silence"),
                "closed before its keep alive was over"
            );
            return;
        }
        // A PUBLISH of QoS 0 has no answer: the end comes with the PINGREQ behind it.
        var isQos0 =
            connection.OpenQos0 is not null
            && (connection.LastSent.Type == PacketType.Pingreq || connection.LastSent == connection.OpenQos0);
        var trigger = isQos0 ? connection.OpenQos0!.Value : connection.LastSent;
        if (DifferenceToAnother(session, connection) is { } difference && IsSilentSinceAnother(session, connection))
        {
            DeviateByEnd(
                Statements.IdentifiersDiffer,
                $"the broker closed {session.Name}'s connection after CONNECT of a client whose identifier differs "
                    + difference,
                trigger,
                difference
            );
            return;
        }
        var isAcknowledgement = trigger.Type is PacketType.Puback or PacketType.Pubrec or PacketType.Pubcomp;
        var statement =
            connection.EndedBySetUp ? Statements.Permitted
            : isQos0 ? Statements.Qos0Taken
            : isAcknowledgement ? Statements.ConnectionKept
            : session.Awaited.Find(awaited => awaited.Connection == connection.Number)?.Statement
                ?? Statements.ConnectionKept;
        var how = detail.Length > 0 ? $" ({detail})" : "";
        DeviateByEnd(statement, $"the broker closed {session.Name}'s connection after {trigger.Words}{how}", trigger);
    }

    // The last packet has been answered, and half of the keep alive has gone by since.
    private bool IsInSilence(ClientSession session, ObservedConnection connection) =>
        2 * (NowNanoseconds - connection.LastSentNanoseconds) >= connection.KeepAliveSeconds * SecondNanoseconds
        && connection is { KeepAliveSeconds: > 0, OpenQos0: null }
        && !session.Awaited.Exists(awaited => awaited.Connection == connection.Number);

    /// <summary>
    /// How the identifier of a client that connected later differs, if it is nearly the same: a broker may take one for
    /// the other. Null if there is none.
    /// </summary>
    public string? DifferenceToAnother(ClientSession session, ObservedConnection connection) =>
        Run
            .Sessions.Where(other => other != session && other.Connection?.ConnectAt > connection.ConnectAt)
            .Select(other => Difference(connection.Connect?.ClientId ?? "", other.Connection!.Connect?.ClientId ?? ""))
            .FirstOrDefault(difference => difference is not null);

    // A connection that went on behind the CONNECT of the other client ended for something else.
    private bool IsSilentSinceAnother(ClientSession session, ObservedConnection connection)
    {
        var connected = Run
            .Sessions.Where(other => other != session && other.Connection?.ConnectAt > connection.ConnectAt)
            .Max(other => other.Connection!.ConnectAt);
        return !Run
            .Trace.Skip(connected)
            .Any(entry =>
                entry.Connection == connection.Number
                && (entry.Kind, entry.Packet)
                    is
                        (TraceKind.Sent, not PingreqPacket)
                        or
                        (TraceKind.Received, not DisconnectPacket)
            );
    }

    private static string? Difference(string one, string other) =>
        one.Length == 0 || one == other ? null
        : one.Equals(other, StringComparison.OrdinalIgnoreCase) ? "by case"
        : one.Length > LeastIdentifier && other.StartsWith(one[..LeastIdentifier], StringComparison.Ordinal)
            ? "behind 23 bytes"
        : null;

    // Whether the broker had, or may have had, a reason to end the connection.
    private bool MayEnd(ObservedConnection connection) =>
        connection.Disconnected
        || connection.IsTakenOver
        || connection.IsRefused
        || connection.Defect is not null
        || connection.AskedUnavailable
        || (connection.MayBeRefused && !connection.IsAccepted)
        || connection.WasSilent
        || connection.WasQuietAt(NowNanoseconds)
        || connection.LastSent.IsToBrokersTopic;
}
