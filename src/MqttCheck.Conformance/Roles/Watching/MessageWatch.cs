using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>Watches the messages of QoS 1 and 2 that a client sends.</summary>
internal sealed class MessageWatch(ClientJudgements judgements)
{
    // An acknowledgement that was sent so long before the end of a connection was received.
    private const long SurelyReceivedNanoseconds = 1_000_000_000;

    public void Published(WatchedConnection connection, PublishPacket packet)
    {
        if (packet.Qos == QualityOfService.AtMostOnce)
            return;
        var client = connection.Client;
        var exchange = client.Exchanges.GetValueOrDefault(packet.PacketId);
        if (exchange is null || IsNew(exchange, packet))
            Begin(connection, packet, exchange);
        else if (!exchange.IsSame(packet))
            TakenTwice(connection, packet);
        else
            SentAgain(connection, exchange, packet);
        connection.Window.Add(packet.PacketId);
        var maximum = connection.Connack?.Properties.ReceiveMaximum;
        if (maximum is { } most && !connection.IsEager)
            judgements.Demand(
                connection.Window.Count <= most,
                ClientStatements.ReceiveMaximum,
                "",
                Invariant($"{connection.Window.Count} messages are open, and the server's Receive Maximum is {most}")
            );
    }

    public void Requested(WatchedConnection connection, ushort identifier, PacketType type)
    {
        var isFree =
            !connection.Requests.Contains(identifier)
            && (
                connection.Client.Exchanges.GetValueOrDefault(identifier) is not { } exchange
                || exchange.Stage is ExchangeStage.Done or ExchangeStage.PerhapsDone or ExchangeStage.Optional
            );
        judgements.Demand(
            isFree,
            ClientStatements.IdentifierFree,
            Wording.Packet(type),
            Invariant($"{Wording.Packet(type)} takes the identifier {identifier}, which is in use")
        );
        connection.Requests.Add(identifier);
    }

    public void Released(WatchedConnection connection, PubrelPacket packet)
    {
        var place = connection.AwaitsPubrel.IndexOf(packet.PacketId);
        if (place >= 0)
        {
            judgements.Settle(connection, Invariant($"pubrel {packet.PacketId}"));
            judgements.Demand(
                place == 0,
                ClientStatements.PubrelOrder,
                "",
                Invariant($"PUBREL {packet.PacketId} comes before that of an earlier PUBREC")
            );
            connection.AwaitsPubrel.RemoveAt(place);
        }
        judgements.Settle(connection, Invariant($"again {packet.PacketId}"));
        if (connection.Client.Exchanges.GetValueOrDefault(packet.PacketId) is { } exchange)
            Released(connection, exchange);
        else if (connection.Client.Dropped.Remove(packet.PacketId, out var dropped) && place < 0)
            Kept(dropped.By, Invariant($"PUBREL {packet.PacketId}"), "PUBREL");
    }

    /// <summary>The broker acknowledged one of the client's messages.</summary>
    public void Acknowledged(WatchedConnection connection, AckPacket packet, long nanoseconds)
    {
        if (connection.Client.Exchanges.GetValueOrDefault(packet.PacketId) is not { } exchange)
            return;
        if (packet is PubrecPacket && !packet.ReasonCode.IsError())
        {
            exchange.Stage = ExchangeStage.Received;
            connection.AwaitsPubrel.Add(packet.PacketId);
            if (connection.IsEnding)
                return;
            judgements.Owe(
                new(ClientStatements.Pubrel, "no PUBREL", Invariant($"PUBREC {packet.PacketId} is not answered"))
                {
                    Connection = connection,
                    Key = Invariant($"pubrel {packet.PacketId}"),
                    SinceNanoseconds = nanoseconds,
                }
            );
            return;
        }
        exchange.Stage = ExchangeStage.Done;
        exchange.DoneNanoseconds = nanoseconds;
        exchange.IsRefused = packet.ReasonCode.IsError();
        connection.Window.Remove(packet.PacketId);
        judgements.Settle(connection, Invariant($"again {packet.PacketId}"));
    }

