using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>
/// Judges clients by the packets that a broker exchanges with them. In its trace the client is the one who sends.
/// </summary>
/// <param name="patience">How long a client may take to do what it owes.</param>
internal sealed class ClientMonitor(TimeSpan patience)
{
    private readonly Dictionary<int, WatchedClient> _clients = [];
    private readonly Dictionary<int, WatchedConnection> _connections = [];
    private readonly ClientJudgements _judgements = new(patience);

    private MessageWatch Messages => field ??= new(_judgements);

    private AnswerWatch Answers => field ??= new(_judgements);

    private LimitWatch Limits => field ??= new(_judgements);

    private ConnectionWatch Connections => field ??= new(_judgements);

    private HostileWatch Hostile => field ??= new(_judgements);

    public IReadOnlyList<TraceEntry> Trace => _judgements.Trace;

    public IReadOnlyList<Deviation> Deviations => _judgements.Deviations;

    public IReadOnlyDictionary<Statement, int> Exercised => _judgements.Exercised;

    /// <summary>Whether a client still owes something.</summary>
    public bool Owes => _judgements.Owes;

    /// <summary>The version that the first client speaks; null before it connects.</summary>
    public ProtocolVersion? Version { get; private set; }

    /// <summary>Whether the first client has messages without end.</summary>
    public bool HasOpenMessages =>
        _clients.TryGetValue(0, out var client)
        && client.Exchanges.Values.Any(exchange =>
            exchange.Stage is not (ExchangeStage.Done or ExchangeStage.PerhapsDone or ExchangeStage.Optional)
        );

    public void Observe(TraceEntry entry)
    {
        _judgements.Add(entry);
        if (entry.Kind == TraceKind.Sent)
            Sent(entry);
        else if (_connections.TryGetValue(entry.Connection, out var connection))
            Observe(connection, entry);
    }

    /// <summary>Time has passed, in which the broker may have withheld acknowledgements.</summary>
    public void Tick(long nanoseconds, bool isHeld)
    {
        foreach (var connection in _connections.Values)
            Connections.Tick(connection, nanoseconds);
        if (isHeld)
            _judgements.PutOffBehindWindow(nanoseconds);
        _judgements.Tick(nanoseconds);
    }

    /// <summary>A connection is seen to go on behind a hostile packet.</summary>
    public void GoesOn(int connection)
    {
        if (_connections.TryGetValue(connection, out var watched))
            _judgements.GiveUp(watched, HostileWatch.Key);
    }

