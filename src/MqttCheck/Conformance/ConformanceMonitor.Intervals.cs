using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance;

/// <content>What time does: keep alive, session expiry, will delay, message expiry. Where the standard leaves the moment open, or a timer's grain is at stake, a stated grace is granted.</content>
public sealed partial class ConformanceMonitor
{
    // A broker may look after its timers every few seconds only.
    private static readonly TimeSpan s_keepAliveGrace = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_willGrace = TimeSpan.FromSeconds(5);
    private const int TickNanoseconds = 1_000_000_000;
    private const long SessionGraceNanoseconds = 2_000_000_000,
        ExpiryGraceNanoseconds = 1_500_000_000,
        EarlyNanoseconds = 300_000_000;

    private void Waited()
    {
        foreach (var publication in _publications)
            if (
                IsV5
                && publication is { MayExpire: true, IsWill: false }
                && NowNanoseconds - _trace[publication.SentAt].Nanoseconds
                    >= publication.ExpirySeconds * (long)TickNanoseconds
            )
                Check(Statements.Expired);
        foreach (var connection in _connections.Values.ToList())
        {
            if (
                connection is { IsAccepted: true, IsClosed: false, KeepAliveSeconds: > 0 and var interval }
                && NowNanoseconds - connection.LastSentNanoseconds >= interval * 1_500_000_000L
            )
            {
                Check(Statements.KeepAlive);
                connection.IsSilent = true;
            }
            if (
                connection.Will is { IsDormant: true, IsCancelled: false, DueNanoseconds: { } due }
                && NowNanoseconds >= due
            )
                ReleaseWill(connection, endsSession: true);
        }
    }

    private static void AddSilenceOwed(ClientSession session, List<Obligation> owed)
    {
        if (session.Connection is not { IsSilent: true, IsClosed: false } connection)
            return;
        owed.Add(
            new Obligation(
                Statements.KeepAlive,
                "connection stays",
                $"{Name(session)}'s connection is not ended, although nothing was sent on it for one and a half times its keep alive of {connection.KeepAliveSeconds} s",
                session.Client
            )
            {
                Grace = s_keepAliveGrace,
                Waive = () => connection.IsSilent = false,
            }
        );
    }

    // Before CONNECT takes effect: whether the stored session has outlived its interval.
    private void ExpireSession(ClientSession session, ConnectionState connection)
    {
        if (connection.IsAnonymous || session.Presence == Presence.No)
            return;
        var last = LastBefore(connection);
        if (
            last is not { IsClosed: true, ExpirySeconds: > 0 and < uint.MaxValue and var interval }
            || session.Displaced is not null
        )
            return;
        var passed = NowNanoseconds - last.ClosedNanoseconds;
        // A CONNECT since then that got no answer may have made a session of its own, with an interval of its own.
        if (
            passed >= (interval * (long)TickNanoseconds) + SessionGraceNanoseconds
            && !HasUnansweredConnect(last, connection)
        )
        {
            session.EndSession(Now, Statements.SessionExpiry, keepAfter: int.MaxValue);
            session.HasExpired = true;
        }
        else if (passed >= interval * (long)TickNanoseconds / 2)
        {
            Doubt(session);
            session.Presence = Presence.Maybe;
        }
    }

    private bool HasUnansweredConnect(ConnectionState after, ConnectionState before) =>
        _connections.Values.Any(c =>
            c.Number > after.Number
            && c.Number < before.Number
            && c is { IsAccepted: false, IsRefused: false }
            && c.Connect?.ClientId == before.Connect!.ClientId
        );

    private ConnectionState? LastBefore(ConnectionState connection) =>
        _connections.Values.LastOrDefault(c =>
            c != connection && c.IsAccepted && c.Connect?.ClientId == connection.Connect!.ClientId
        );