    /// <summary>A connection ended: the last that the broker sent may have been lost.</summary>
    public static void Ended(WatchedConnection connection, long nanoseconds)
    {
        foreach (var exchange in connection.Client.Exchanges.Values)
        {
            var mayBeUnknown = nanoseconds - exchange.DoneNanoseconds < SurelyReceivedNanoseconds;
            if (exchange.Stage == ExchangeStage.Received)
                exchange.Stage = ExchangeStage.PerhapsReceived;
            else if (exchange.Stage == ExchangeStage.Done && mayBeUnknown)
                exchange.Stage = ExchangeStage.PerhapsDone;
        }
    }

    /// <summary>CONNACK says how the session goes on.</summary>
    public void Accepted(WatchedConnection connection, bool isResumed, long nanoseconds)
    {
        var client = connection.Client;
        if (!isResumed)
        {
            Drop(connection);
            return;
        }
        foreach (var (identifier, exchange) in client.Exchanges)
        {
            if (exchange.Stage == ExchangeStage.Done)
                judgements.Check(exchange.IsRefused ? ClientStatements.RefusedOnce : ClientStatements.AcknowledgedOnce);
            if (exchange.Stage is ExchangeStage.Done or ExchangeStage.PerhapsDone or ExchangeStage.Optional)
                continue;
            // Eager packets went out before CONNACK.
            if (exchange.On == connection)
                continue;
            var what = exchange.Stage == ExchangeStage.Released ? "PUBREL" : "PUBLISH";
            judgements.Owe(
                new(
                    ClientStatements.Resend,
                    what,
                    Invariant($"{what} {identifier} is not sent again when the session is resumed")
                )
                {
                    Connection = connection,
                    Key = Invariant($"again {identifier}"),
                    SinceNanoseconds = nanoseconds,
                    NeedsWindow = true,
                }
            );
        }
    }

    // The end of an exchange frees its identifier. If the end may be unknown to the client, its message may come again.
    private static bool IsNew(SentExchange exchange, PublishPacket packet) =>
        exchange.Stage switch
        {
            ExchangeStage.Done => !exchange.IsSame(packet) || !packet.Duplicate,
            ExchangeStage.PerhapsDone or ExchangeStage.Optional => !exchange.IsSame(packet) || !packet.Duplicate,
            ExchangeStage.Published
            or ExchangeStage.Received
            or ExchangeStage.PerhapsReceived
            or ExchangeStage.Released => false,
            _ => throw new System.Diagnostics.UnreachableException(),
        };

    private void Begin(WatchedConnection connection, PublishPacket packet, SentExchange? before)
    {
        var client = connection.Client;
        judgements.Demand(
            !connection.Requests.Contains(packet.PacketId),
            ClientStatements.IdentifierFree,
            "that of SUBSCRIBE",
            Invariant($"PUBLISH takes the identifier {packet.PacketId} of a SUBSCRIBE or UNSUBSCRIBE without answer")
        );
        if (packet.Duplicate && before is null)
        {
            if (client.Dropped.TryGetValue(packet.PacketId, out var dropped) && dropped.Exchange.IsSame(packet))
                Kept(dropped.By, Invariant($"PUBLISH {packet.PacketId} with DUP"), "PUBLISH");
            else if (client.Connections == 1)
                judgements.Deviate(
                    ClientStatements.FirstWithoutDup,
                    "",
                    Invariant($"PUBLISH {packet.PacketId} has DUP, and was never sent before")
                );
        }
        else if (client.Connections == 1)
        {
            judgements.Check(ClientStatements.FirstWithoutDup);
        }
        client.Dropped.Remove(packet.PacketId);
        client.Exchanges[packet.PacketId] = new(packet, ++client.Messages) { On = connection };
    }

