using MqttCheck.Conformance.Model;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>Watches how a client begins, keeps and ends a connection.</summary>
internal sealed class ConnectionWatch(ClientJudgements judgements)
{
    // A client on a busy machine sends PINGREQ late.
    private const long GraceNanoseconds = 500_000_000;

    // A packet that comes so long after CONNACK was not under way before.
    private const long BehindNanoseconds = 300_000_000;

    private const string BelievesInSession = "present";

    public void Sent(WatchedConnection connection, TraceEntry entry)
    {
        var sinceConnack = entry.Nanoseconds - connection.AcceptedNanoseconds;
        if (entry.Packet is not DisconnectPacket && sinceConnack > BehindNanoseconds)
            judgements.GiveUp(connection, BelievesInSession);
        if (connection.Left is not null)
            judgements.Deviate(
                ClientStatements.NothingBehindDisconnect,
                entry.Packet is null ? "" : Wording.Packet(entry.Packet.Type),
                "a packet comes behind DISCONNECT"
            );
        if (entry.Packet is ConnectPacket)
            judgements.Deviate(ClientStatements.ConnectOnce, "", "CONNECT comes a second time");
        if (entry.Packet is AuthPacket)
            judgements.Demand(
                connection.Connect.Properties.AuthenticationMethod is not null,
                ClientStatements.NoAuth,
                "",
                "AUTH comes, and CONNECT named no method"
            );
        if (entry.Packet is DisconnectPacket left)
            Left(connection, left, entry.Nanoseconds);
        connection.LastSentNanoseconds = entry.Nanoseconds;
    }

    public void Accepted(WatchedConnection connection, ConnackPacket connack, bool hadSession, long nanoseconds)
    {
        if (!connection.IsV5 || !connack.SessionPresent || hadSession)
            return;
        connection.MayEnd = true;
        judgements.Owe(
            new(
                ClientStatements.PresentWithoutState,
                "",
                "CONNACK says that a session is present, the client has none, and the connection goes on"
            )
            {
                Connection = connection,
                Key = BelievesInSession,
                SinceNanoseconds = nanoseconds,
            }
        );
    }

    /// <summary>A client that is silent for one and a half times its keep alive has broken its word for sure.</summary>
    public void Tick(WatchedConnection connection, long nanoseconds)
    {
        var ofServer = connection.Connack?.Properties.ServerKeepAliveSeconds;
        var seconds = ofServer ?? connection.Connect.KeepAliveSeconds;
        if (seconds == 0 || connection.IsSilent || connection.Connack is null || connection.IsEnding)
            return;
        if (nanoseconds - connection.LastSentNanoseconds <= seconds * 1_500_000_000L + GraceNanoseconds)
            return;
        connection.IsSilent = true;
        judgements.Deviate(
            ofServer is null ? ClientStatements.KeepAlive : ClientStatements.ServerKeepAlive,
            "",
            Invariant($"nothing comes for more than one and a half times the keep alive of {seconds} s"),
            isAbsence: true
        );
    }

    public void Ended(WatchedConnection connection, long nanoseconds, bool byClient)
    {
        var ofServer = connection.Connack?.Properties.ServerKeepAliveSeconds;
        var seconds = ofServer ?? connection.Connect.KeepAliveSeconds;
        if (seconds > 0 && nanoseconds - connection.LastSentNanoseconds < seconds * 1_500_000_000L)
            judgements.Check(ofServer is null ? ClientStatements.KeepAlive : ClientStatements.ServerKeepAlive);
        if (connection.MayEnd || connection.Connack is null)
            return;
        judgements.Check(ClientStatements.KeepsConnection);
        if (!byClient)
            return;
        if (connection.Left is { } left && !left.ReasonCode.IsError())
            return;
        var how = connection.Left is { } error ? Invariant($" with {error.ReasonCode}") : "";
        judgements.Deviate(
            ClientStatements.KeepsConnection,
            $"behind {connection.LastReceived}",
            $"the client ends the connection{how} behind {connection.LastReceived}",
            mustRecur: true
        );
    }

    private void Left(WatchedConnection connection, DisconnectPacket left, long nanoseconds)
    {
        connection.Left = left;
        judgements.Check(ClientStatements.NothingBehindDisconnect);
        judgements.SettleAll(connection);
        judgements.Owe(
            new(ClientStatements.DisconnectCloses, "", "DISCONNECT came, and the connection stays open")
            {
                Connection = connection,
                Key = "close",
                SinceNanoseconds = nanoseconds,
            }
        );
        if (left.Properties.SessionExpiryIntervalSeconds is > 0)
            judgements.Demand(
                connection.Connect.Properties.SessionExpiryIntervalSeconds is > 0,
                ClientStatements.ExpiryAtDisconnect,
                "",
                "DISCONNECT has a Session Expiry Interval, and that of CONNECT was 0"
            );
    }
}
