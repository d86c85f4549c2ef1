using System.Collections.Concurrent;
using System.Net;
using System.Runtime.InteropServices;

namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>
/// The event loop of Linux: one thread owns every connection, reads what epoll reports, parses in place, and sends once per connection and batch.
/// Arrival stamps are the kernel's.
/// </summary>
internal sealed unsafe class EpollWire : IWire
{
    /// <summary>The longest rest of an earlier read that is put in front of the shared receive buffer.</summary>
    public const int ReceivePrefixBytes = BufferPool.SmallBytes;

    /// <summary>Least space for a read into a connection's own buffer.</summary>
    public const int LargeReadBytes = 16 << 10;

    // After this many due timers answers are read and requests sent, so that many timers at once do not delay each other's messages.
    private const int TimersPerRound = 16;

    private readonly long _coalescingNanoseconds;
    private readonly byte* _receiveBuffer;
    private readonly int _receiveBufferBytes;
    private readonly WakeUp _wakeUp;
    private readonly HashSet<EpollConnection> _connections = [];
    private readonly List<EpollListener> _listeners = [];
    private readonly ConcurrentQueue<Action> _posted = new();
    private readonly Queue<EpollConnection> _ended = new();
    private readonly Lock _running = new();
    private List<EpollConnection> _toFlush = [];
    private List<EpollConnection> _flushing = [];
    private List<EpollConnection> _toDeliver = [];
    private List<EpollConnection> _delivering = [];
    private List<(EpollConnection Connection, int Error)> _failedConnects = [];
    private List<(EpollConnection Connection, int Error)> _failing = [];
    private volatile bool _stopping;
    private bool _disposed;

    /// <summary>A loop without connections.</summary>
    /// <param name="options">Its settings, valid.</param>
    /// <param name="withTimerDescriptor">Waits as on systems without epoll_pwait2; for tests.</param>
    /// <exception cref="WireException">The system refuses descriptors.</exception>
    public EpollWire(WireOptions options, bool withTimerDescriptor = false)
    {
        _coalescingNanoseconds = MonotonicClock.Nanoseconds(options.TimerCoalescing);
        MaximumPendingBytes = options.MaximumPendingBytes;
        StartNanoseconds = MonotonicClock.NowNanoseconds;
        Set = new EpollSet(withTimerDescriptor);
        try
        {
            _wakeUp = new WakeUp(Set);
        }
        catch
        {
            Set.Dispose();
            throw;
        }
        _receiveBufferBytes = ReceivePrefixBytes + options.ReceiveBufferBytes;
        _receiveBuffer = (byte*)NativeMemory.Alloc((nuint)_receiveBufferBytes);
    }

    /// <inheritdoc/>
    public long NowNanoseconds => MonotonicClock.NowNanoseconds;

    /// <summary>How many unsent bytes a connection may hold.</summary>
    public int MaximumPendingBytes { get; }

    /// <summary>When the loop was made.</summary>
    public long StartNanoseconds { get; }

    /// <summary>The descriptors waited for.</summary>
    public EpollSet Set { get; }

    /// <summary>Reads with stamps.</summary>
    public StampedReceiver Receiver { get; } = new();

    /// <summary>Timers of the handlers and of the connections.</summary>
    public TimerHeap Timers { get; } = new();

    /// <summary>Buffers of the connections.</summary>
    public BufferPool Buffers { get; } = new();

    /// <summary>Where one connection at a time reads to.</summary>
    public Span<byte> ReceiveBuffer => new(_receiveBuffer, _receiveBufferBytes);

