using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Delays;
using MqttCheck.Broker.Sessions;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Embedded;

/// <summary>
/// Carries the broker's core on a wire: bytes and timers in, packets out. All of it runs on the wire's thread.
/// </summary>
internal sealed class BrokerHost : IBrokerOutput, ITimerHandler
{
    /// <summary>
    /// With more unsent bytes than this a connection gets no more messages; the wire gives a connection up far later.
    /// </summary>
    public const int CongestedBytes = 4 << 20;

    private readonly BrokerCore _core;
    private readonly DelaySchedule? _delays;
    private readonly Action<string>? _log;
    private readonly int _connectionLimit;
    private HostedConnection?[] _connections = new HostedConnection?[16];
    private readonly EarliestTimer _timer;
    private int _handshakes;

    public BrokerHost(IWire wire, EmbeddedBrokerOptions options)
    {
        (Wire, _log, _connectionLimit) = (wire, options.Log, options.Broker.Limits.Connections);
        _timer = new EarliestTimer(wire, this);
        _core = new BrokerCore(options.Broker, this);
        if (!options.Delays.IsEmpty)
            _delays = new DelaySchedule(options.Delays, options.Broker.Seed, wire.NowNanoseconds);
    }

    public IWire Wire { get; }

    public BrokerCounters Counters => _core.Counters;

    /// <summary>
    /// The time of the event that the core is handling: the arrival of a packet, or the due time of a timer.
    /// </summary>
    public long CauseNanoseconds { get; private set; }

    /// <summary>Routes a peer's message to the sessions of this broker.</summary>
    public void Inject(Message message)
    {
        _core.Inject(message, Wire.NowNanoseconds);
        Arm();
    }

    /// <summary>Releases the acknowledgement of a publication.</summary>
    public void Accept(long token) => _core.Accept(token);

    public IPEndPoint Listen(WireListener listener) => Wire.Listen(listener, Accept);

    /// <summary>The handshakes of a connection are over, or there are none.</summary>
    public void Opened(HostedConnection connection, long now)
    {
        _handshakes--;
        CauseNanoseconds = now;
        if (!_core.TryOpen(now, out var number))
            throw new InvalidOperationException("A connection that was accepted within the limit exceeds it.");
        if (number >= _connections.Length)
            Array.Resize(ref _connections, Math.Max(number + 1, 2 * _connections.Length));
        _connections[number] = connection;
        connection.Attach(number, _delays);
        Arm();
    }

    public int Received(HostedConnection connection, ReadOnlySpan<byte> bytes, long arrival)
    {
        CauseNanoseconds = arrival;
        var consumed = _core.Receive(connection.Number, bytes, arrival);
        Arm();
        return consumed;
    }

    /// <summary>A connection has ended during its handshakes.</summary>
    public void NotOpened(string why)
    {
        _handshakes--;
        _log?.Invoke($"a connection is lost before its first packet: {why}");
    }

    public void Lost(HostedConnection connection, string why, long now)
    {
        CauseNanoseconds = now;
        _log?.Invoke($"connection {connection.Number} lost: {why}");
        _connections[connection.Number] = null;
        _core.Lost(connection.Number, now);
        Arm();
    }

    public void Drained(HostedConnection connection, long now)
    {
        CauseNanoseconds = now;
        _core.Drained(connection.Number, now);
        Arm();
    }

    /// <summary>Ends all connections.</summary>
    public void Shutdown()
    {
        CauseNanoseconds = Wire.NowNanoseconds;
        _core.Shutdown(CauseNanoseconds);
        _delays?.Release(long.MaxValue);
    }

    /// <summary>Ends the connections and sessions of clients; those of peers stay.</summary>
    public void Dismiss()
    {
        CauseNanoseconds = Wire.NowNanoseconds;
        _core.Dismiss(CauseNanoseconds);
        _delays?.Release(long.MaxValue);
        Arm();
    }

    void IBrokerOutput.Accepted(int connection, string clientId, ProtocolVersion version) =>
        _log?.Invoke($"connection {connection} accepted: client '{clientId}', {version}");

    void IBrokerOutput.Send(int connection, ReadOnlySpan<byte> packet) =>
        _connections[connection]!.Send(packet, CauseNanoseconds);

    void IBrokerOutput.Close(int connection, BrokerCloseReason reason)
    {
        _log?.Invoke($"connection {connection} closed: {reason}");
        var closed = _connections[connection]!;
        _connections[connection] = null;
        closed.Close(CauseNanoseconds);
    }

    bool IBrokerOutput.IsCongested(int connection) => _connections[connection]!.IsCongested;

    void IBrokerOutput.PauseReading(int connection, long forNanoseconds) =>
        _connections[connection]!.PauseUntil(Wire.NowNanoseconds + forNanoseconds);

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        _timer.Fired();
        // The due time of a timer counts as the cause, however late the wire wakes.
        CauseNanoseconds = dueNanoseconds;
        _core.Tick(nowNanoseconds);
        _delays?.Release(nowNanoseconds);
        Arm();
    }

    // A connection counts from its acceptance, because one that never ends its handshakes costs as much as others.
    private HostedConnection? Accept()
    {
        if (_core.Counters.Connections + _handshakes >= _connectionLimit)
        {
            _log?.Invoke("a connection is turned away: there are as many as the limits allow");
            return null;
        }
        _handshakes++;
        return new HostedConnection(this);
    }

    private void Arm() => _timer.Arm(Math.Min(_core.NextDue, _delays?.NextDue ?? long.MaxValue));
}
