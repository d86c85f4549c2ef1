using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Conformance.Roles.Watching;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Roles.Playing;

/// <summary>
/// Plays the broker. It has neither socket nor clock: both are told to it. The first client that connects is the one
/// that the script is about; others get a broker that does what is right.
/// </summary>
internal sealed class BrokerPlayer
{
    // A client that sends more before CONNACK does not know its limits.
    private const long ConnackDelayNanoseconds = 20_000_000;

    private readonly IPlayedWire _wire;
    private readonly Dictionary<int, PlayedConnection> _connections = [];
    private readonly Dictionary<string, PlayedClient> _clients = new(StringComparer.Ordinal);
    private readonly PlayedAnswers _answers;
    private readonly PlayedScript _script;

    public BrokerPlayer(BrokerScript script, IPlayedWire wire, TimeSpan patience)
    {
        _wire = wire;
        Monitor = new(patience);
        _answers = new(this);
        _script = new(this, _answers, script, (long)patience.TotalNanoseconds);
    }

    public ClientMonitor Monitor { get; }

    public long NowNanoseconds { get; private set; }

    /// <summary>The client that the script is about; null before it connects.</summary>
    public PlayedClient? Subject { get; private set; }

    /// <summary>Whether the program has ended by itself.</summary>
    public bool HasProgramEnded { get; private set; }

    /// <summary>Whether the run is over.</summary>
    public bool IsOver => _script.IsOver;

    /// <summary>A CONNECT of the subject that waits for its CONNACK.</summary>
    public PlayedConnection? Pending =>
        Subject?.Connection is { IsOpen: true, IsAccepted: false } connection
        && NowNanoseconds - connection.ConnectNanoseconds >= ConnackDelayNanoseconds
            ? connection
            : null;

    public void Opened(int connection, long nanoseconds)
    {
        NowNanoseconds = nanoseconds;
        _connections[connection] = new(connection);
    }

    public void Received(int number, ReadOnlySpan<byte> bytes, long nanoseconds)
    {
        NowNanoseconds = nanoseconds;
        if (!_connections.TryGetValue(number, out var connection))
            return;
        while (connection.IsOpen)
        {
            var status = connection.Stream.TryRead(ref bytes, out var packet);
            if (status == FrameStatus.NeedMore)
                return;
            if (status == FrameStatus.Complete)
                Take(connection, packet);
            else
                Close(connection);
        }
    }

    /// <summary>The client ended a connection.</summary>
    public void Closed(int number, long nanoseconds)
    {
        NowNanoseconds = nanoseconds;
        if (_connections.Remove(number, out var connection) && connection.IsOpen)
            End(connection, TraceKind.ClosedByClient);
    }

    public void ProgramEnded(long nanoseconds)
    {
        NowNanoseconds = nanoseconds;
        HasProgramEnded = true;
    }

    public void Tick(long nanoseconds)
    {
        NowNanoseconds = nanoseconds;
        foreach (var client in _clients.Values)
            if (client != Subject && client.Connection is { IsOpen: true, IsAccepted: false } connection)
                _answers.Accept(connection, BrokerAct.Plain(BrokerVerbs.Accept));
        _script.Advance();
        Monitor.Tick(nanoseconds, _script.IsHolding);
    }

    /// <summary>Sends a packet, in pieces of so many bytes unless that is 0.</summary>
    public void Send(PlayedConnection connection, Packet packet, int pieceBytes = 0)
    {
        if (!connection.IsOpen)
            return;
        Observe(connection, TraceKind.Received, packet);
        Write(connection, Protocol.Encoders.PacketEncoder.Encode(packet, connection.Version), pieceBytes);
    }

    /// <summary>Sends bytes that break a rule.</summary>
    public void SendHostile(PlayedConnection connection, byte[] bytes, string name)
    {
        connection.IsToEnd = true;
        Monitor.Observe(
            new(NowNanoseconds, connection.Client!.Index, connection.Number, TraceKind.Received)
            {
                Raw = bytes,
                Detail = name,
            }
        );
        Write(connection, bytes, 0);
    }