    /// <inheritdoc/>
    public WireConnection Connect(WireEndpoint endpoint, IWireHandler handler)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(handler);
        ObjectDisposedException.ThrowIf(_disposed, this);
        var descriptor = SocketCalls.Create(endpoint.Address.AddressFamily);
        var error = descriptor < 0 ? Errno.Last : 0;
        var connection = new EpollConnection(this, handler, descriptor);
        _connections.Add(connection);
        if (error == 0)
        {
            SocketCalls.Prepare(descriptor);
            error = SocketCalls.Connect(descriptor, endpoint.Address);
        }
        if (error == 0) error = connection.BeginConnecting(MonotonicClock.Nanoseconds(endpoint.ConnectTimeout));
        // In the next round, so that a handler that tries again at once does not keep the loop from everything else.
        if (error != 0) _failedConnects.Add((connection, error));
        return connection;
    }

    /// <inheritdoc/>
    public IPEndPoint Listen(IPEndPoint address, Func<IWireHandler> accept)
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(accept);
        ObjectDisposedException.ThrowIf(_disposed, this);
        var listener = new EpollListener(this, address, accept);
        _listeners.Add(listener);
        return listener.Address;
    }

    /// <inheritdoc/>
    public long Schedule(IWireHandler handler, long dueNanoseconds, int tag)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Timers.Add(handler, dueNanoseconds, tag);
    }

    /// <inheritdoc/>
    public void Cancel(long ticket) => Timers.Cancel(ticket);

    /// <inheritdoc/>
    public void Post(Action action)
    {
        ArgumentNullException.ThrowIfNull(action);
        _posted.Enqueue(action);
        _wakeUp.Signal();
    }

    /// <inheritdoc/>
    public void Stop()
    {
        _stopping = true;
        _wakeUp.Signal();
    }

    /// <inheritdoc/>
    public void Run()
    {
        lock (_running)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            using var slack = TimerSlack.MakeExact();
            try
            {
                while (!_stopping) RunRound();
            }
            finally
            {
                _stopping = false;
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_running.IsHeldByCurrentThread) throw new InvalidOperationException("A wire cannot be disposed from within its own Run; call Stop.");
        _stopping = true;
        _wakeUp.Signal();
        lock (_running)
        {
            if (_disposed) return;
            _disposed = true;
            foreach (var connection in _connections.ToArray()) connection.CloseDescriptor();
            foreach (var listener in _listeners) listener.Dispose();
            _wakeUp.Dispose();
            Set.Dispose();
            Receiver.Dispose();
            NativeMemory.Free(_receiveBuffer);
        }
    }

    /// <summary>Takes an accepted socket in.</summary>
    /// <param name="descriptor">The socket.</param>
    /// <param name="handler">Its handler.</param>
    public void Adopt(int descriptor, IWireHandler handler)
    {
        var connection = new EpollConnection(this, handler, descriptor);
        _connections.Add(connection);
        connection.BeginAccepted();
    }

    /// <summary>Has a connection flushed at the end of the batch.</summary>
    /// <param name="connection">The connection.</param>
    public void FlushLater(EpollConnection connection) => _toFlush.Add(connection);

    /// <summary>Has a connection offer its unconsumed bytes again in the next round.</summary>
    /// <param name="connection">The connection.</param>
    public void DeliverAgain(EpollConnection connection) => _toDeliver.Add(connection);

    /// <summary>Has the handler of a connection told of its end before the batch ends.</summary>
    /// <param name="connection">The connection.</param>
    public void AddEnded(EpollConnection connection) => _ended.Enqueue(connection);

    /// <summary>Removes a connection from the books.</summary>
    /// <param name="connection">The connection.</param>
    public void Forget(EpollConnection connection) => _connections.Remove(connection);

    private void RunRound()
    {
        var events = Set.Wait(NowNanoseconds, NextWakeUp());
        if (events > 0) Receiver.CheckClock();
        for (var i = 0; i < events; i++) Set.Dispatch(i);
        FailConnects();
        DeliverUnconsumed();
        RunPosted();
        FireTimers();
        TellEnds();
        Flush();
        TellEnds();
    }

    private long NextWakeUp()
    {
        if (_failedConnects.Count > 0 || _toDeliver.Count > 0 || _toFlush.Count > 0 || _ended.Count > 0) return 0;
        var due = Timers.NextDue;
        if (_coalescingNanoseconds == 0 || due == long.MaxValue) return due;
        var remainder = due % _coalescingNanoseconds;
        return remainder == 0 ? due : due + _coalescingNanoseconds - remainder;
    }

    private void FailConnects()
    {
        if (_failedConnects.Count == 0) return;
        (_failing, _failedConnects) = (_failedConnects, _failing);
        foreach (var (connection, error) in _failing) connection.End(Errno.ConnectReason(error), Errno.Text(error));
        _failing.Clear();
    }

    private void DeliverUnconsumed()
    {
        if (_toDeliver.Count == 0) return;
        (_delivering, _toDeliver) = (_toDeliver, _delivering);
        foreach (var connection in _delivering) connection.DeliverAgain();
        _delivering.Clear();
    }

    private void RunPosted()
    {
        // Those posted meanwhile wait for the next round, for which their signal has already been given.
        for (var count = _posted.Count; count > 0 && _posted.TryDequeue(out var action); count--) action();
    }

    private void FireTimers()
    {
        if (Timers.Count == 0) return;
        var newInThisRound = Timers.NextSequence;
        var now = NowNanoseconds;
        for (var fired = 0; fired < TimersPerRound && Timers.TryTake(now, newInThisRound, out var timer); fired++)
        {
            timer.Fire(now);
            now = NowNanoseconds;
        }
    }

    private void TellEnds()
    {
        while (_ended.TryDequeue(out var connection)) connection.TellEnd();
    }

    private void Flush()
    {
        if (_toFlush.Count == 0) return;
        (_flushing, _toFlush) = (_toFlush, _flushing);
        foreach (var connection in _flushing) connection.Flush();
        _flushing.Clear();
    }
}
