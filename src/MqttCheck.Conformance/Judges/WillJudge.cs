using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>Wills: when they are published, when they wait for their delay, and when they must not come.</summary>
internal sealed class WillJudge(Judgements judgements, RoutingJudge routing, RetainedReadJudge retained)
    : Judge(judgements)
{
    // A timer of the broker may fire a little early.
    private const long EarlyNanoseconds = 300_000_000;

    // A broker may look after its timers every few seconds only.
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How long a publication may take at least: a will that waits is published when a timer of the broker fires.
    /// </summary>
    public static TimeSpan GraceOf(Publication publication) =>
        publication.DueNanoseconds is null ? TimeSpan.Zero : s_grace;

    /// <summary>CONNECT is sent and leaves its will with the broker.</summary>
    public void Left(ClientSession session, ObservedConnection connection, WillMessage will)
    {
        var message = new PublishPacket
        {
            Topic = will.Topic,
            Payload = will.Payload,
            Qos = will.Qos,
            Retain = will.Retain,
            Properties = will.Properties,
        };
        connection.Will = new Publication(Run.NextPublication, session.Client, message, Now)
        {
            IsWill = true,
            IsDormant = true,
        };
        Run.Register(connection.Will);
        if (!will.Retain)
            return;
        Run.WritesTo(will.Topic);
        retained.Named(will.Topic);
    }

    /// <summary>A client connects, perhaps before the will of its last connection has waited for its delay.</summary>
    public void Connected(ClientSession session, ObservedConnection connection)
    {
        var earlierOnes = Run.Connections.Values.Where(c =>
            c != connection && c.IsClosed && c.Connect is not null && c.Connect.ClientId == connection.Connect!.ClientId
        );
        foreach (var earlier in earlierOnes.ToList())
        {
            if (earlier is { Disconnected: true, Will: { IsDormant: true, Packet.Retain: true } discarded })
                MayBeRetained(discarded);
            if (earlier.Will is not { IsDormant: true, IsCancelled: false, EarliestNanoseconds: { } earliest })
                continue;
            if (connection.Connect!.CleanStart)
                Release(
                    earlier,
                    certain: session.Presence == Presence.Yes && IsUnchangedSince(earliest, earlier),
                    endsSession: true,
                    byConnection: true
                );
            else if (NowNanoseconds < earliest)
                Cancel(earlier);
            else
                Release(earlier, certain: false, endsSession: true);
        }
    }

    // A broker that sees the new connection before DISCONNECT on the old one takes that over, and publishes its will.
    private void MayBeRetained(Publication will)
    {
        var writes = Run.WritesTo(will.Topic);
        if (!writes.Exists(write => write.Publication == will))
            writes.Add(new RetainedWrite(will, Now));
    }

    /// <summary>
    /// A connection is taken over. A session that goes on keeps a will that waits from being published (5: 3.1.3-9).
    /// </summary>
    public void TakenOver(ObservedConnection displaced, bool clean)
    {
        if (DelaySeconds(displaced) > 0 && !clean)
            Cancel(displaced);
        else
            Release(displaced, endsSession: clean, byConnection: true);
    }

    /// <summary>DISCONNECT is sent: it discards the will, or asks for it.</summary>
    public void Disconnected(ObservedConnection connection, ReasonCode reason)
    {
        if (reason != ReasonCode.Success)
            Release(connection);
        // After a silence the broker may have ended the connection before, and published the will.
        else if (connection.WasSilent || Assumes(AssumedFaults.WillKept) || IsOddExpiry(connection))
            Release(connection, certain: false);
        else if (connection.Will is not null)
            Check(Statements.WillDiscarded);
    }

    // A DISCONNECT may not give an expiry interval to a session that had none, and a broker may think it had none.
    private bool IsOddExpiry(ObservedConnection connection) =>
        connection.HasChangedExpiry && Assumes(AssumedFaults.SessionLost);

    /// <summary>The end of a connection sets its will free.</summary>
    public void Closed(ObservedConnection connection, bool byBroker)
    {
        if (connection.Disconnected)
            return;
        var isCertain = byBroker ? HadReason(connection) : connection.Defect is null;
        Release(connection, isCertain);
    }

    // The will is published when the connection is closed, also for an error of protocol or when its client was silent
    // for too long (section 3.1.2.5). Its client sees the end later than it came. So nothing may have happened since
    // the broker had that reason that could change who gets the will.
    private bool HadReason(ObservedConnection connection)
    {
        return ReasonNanoseconds(connection) is { } since
            && !Run.Sessions.Any(s => s.Awaited.Exists(a => a.Type is PacketType.Suback or PacketType.Unsuback))
            && IsUnchangedSince(since, connection);
    }

    // Whether the same clients get a will that is published now and one that was published at a moment before.
    private bool IsUnchangedSince(long nanoseconds, ObservedConnection connection)
    {
        for (var at = Now - 1; at >= 0 && Run.Trace[at].Nanoseconds >= nanoseconds; at--)
        {
            if (Run.Trace[at].Connection != connection.Number && IsChange(Run.Trace[at]))
                return false;
        }
        return true;
    }

    // The earliest moment at which the broker may have ended a connection that it was right to end; null if it was not.
    private long? ReasonNanoseconds(ObservedConnection connection)
    {
        if (connection.Defect is not null)
            return Run.Trace[connection.MalformedAt].Nanoseconds;
        var interval = connection.KeepAliveSeconds * SecondNanoseconds;
        return interval > 0 && NowNanoseconds - connection.LastSentNanoseconds >= interval * 3 / 2
            ? connection.LastSentNanoseconds + interval
            : null;
    }

    // Whether subscriptions or sessions may be others after an entry.
    private static bool IsChange(TraceEntry entry) =>
        entry.Kind
            is TraceKind.Opened
                or TraceKind.ClosedByBroker
                or TraceKind.ClosedByClient
                or TraceKind.SentMalformed
        || entry.Packet
            is ConnectPacket
                or ConnackPacket
                or SubscribePacket
                or SubackPacket
                or UnsubscribePacket
                or UnsubackPacket
                or DisconnectPacket;

    /// <summary>A wait is over: the delay may have passed, and not only now.</summary>
    public void Waited(ObservedConnection connection)
    {
        if (
            connection.Will is { IsDormant: true, IsCancelled: false, DueNanoseconds: { } due } will
            && NowNanoseconds >= due
        )
            Release(
                connection,
                certain: IsUnchangedSince(will.EarliestNanoseconds ?? 0, connection),
                endsSession: true
            );
    }

    /// <summary>A will comes that no end of a connection has set free.</summary>
    /// <returns>Whether nothing more is to be said about the delivery.</returns>
    public bool Delivered(ClientSession session, Publication will)
    {
        var owner = Run.Connections.Values.First(connection => connection.Will == will);
        if (IsUntimely(session, will, owner))
        {
            // It has come, so it is not missing when its delay has passed.
            if (!will.IsCancelled)
                Release(owner, certain: false, endsSession: true);
            return true;
        }
        if (owner.Disconnected && will.EarliestNanoseconds is null)
        {
            // A broker was right if it ended the connection before DISCONNECT reached it. Its reason may be an earlier
            // packet, or a new connection of the client that has not ended yet.
            if (
                owner.OpenQos0 is null
                && Run.Sessions[will.Client].Connection is { } last
                && (last == owner || last is { IsAccepted: true, IsClosed: true })
            )
                Deviate(
                    Statements.WillDiscarded,
                    "",
                    $"{session.Name} gets {will}, which DISCONNECT discarded",
                    mustRecur: true
                );
            return true;
        }
        // The broker ended the connection, and its client has not seen it yet.
        Release(owner, certain: false, endsSession: true);
        return false;
    }

    // A broker that ends the connection before a DISCONNECT with another session expiry reaches it goes by the old one.
    // Then the delay may end with the session, which is earlier.
    private bool IsUntimely(ClientSession session, Publication will, ObservedConnection owner)
    {
        if (Assumes(AssumedFaults.WillUntimely | AssumedFaults.SessionLost))
            return false;
        if (will.IsCancelled)
        {
            Deviate(
                Statements.WillDelay,
                "session resumed",
                $"{session.Name} gets {will}, although its session was resumed before the delay had passed",
                mustRecur: owner.HasChangedExpiry
            );
            return true;
        }
        if (will.EarliestNanoseconds is not { } earliest || NowNanoseconds >= earliest)
            return false;
        Deviate(
            Statements.WillDelay,
            "too early",
            $"{session.Name} gets {will} before its delay has passed",
            mustRecur: owner.HasChangedExpiry
        );
        return true;
    }

    private void Release(
        ObservedConnection connection,
        bool certain = true,
        bool endsSession = false,
        bool byConnection = false
    )
    {
        if (connection.Will is not { IsDormant: true } will)
            return;
        if (will.IsCancelled && !Assumes(AssumedFaults.WillUntimely | AssumedFaults.SessionLost))
            return;
        if (!endsSession && DelaySeconds(connection) is var delay and > 0)
        {
            Delay(connection, will, delay, certain);
            return;
        }
        will.IsDormant = false;
        will.IsFreedByConnection = byConnection && will.Packet.Properties.WillDelayIntervalSeconds > 0;
        // If the broker ended the connection itself, it did so some time before the client noticed.
        will.SentAt = certain ? Now : connection.ConnectAt;
        if (connection.IsAccepted)
            Check(will.IsFreedByConnection ? Statements.WillAtTakeOver : Statements.WillPublished);
        // A will needs an accepted connection; without CONNACK nobody knows.
        routing.Route(will, certain && connection.IsAccepted);
        if (will.Packet.Retain)
            Run.WritesTo(will.Topic).Add(new RetainedWrite(will, will.SentAt));
    }

    private void Delay(ObservedConnection connection, Publication will, long seconds, bool certain)
    {
        Check(Statements.WillDelay);
        // The broker may have ended the connection some time before its client saw it.
        var began = !certain
            ? Run.Trace[connection.ConnectAt].Nanoseconds
            : ReasonNanoseconds(connection) ?? NowNanoseconds;
        will.EarliestNanoseconds = began + (seconds * SecondNanoseconds) - EarlyNanoseconds;
        will.DueNanoseconds = certain ? NowNanoseconds + (seconds * SecondNanoseconds) : null;
    }

    private void Cancel(ObservedConnection connection)
    {
        if (connection.Will is not { IsDormant: true } will)
            return;
        Check(Statements.WillDelay);
        will.IsCancelled = true;
    }

    // The will waits for its delay or the end of the session, whichever is first.
    private static long DelaySeconds(ObservedConnection connection)
    {
        return !connection.IsAccepted
            ? 0
            : Math.Min(connection.Will?.Packet.Properties.WillDelayIntervalSeconds ?? 0, connection.ExpirySeconds);
    }
}
