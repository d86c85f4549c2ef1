using System.Diagnostics;
using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.Conformance.Roles.Playing;

/// <summary>
/// Plays the lines of a script one after the other. A line that makes no sense is left out, so every part of a script
/// is a script. Behind the last line the broker does what is right until the client owes nothing.
/// </summary>
internal sealed class PlayedScript(
    BrokerPlayer player,
    PlayedAnswers answers,
    BrokerScript script,
    long patienceNanoseconds
)
{
    // A program needs time to start, and a client to come back.
    private const long ConnectPatienceNanoseconds = 8_000_000_000;
    private const long AwaitPatienceNanoseconds = 2_000_000_000;
    private const long SettleNanoseconds = 300_000_000;

    // A client that has handled what came behind a hostile packet closes now, or does not.
    private const long BehindNanoseconds = 300_000_000;

    private int _next;
    private long _concludingNanoseconds;
    private long _beganNanoseconds = -1;
    private int _awaited;
    private int _messages;
    private ushort _probe;
    private long _probedNanoseconds;

    public bool IsOver { get; private set; }

    public bool IsHolding => answers.IsHolding;

    private PlayedConnection? Open =>
        player.Subject?.Connection is { IsOpen: true, IsAccepted: true } connection ? connection : null;

    private long Elapsed => player.NowNanoseconds - _beganNanoseconds;

    /// <summary>The client sent a packet.</summary>
    public void Took(Packet packet)
    {
        if (_next < script.Acts.Count && script.Acts[_next] is { Verb: BrokerVerbs.Await } act)
            if (act.Has(packet.Type.ToString().ToLowerInvariant()))
                _awaited++;
        if (packet is PubackPacket answer && answer.PacketId == _probe && _probedNanoseconds == 0)
            _probedNanoseconds = player.NowNanoseconds;
    }

    /// <summary>Plays what can be played now.</summary>
    public void Advance()
    {
        while (_next < script.Acts.Count)
        {
            if (_beganNanoseconds < 0)
                Begin();
            if (!IsDone(script.Acts[_next]))
                return;
            _next++;
            _beganNanoseconds = -1;
        }
        if (!IsOver)
            Conclude();
    }

    private void Begin() =>
        (_beganNanoseconds, _awaited, _probe, _probedNanoseconds) = (player.NowNanoseconds, 0, 0, 0);

    private bool IsDone(BrokerAct act)
    {
        switch (act.Verb)
        {
            case BrokerVerbs.Accept:
                return IsConnected(connection => answers.Accept(connection, act));
            case BrokerVerbs.Refuse:
                return IsConnected(connection => answers.Refuse(connection, act));
            case BrokerVerbs.Await:
                return Open is null || _awaited >= (act.Number("count") ?? 1) || Elapsed > AwaitPatienceNanoseconds;
            case BrokerVerbs.Malformed:
                return IsRejected(act.Words[0]);
            case BrokerVerbs.Wait:
                return Elapsed >= act.Number("ms")!.Value * 1_000_000L;
            case BrokerVerbs.Hold:
                answers.Hold(act);
                return true;
            case BrokerVerbs.Release:
                answers.Release();
                return true;
            case BrokerVerbs.Answer:
                answers.Set(act);
                return true;
            case BrokerVerbs.Send:
                Deliver(act);
                return true;
            case BrokerVerbs.Close:
                if (Open is { } closed)
                    player.Close(closed);
                return true;
            case BrokerVerbs.Disconnect:
                Disconnect(act);
                return true;
            default:
                throw new UnreachableException();
        }
    }

    private bool IsConnected(Action<PlayedConnection> answer)
    {
        if (player.Pending is { } pending)
        {
            answer(pending);
            return true;
        }
        // A client that was told to end its connection may need its time.
        if (Open is { } open)
            return !open.IsToEnd || Elapsed > patienceNanoseconds;
        return IsGone;
    }

    private bool IsGone => Elapsed > ConnectPatienceNanoseconds || player.HasProgramEnded;

    private bool IsRejected(string name)
    {
        if (Open is not { } connection)
            return true;
        if (!connection.IsToEnd)
        {
            var topic = player.Subject!.Subscriptions.Keys.Select(Topic).FirstOrDefault("mqttcheck");
            if (HostilePackets.Bytes(name, connection.Version, topic) is not { } bytes)
                return true;
            player.SendHostile(connection, bytes, name);
            Probe(connection);
            return false;
        }
        var isDecided =
            (_probedNanoseconds > 0 && player.NowNanoseconds - _probedNanoseconds > BehindNanoseconds)
            || Elapsed > patienceNanoseconds + BehindNanoseconds;
        if (!isDecided)
            return false;
        player.Monitor.GoesOn(connection.Number);
        player.Close(connection);
        return true;
    }

    // An answer to what comes behind a packet shows that the client has handled that packet.
    private void Probe(PlayedConnection connection)
    {
        var subscribed = player.Subject!.Subscriptions.Where(pair => pair.Value > QualityOfService.AtMostOnce).ToList();
        if (subscribed.Count == 0)
            return;
        _probe = player.Subject.NextIdentifier();
        player.Send(
            connection,
            new PublishPacket
            {
                Topic = Topic(subscribed[0].Key),
                Qos = QualityOfService.AtLeastOnce,
                PacketId = _probe,
                Payload = Bytes.FromText("behind"),
            }
        );
    }

    private void Deliver(BrokerAct act)
    {
        if (Open is not { IsToEnd: false } connection || player.Subject!.Subscriptions.Count == 0)
            return;
        var (filter, granted) = player.Subject.Subscriptions.First();
        var qos = (QualityOfService)Math.Min(act.Number("qos") ?? 1, (int)granted);
        for (var i = 0; i < (act.Number("count") ?? 1); i++)
        {
            var packet = new PublishPacket
            {
                Topic = Topic(filter),
                Qos = qos,
                Retain = act.Has("retain"),
                PacketId = qos == QualityOfService.AtMostOnce ? (ushort)0 : player.Subject.NextIdentifier(),
                Payload = Bytes.FromText(Invariant($"b{++_messages}").PadRight(act.Number("size") ?? 0, '.')),
            };
            if (IsTooLarge(connection, packet))
                return;
            Deliver(connection, act, packet);
        }
    }

    private void Deliver(PlayedConnection connection, BrokerAct act, PublishPacket packet)
    {
        var pieces = act.Number("split") ?? 0;
        if (packet.Qos == QualityOfService.AtMostOnce)
        {
            player.Send(connection, act.Has("alias") ? Aliased(connection, packet) : packet, pieces);
            return;
        }
        player.Subject!.Deliveries.Add(new(packet) { IsTwice = act.Has("twice"), PieceBytes = pieces });
        answers.Pump(connection);
    }

    // An alias holds for one connection, so only what is never sent again may go without a topic.
    private static PublishPacket Aliased(PlayedConnection connection, PublishPacket packet)
    {
        if (connection.Version != ProtocolVersion.V5 || connection.Connect!.Properties.TopicAliasMaximum is null or 0)
            return packet;
        var isKnown = connection.AliasedTopic == packet.Topic;
        connection.AliasedTopic = packet.Topic;
        return packet with
        {
            Topic = isKnown ? "" : packet.Topic,
            Properties = new() { TopicAlias = 1 },
        };
    }

    private static bool IsTooLarge(PlayedConnection connection, PublishPacket packet) =>
        PacketEncoder.GetLength(packet, connection.Version) + 8
        > (connection.Connect!.Properties.MaximumPacketSizeBytes ?? uint.MaxValue);

    private void Disconnect(BrokerAct act)
    {
        if (Open is not { } connection)
            return;
        if (connection.Version == ProtocolVersion.V5)
            player.Send(
                connection,
                new DisconnectPacket((ReasonCode)(act.Number("code") ?? (int)ReasonCode.ServerShuttingDown))
            );
        player.Close(connection);
    }

    // Does what is right until nothing is owed.
    private void Conclude()
    {
        if (_beganNanoseconds < 0)
        {
            Begin();
            _concludingNanoseconds = player.NowNanoseconds;
            answers.Release();
            answers.Set(BrokerAct.Plain(BrokerVerbs.Answer));
        }
        if (player.Pending is { } pending)
        {
            answers.Accept(pending, BrokerAct.Plain(BrokerVerbs.Accept));
            _beganNanoseconds = player.NowNanoseconds;
        }
        if (Open is null)
            IsOver = IsGone || (player.Subject is { Connection.IsOpen: false } && !player.Monitor.HasOpenMessages);
        else
            IsOver = Elapsed > SettleNanoseconds && (!player.Monitor.Owes || Elapsed > 2 * patienceNanoseconds);
        // A client that ends every connection would never come to an end.
        IsOver |= player.NowNanoseconds - _concludingNanoseconds > ConnectPatienceNanoseconds + 2 * patienceNanoseconds;
        if (IsOver && Open is { } connection)
            player.Close(connection);
    }

    private static string Topic(string filter)
    {
        var plain = filter.StartsWith("$share/", StringComparison.Ordinal) ? filter.Split('/', 3)[^1] : filter;
        return plain.Replace('+', 'x').Replace('#', 'x');
    }
}