    private void TakenTwice(WatchedConnection connection, PublishPacket packet)
    {
        judgements.Check(ClientStatements.IdentifierFree);
        judgements.Deviate(
            ClientStatements.IdentifierFree,
            "that of PUBLISH",
            Invariant($"a new PUBLISH takes the identifier {packet.PacketId}, whose exchange is not over")
        );
        connection.Client.Exchanges[packet.PacketId] = new(packet, ++connection.Client.Messages) { On = connection };
    }

    private void SentAgain(WatchedConnection connection, SentExchange exchange, PublishPacket packet)
    {
        var words = Invariant($"PUBLISH {packet.PacketId}");
        var isLive = exchange.On == connection;
        judgements.Settle(connection, Invariant($"again {packet.PacketId}"));
        if (exchange.Stage == ExchangeStage.Done)
        {
            var statement = exchange.IsRefused ? ClientStatements.RefusedOnce : ClientStatements.AcknowledgedOnce;
            judgements.Deviate(statement, "", $"{words} is sent again behind its acknowledgement");
            return;
        }
        judgements.Demand(
            !exchange.IsReleased,
            ClientStatements.NoPublishBehindPubrel,
            isLive ? "" : "after a reconnect",
            $"{words} is sent again behind its PUBREL"
        );
        if (isLive && connection.IsV5)
            judgements.Deviate(ClientStatements.ResendOnlyThen, "", $"{words} is sent again on the same connection");
        judgements.Demand(packet.Duplicate, ClientStatements.DupOnResend, "", $"{words} is sent again without DUP");
        if (!isLive)
        {
            judgements.Demand(
                exchange.Number > connection.LastResent,
                ClientStatements.ResendOrder,
                "",
                $"{words} is sent again behind a message that was later"
            );
            connection.LastResent = exchange.Number;
        }
        exchange.On = connection;
        if (exchange.Stage is not (ExchangeStage.Received or ExchangeStage.Released))
            exchange.Stage = ExchangeStage.Published;
    }

    private void Released(WatchedConnection connection, SentExchange exchange)
    {
        var identifier = exchange.Packet.PacketId;
        if (exchange is { Stage: ExchangeStage.Done, IsRefused: true })
            judgements.Deviate(
                ClientStatements.NoPubrelForError,
                "",
                Invariant($"PUBREL {identifier} comes behind PUBREC with an error")
            );
        else if (exchange.Stage == ExchangeStage.Published)
            judgements.Deviate(
                ClientStatements.Pubrel,
                "without PUBREC",
                Invariant($"PUBREL {identifier} comes, and PUBREC was not sent")
            );
        exchange.IsReleased = true;
        if (exchange.Stage is ExchangeStage.Done or ExchangeStage.PerhapsDone)
            return;
        exchange.Stage = ExchangeStage.Released;
        exchange.On = connection;
    }

    private void Drop(WatchedConnection connection)
    {
        var client = connection.Client;
        client.Dropped.Clear();
        if (!connection.Connect.CleanStart && !connection.IsV5)
        {
            // MQTT 3.1.1 does not say what becomes of the client's state.
            foreach (var exchange in client.Exchanges.Values)
                if (exchange.On != connection)
                    exchange.Stage = ExchangeStage.Optional;
            return;
        }
        var by = connection.Connect.CleanStart ? DroppedBy.CleanStart : DroppedBy.NotPresent;
        foreach (var (identifier, exchange) in client.Exchanges.ToList())
            if (exchange.On != connection)
            {
                client.Exchanges.Remove(identifier);
                client.Dropped[identifier] = (exchange, by);
                judgements.Check(StatementOf(by));
            }
    }

    private void Kept(DroppedBy by, string words, string packet) =>
        judgements.Deviate(StatementOf(by), packet, $"{words} goes on with a session that is gone");

    private static Statement StatementOf(DroppedBy by) =>
        by == DroppedBy.CleanStart ? ClientStatements.CleanDropsState : ClientStatements.AbsentDropsState;
}