    /// <summary>The broker ends a connection.</summary>
    public void Close(PlayedConnection connection)
    {
        if (!connection.IsOpen)
            return;
        End(connection, TraceKind.ClosedByBroker);
        _wire.Close(connection.Number);
    }

    private void Write(PlayedConnection connection, byte[] bytes, int pieceBytes)
    {
        var step = pieceBytes > 0 ? pieceBytes : bytes.Length;
        for (var from = 0; from < bytes.Length; from += step)
            _wire.Send(connection.Number, bytes.AsMemory(from, Math.Min(step, bytes.Length - from)));
    }

    private void Take(PlayedConnection connection, ReadOnlySpan<byte> bytes)
    {
        var observed = PacketDecoder.Observe(bytes, connection.Version, PacketOrigin.Client);
        if (connection.Connect is null && observed is { Packet: null, Violations: [{ ReasonCode: var reason }, ..] })
        {
            // A client may ask for a protocol that is not spoken here, and gets the answer of MQTT 3.1.1.
            if (reason == ReasonCode.UnsupportedProtocolVersion)
                Write(
                    connection,
                    Protocol.Encoders.PacketEncoder.Encode(new ConnackPacket(false, reason), ProtocolVersion.V311),
                    0
                );
            else
                Observe(connection, TraceKind.Sent, null, bytes, observed.Violations);
            Close(connection);
            return;
        }
        var isFirst = connection.Connect is null;
        if (isFirst && observed.Packet is ConnectPacket connect)
            Connect(connection, connect);
        Observe(connection, TraceKind.Sent, observed.Packet, bytes, observed.Violations);
        var isLegal = observed.Packet is not null and not AuthPacket && isFirst == observed.Packet is ConnectPacket;
        if (!isLegal)
            Close(connection);
        else if (isFirst)
            return;
        else if (connection.IsAccepted)
            Handle(connection, observed.Packet!);
        else
            connection.Early.Add(observed.Packet!);
    }

    /// <summary>Takes a packet of a connection that was accepted.</summary>
    public void Handle(PlayedConnection connection, Packet packet)
    {
        if (connection.Client == Subject)
            _script.Took(packet);
        _answers.Answer(connection, packet);
    }

    private void Connect(PlayedConnection connection, ConnectPacket connect)
    {
        if (!_clients.TryGetValue(connect.ClientId, out var client))
            _clients[connect.ClientId] = client = new(connect.ClientId, _clients.Count);
        Subject ??= client;
        if (client.Connection is { IsOpen: true } old)
            Close(old);
        (connection.Connect, connection.Client, connection.ConnectNanoseconds) = (connect, client, NowNanoseconds);
        client.Connection = connection;
        Observe(connection, TraceKind.Opened, null);
    }

    private void End(PlayedConnection connection, TraceKind kind)
    {
        connection.IsOpen = false;
        connection.Held.Clear();
        if (connection.Client is not { } client)
            return;
        Monitor.Observe(new(NowNanoseconds, client.Index, connection.Number, kind));
        client.EndedNanoseconds = NowNanoseconds;
        if (!connection.IsAccepted)
            return;
        var isV5 = connection.Version == ProtocolVersion.V5;
        if (isV5 ? client.ExpirySeconds == 0 : connection.Connect!.CleanStart)
            client.EndSession();
    }

    private void Observe(
        PlayedConnection connection,
        TraceKind kind,
        Packet? packet,
        ReadOnlySpan<byte> raw = default,
        ValueList<Violation> violations = default
    ) =>
        Monitor.Observe(
            new(NowNanoseconds, connection.Client?.Index ?? 0, connection.Number, kind)
            {
                Packet = packet,
                Raw = Bytes.Copy(raw),
                Violations = violations,
            }
        );
}
