using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.LiveClusters.InMemory;

/// <summary>
/// The part of a wire in memory that belongs to one process. The process can be killed, and then acts no more. It can
/// also be frozen, and then its events wait.
/// </summary>
/// <param name="wire">The wire of all processes.</param>
internal sealed class ByteProcess(MemoryWire wire) : IWire
{
    private readonly HashSet<WireConnection> _open = [];
    private readonly List<IPEndPoint> _served = [];
    private readonly Queue<Action> _timers = new();
    private readonly Queue<Action> _happened = new();
    private bool _isFrozen;

    // Events wait while the process is frozen, and until all events that have waited are done.
    private bool _isHeld;
    private bool _isDead;

    public long NowNanoseconds => wire.NowNanoseconds;

    public WireConnection Connect(WireEndpoint endpoint, IWireHandler handler)
    {
        var connection = wire.Connect(endpoint, new GuardedHandler(this, handler, isOwn: true));
        _open.Add(connection);
        return connection;
    }

    public IPEndPoint Listen(WireListener listener, Func<IWireHandler?> accept)
    {
        var address = wire.Listen(
            listener,
            () => !_isDead && accept() is { } handler ? new GuardedHandler(this, handler, isOwn: false) : null
        );
        _served.Add(address);
        return address;
    }

    public long Schedule(ITimerHandler handler, long dueNanoseconds, int tag) =>
        wire.Schedule(new GuardedTimer(this, handler), dueNanoseconds, tag);

    public void Cancel(long ticket) => wire.Cancel(ticket);

    public void Post(Action action) => wire.Post(action);

    public void Run() => wire.Run();

    public void Stop() => wire.Stop();

    public void Dispose() => Kill();

    /// <summary>Ends it at once.</summary>
    public void Kill()
    {
        _isDead = true;
        _timers.Clear();
        _happened.Clear();
        foreach (var address in _served)
            wire.StopListening(address);
        foreach (var connection in _open)
            connection.Abort();
        _open.Clear();
    }

    /// <summary>Suspends it.</summary>
    public void Freeze() => (_isFrozen, _isHeld) = (true, true);

    /// <summary>
    /// Resumes it. Timers that have become due come first, as in the simulator of frames. Each round of the wire
    /// handles one event, so that packets keep their order.
    /// </summary>
    public void Continue()
    {
        _isFrozen = false;
        CatchUp();
    }

    private void CatchUp()
    {
        if (_isFrozen || _isDead)
            return;
        if (!_timers.TryDequeue(out var next) && !_happened.TryDequeue(out next))
        {
            _isHeld = false;
            return;
        }
        next();
        wire.At(0, CatchUp);
    }

    private void Happen(Queue<Action> waiting, Action action)
    {
        if (_isDead)
            return;
        if (_isHeld)
            waiting.Enqueue(action);
        else
            action();
    }

    private sealed class GuardedTimer(ByteProcess process, ITimerHandler handler) : ITimerHandler
    {
        public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) =>
            process.Happen(process._timers, () => handler.OnTimer(dueNanoseconds, process.NowNanoseconds, tag));
    }

    private sealed class GuardedHandler(ByteProcess process, IWireHandler handler, bool isOwn) : IWireHandler
    {
        public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
        {
            if (!process._isDead)
                process._open.Add(connection);
            if (isOwn && process is { _isFrozen: false, _isDead: false })
                // A connection opened while catching up does not wait behind old events, so that its packets keep their
                // order.
                Connected(connection);
            else
                process.Happen(process._happened, () => Connected(connection));
        }

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            if (process._isDead)
                return bytes.Length;
            if (!process._isHeld)
                return handler.OnBytes(connection, bytes, stamp);
            // Links hand on whole packets, so no bytes are left over when these are read later.
            var (copy, at) = (bytes.ToArray(), stamp);
            process._happened.Enqueue(() => handler.OnBytes(connection, copy, at));
            return bytes.Length;
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
        {
            var at = stamp;
            process._open.Remove(connection);
            process.Happen(process._happened, () => handler.OnClosed(connection, reason, detail, at));
        }

        // A process accepts a connection when it runs. The wait of its client therefore does not count against the
        // CONNECT.
        private void Connected(WireConnection connection) =>
            handler.OnConnected(connection, new(process.NowNanoseconds, FromKernel: false));
    }
}