    // When CONNACK comes: whether the stored session may have outlived its interval before CONNECT was handled, counted from when the broker can have ended the connection before.
    private bool MayHaveExpired(ConnectionState connection)
    {
        if (LastBefore(connection) is not { ExpirySeconds: > 0 and < uint.MaxValue and var interval } last)
            return false;
        var seen = last.IsClosed ? last.ClosedNanoseconds : NowNanoseconds;
        // Taken over, it ended with this CONNECT, unless it had been silent for too long.
        var ended =
            last is { IsClosedByBroker: true, IsTakenOver: false } ? last.LastSentNanoseconds
            : last.KeepAliveSeconds > 0 && (last.IsClosedByBroker || !last.IsClosed)
                ? Math.Min(seen, last.LastSentNanoseconds + (last.KeepAliveSeconds * (long)TickNanoseconds))
            : seen;
        return NowNanoseconds - ended >= interval * (long)TickNanoseconds / 2;
    }

    // The will waits for its delay or the end of the session, whichever is first.
    private long WillDelaySeconds(ConnectionState connection) =>
        !IsV5 || !connection.IsAccepted
            ? 0
            : Math.Min(connection.Will?.Packet.Properties.WillDelayIntervalSeconds ?? 0, connection.ExpirySeconds);

    private void DelayWill(ConnectionState connection, Publication will, long seconds, bool certain)
    {
        Check(Statements.WillDelay);
        // For its silence the broker may have ended the connection some time before its client saw it.
        var began =
            !certain ? _trace[connection.ConnectAt].Nanoseconds
            : connection.IsSilent
                ? connection.LastSentNanoseconds + (connection.KeepAliveSeconds * (long)TickNanoseconds)
            : NowNanoseconds;
        will.EarliestNanoseconds = began + (seconds * TickNanoseconds) - EarlyNanoseconds;
        will.DueNanoseconds = certain ? NowNanoseconds + (seconds * TickNanoseconds) : null;
    }

    private void CancelWill(ConnectionState connection)
    {
        if (connection.Will is not { IsDormant: true } will)
            return;
        Check(Statements.WillDelay);
        will.IsCancelled = true;
    }

    // A new connection to the session before the delay has passed.
    private void JudgeDelayedWill(ClientSession session, ConnectionState connection)
    {
        foreach (
            var earlier in _connections
                .Values.Where(c =>
                    c != connection
                    && c.IsClosed
                    && c.Connect is not null
                    && c.Connect.ClientId == connection.Connect!.ClientId
                )
                .ToList()
        )
        {
            if (earlier.Will is not { IsDormant: true, IsCancelled: false, EarliestNanoseconds: { } earliest })
                continue;
            if (connection.Connect!.CleanStart)
                ReleaseWill(earlier, certain: session.Presence == Presence.Yes, endsSession: true, byConnection: true);
            else if (NowNanoseconds < earliest)
                CancelWill(earlier);
            else
                ReleaseWill(earlier, certain: false, endsSession: true);
        }
    }

    /// <returns>Whether the delivery is one of a will that must not be published, or not yet.</returns>
    private bool IsUntimelyWill(ClientSession session, Publication will)
    {
        if (will.IsCancelled)
        {
            Deviate(
                Statements.WillDelay,
                "session resumed",
                $"{Name(session)} gets {will}, although its session was resumed before the delay had passed"
            );
            return true;
        }
        if (will.EarliestNanoseconds is not { } earliest || NowNanoseconds >= earliest)
            return false;
        Deviate(Statements.WillDelay, "too early", $"{Name(session)} gets {will} before its delay has passed");
        return true;
    }

    private void JudgeExpired(ClientSession session, Publication publication, string how)
    {
        if (!IsV5 || !publication.MayExpire || publication.IsWill)
            return;
        if (publication.ReceivedAt is not { } received)
            return;
        var waited = NowNanoseconds - _trace[received].Nanoseconds;
        if (waited < (publication.ExpirySeconds * (long)TickNanoseconds) + ExpiryGraceNanoseconds)
            return;
        Check(Statements.Expired);
        Deviate(
            Statements.Expired,
            how,
            string.Create(
                System.Globalization.CultureInfo.InvariantCulture,
                $"{Name(session)} gets {publication} {waited / 1e9:0.0} s after it was published; it expires after {publication.ExpirySeconds} s"
            )
        );
    }