    private void Observe(WatchedConnection connection, TraceEntry entry)
    {
        switch (entry.Kind)
        {
            case TraceKind.Received when entry.Detail.Length > 0:
                Hostile.Sent(connection, entry.Detail, entry.Nanoseconds);
                break;
            case TraceKind.Received:
                _judgements.IsSilent = connection.IsMisled;
                Received(connection, entry.Packet!, entry.Nanoseconds);
                _judgements.IsSilent = false;
                break;
            case TraceKind.ClosedByClient or TraceKind.ClosedByBroker:
                Connections.Ended(connection, entry.Nanoseconds, entry.Kind == TraceKind.ClosedByClient);
                MessageWatch.Ended(connection, entry.Nanoseconds);
                AnswerWatch.Ended(connection);
                _judgements.SettleAll(connection);
                _connections.Remove(entry.Connection);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(entry), entry.Kind, "no client is seen to do that");
        }
    }

    private void Sent(TraceEntry entry)
    {
        var connection = _connections.GetValueOrDefault(entry.Connection);
        _judgements.IsSilent = connection is { IsMisled: true };
        _judgements.Check(ClientStatements.Encoding);
        var name = entry.Packet is null ? "a packet" : Wording.Packet(entry.Packet.Type);
        foreach (var violation in entry.Violations)
            _judgements.Deviate(
                ClientStatements.Encoding,
                $"{violation.Statement} in {name}",
                $"{name} breaks {violation.Statement}: {violation.Message}"
            );
        if (connection is null)
            Begin(entry, name);
        else
            Sent(connection, entry);
        _judgements.IsSilent = false;
    }

    private void Sent(WatchedConnection connection, TraceEntry entry)
    {
        if (connection.Connack is null)
            connection.IsEager = true;
        Connections.Sent(connection, entry);
        Limits.Sent(connection, entry);
        switch (entry.Packet)
        {
            case PublishPacket publish:
                Messages.Published(connection, publish);
                break;
            case PubrelPacket release:
                Messages.Released(connection, release);
                break;
            case AckPacket answer:
                Answers.Answered(connection, answer);
                break;
            case SubscribePacket subscribe:
                Messages.Requested(connection, subscribe.PacketId, PacketType.Subscribe);
                break;
            case UnsubscribePacket unsubscribe:
                Messages.Requested(connection, unsubscribe.PacketId, PacketType.Unsubscribe);
                break;
            default:
                break;
        }
    }

    private void Begin(TraceEntry entry, string name)
    {
        // Nothing is known of a CONNECT that cannot be understood.
        if (entry.Violations.Count > 0 && entry.Packet is not ConnectPacket)
            return;
        _judgements.Demand(
            entry.Packet is ConnectPacket,
            ClientStatements.ConnectFirst,
            name,
            $"{name} is the first packet of a connection"
        );
        if (entry.Packet is not ConnectPacket connect)
            return;
        if (entry.Client == 0)
            Version ??= connect.ProtocolVersion;
        var client = _clients.GetOrNew(entry.Client);
        client.Connections++;
        _judgements.Check(ClientStatements.ConnectOnce);
        _connections[entry.Connection] = new(entry.Connection, client, connect)
        {
            LastSentNanoseconds = entry.Nanoseconds,
        };
    }

    private void Received(WatchedConnection connection, Packet packet, long nanoseconds)
    {
        connection.LastReceived = Words(packet);
        switch (packet)
        {
            case ConnackPacket connack:
                Accepted(connection, connack, nanoseconds);
                break;
            case PublishPacket or PubrelPacket:
                Answers.Delivered(connection, packet, nanoseconds);
                break;
            case SubackPacket suback:
                connection.Requests.Remove(suback.PacketId);
                break;
            case UnsubackPacket unsuback:
                connection.Requests.Remove(unsuback.PacketId);
                break;
            case DisconnectPacket:
                connection.MayEnd = true;
                break;
            case PubackPacket or PubrecPacket or PubcompPacket:
                Messages.Acknowledged(connection, (AckPacket)packet, nanoseconds);
                break;
            default:
                break;
        }
    }

    private void Accepted(WatchedConnection connection, ConnackPacket connack, long nanoseconds)
    {
        if (connack.ReasonCode.IsError() || connack.ReasonCode != ReasonCode.Success)
        {
            connection.MayEnd = true;
            return;
        }
        (connection.Connack, connection.AcceptedNanoseconds) = (connack, nanoseconds);
        // A client may wait for CONNACK in silence.
        connection.LastSentNanoseconds = nanoseconds;
        var client = connection.Client;
        var hadSession = client.HasSession && !connection.Connect.CleanStart;
        Connections.Accepted(connection, connack, hadSession, nanoseconds);
        Messages.Accepted(connection, connack.SessionPresent && hadSession, nanoseconds);
        if (!connack.SessionPresent)
            client.Unanswered.Clear();
        client.HasSession = connection.IsV5
            ? connection.Connect.Properties.SessionExpiryIntervalSeconds is > 0
            : !connection.Connect.CleanStart;
    }

    private static string Words(Packet packet) =>
        packet switch
        {
            PublishPacket publish => Invariant($"PUBLISH of QoS {(int)publish.Qos}")
                + (publish.Properties.TopicAlias is null ? "" : " with an alias")
                + (publish.Retain ? " with RETAIN" : "")
                + (publish.Duplicate ? " with DUP" : ""),
            ConnackPacket { Properties.IsEmpty: false } => "CONNACK with limits",
            ConnackPacket { SessionPresent: true } => "CONNACK with a session",
            AckPacket { ReasonCode: not ReasonCode.Success } answer =>
                $"{Wording.Packet(answer.Type)} with {answer.ReasonCode}",
            _ => Wording.Packet(packet.Type),
        };
}