    private void JudgeSize(ClientSession session, ConnectionState connection, Packet? packet)
    {
        if (!IsV5 || packet is null || connection.Connect?.Properties.MaximumPacketSizeBytes is not { } maximum)
            return;
        Check(Statements.MaximumPacketSize);
        var length = PacketEncoder.GetLength(packet, _version);
        if (length > maximum)
            Deviate(
                Statements.MaximumPacketSize,
                packet.Type.ToString().ToUpperInvariant(),
                $"{Name(session)} gets a packet of {length} bytes; its Maximum Packet Size is {maximum}"
            );
    }

    // A connection that does not take them makes the broker drop messages that wait, for good.
    private void DropTooLarge(ClientSession session)
    {
        foreach (var expectation in session.Expectations.Values)
            if (MayBeTooLarge(session, expectation.Publication))
                expectation.IsDue = false;
    }

    // What may be too large for a client is not owed to it. A delivery can have more properties than the publication.
    private bool MayBeTooLarge(ClientSession session, Publication publication) =>
        MayBeTooLarge(session, publication.Packet);

    private bool MayBeTooLarge(ClientSession session, PublishPacket packet)
    {
        if (!IsV5)
            return false;
        if (IsTooLarge(session.Displaced, packet))
            return true;
        // Until a connection is accepted the broker may not have seen the end of the one before.
        for (
            var connection = session.Connection;
            connection is not null;
            connection = connection.IsAccepted ? null : connection.Previous
        )
            if (IsTooLarge(connection, packet))
                return true;
        return false;
    }

    private bool IsTooLarge(ConnectionState? connection, PublishPacket packet) =>
        connection?.Connect?.Properties.MaximumPacketSizeBytes is { } maximum
        && PacketEncoder.GetLength(packet, _version) + 64 > maximum;

    private void Refused(ClientSession session, ConnectionState connection, ConnackPacket connack)
    {
        connection.IsRefused = true;
        Check(Statements.RefusedNotPresent);
        Check(Statements.RefusedCloses);
        if (connack.SessionPresent)
            Deviate(
                Statements.RefusedNotPresent,
                connack.ReasonCode.ToString(),
                $"{Name(session)}'s CONNECT is refused with {connack.ReasonCode}, and CONNACK says that a session is present"
            );
        // A connection that was refused takes over nothing, though the broker may have ended the earlier one before it refused.
        if (connection.Displaces?.Will is { } will)
        {
            foreach (var other in _sessions)
                if (other.Expectations.TryGetValue(will, out var expectation))
                    expectation.Blur();
        }
        foreach (var publication in _publications.Where(p => p.Connection == connection.Number))
        {
            Check(Statements.RefusedIgnored);
            publication.IsForbidden = true;
            Reject(publication);
        }
        session.Awaited.RemoveAll(awaited => awaited.Connection == connection.Number);
        if (!connection.IsAnonymous || IsV5 || connection.Connect!.CleanStart)
            return;
        Check(Statements.EmptyIdentifier);
        if (connack.ReasonCode != ReasonCode.ClientIdentifierNotValid)
            Deviate(
                Statements.EmptyIdentifier,
                $"refused with {connack.ReasonCode}",
                $"{Name(session)}'s CONNECT without identifier and without clean session is refused with {connack.ReasonCode}"
            );
    }

    private void JudgeAnonymous(ClientSession session, ConnectPacket connect, ConnackPacket connack)
    {
        Check(Statements.EmptyIdentifier);
        if (IsV5 && string.IsNullOrEmpty(connack.Properties.AssignedClientIdentifier))
            Deviate(
                Statements.EmptyIdentifier,
                "not told",
                $"{Name(session)}'s CONNECT without identifier is accepted, and CONNACK does not say which one it got"
            );
        else if (!IsV5 && !connect.CleanStart)
            Deviate(
                Statements.EmptyIdentifier,
                "accepted",
                $"{Name(session)}'s CONNECT without identifier and without clean session is accepted"
            );
    }
}
