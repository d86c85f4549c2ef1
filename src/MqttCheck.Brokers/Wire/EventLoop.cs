using System.Collections.Concurrent;
using System.Net;
using MqttCheck.Brokers.Wire.Layers;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Wire;

/// <summary>
/// The common part of all wires: timers, posted actions, and the order of a round. A round waits for events and handles
/// them, runs posted actions, and fires due timers. Then it tells handlers of ended connections, and sends all queued
/// bytes.
/// </summary>
/// <param name="options">Its settings, valid.</param>
internal abstract class EventLoop(WireOptions options) : IWire
{
    // The loop reads answers and sends requests after this many due timers. Many simultaneous timers then do not delay
    // each other's messages.
    private const int TimersPerRound = 16;

    // The buffer holds the largest TLS record.
    private const int ScratchBytes = 16 << 10;

    private readonly long _coalescingNanoseconds = MonotonicClock.Nanoseconds(options.TimerCoalescing);
    private readonly ConcurrentQueue<Action> _posted = new();
    private readonly Queue<LoopConnection> _ended = new();
    private readonly Lock _running = new();
    private List<LoopConnection> _toFlush = [];
    private List<LoopConnection> _flushing = [];
    private readonly List<ILoopStep> _layersToFlush = [];
    private List<ILoopStep> _toDeliver = [];
    private List<ILoopStep> _delivering = [];
    private List<(LoopConnection Connection, CloseReason Reason, string Detail)> _failed = [];
    private List<(LoopConnection Connection, CloseReason Reason, string Detail)> _failing = [];
    private byte[]? _scratchBuffer;
    private volatile bool _stopping;
    private volatile int _threadId;

    /// <inheritdoc/>
    public virtual long NowNanoseconds => MonotonicClock.NowNanoseconds;

    /// <summary>How many unsent bytes a connection may hold.</summary>
    public int MaximumPendingBytes { get; } = options.MaximumPendingBytes;

    /// <summary>Timers of the handlers and of the wire itself.</summary>
    public TimerHeap Timers { get; } = new();

    /// <summary>Buffers of the connections.</summary>
    public BufferPool Buffers { get; } = new();

    /// <summary>
    /// Whether long computations run on the thread pool; otherwise on the loop's thread, so that runs are equal.
    /// </summary>
    public virtual bool ComputesOnThreadPool => true;

    /// <summary>The buffer into which a layer of one connection at a time decodes.</summary>
    public byte[] ScratchBuffer => _scratchBuffer ??= GC.AllocateUninitializedArray<byte>(ScratchBytes);

    /// <summary>Connections that have not ended.</summary>
    protected HashSet<LoopConnection> Connections { get; } = [];

    /// <summary>Whether the wire was disposed.</summary>
    protected bool IsDisposed { get; private set; }

    /// <summary>Whether actions wait to be run.</summary>
    protected bool HasPosted => !_posted.IsEmpty;

    /// <inheritdoc/>
    public WireConnection Connect(WireEndpoint endpoint, IWireHandler handler)
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        return LayerStack.Connect(this, endpoint, handler);
    }

    /// <inheritdoc/>
    public IPEndPoint Listen(WireListener listener, Func<IWireHandler?> accept)
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        return ListenOnTransport(listener.Address, LayerStack.Accept(this, listener, accept));
    }

    /// <summary>Begins to connect, without any layer.</summary>
    /// <param name="endpoint">The address to connect to.</param>
    /// <param name="handler">Who is told.</param>
    public abstract WireConnection ConnectTransport(WireEndpoint endpoint, IWireHandler handler);

    /// <inheritdoc/>
    public long Schedule(ITimerHandler handler, long dueNanoseconds, int tag)
    {
        return Timers.Add(handler, dueNanoseconds, tag);
    }

    /// <inheritdoc/>
    public void Cancel(long ticket) => Timers.Cancel(ticket);

    /// <inheritdoc/>
    public void Post(Action action)
    {
        _posted.Enqueue(action);
        // The loop's own thread checks for posted actions before it waits again.
        if (Environment.CurrentManagedThreadId != _threadId)
            Wake();
    }

    /// <inheritdoc/>
    public void Stop()
    {
        _stopping = true;
        Wake();
    }

    /// <inheritdoc/>
    public void Run()
    {
        lock (_running)
        {
            ObjectDisposedException.ThrowIf(IsDisposed, this);
            _threadId = Environment.CurrentManagedThreadId;
            try
            {
                RunRounds();
            }
            finally
            {
                _threadId = 0;
                _stopping = false;
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_running.IsHeldByCurrentThread)
            throw new InvalidOperationException("A wire cannot be disposed from within its own Run; call Stop.");
        Stop();
        lock (_running)
        {
            if (IsDisposed)
                return;
            IsDisposed = true;
            foreach (var connection in Connections)
                connection.CloseSilently();
            Connections.Clear();
            DisposeTransport();
        }
    }

    /// <summary>Adds a connection to the books.</summary>
    /// <param name="connection">The connection.</param>
    public void Add(LoopConnection connection) => Connections.Add(connection);

    /// <summary>Removes an ended connection, whose handler is told before the batch ends.</summary>
    /// <param name="connection">The connection.</param>
    public void AddEnded(LoopConnection connection)
    {
        Connections.Remove(connection);
        _ended.Enqueue(connection);
    }

    /// <summary>
    /// Ends a connection in the next round, so that a handler that connects again at once does not keep the loop from
    /// everything else.
    /// </summary>
    /// <param name="connection">The connection.</param>
    /// <param name="reason">Why.</param>
    /// <param name="detail">The system's words.</param>
    public void EndLater(LoopConnection connection, CloseReason reason, string detail) =>
        _failed.Add((connection, reason, detail));

    /// <summary>Flushes a connection at the end of the batch.</summary>
    /// <param name="connection">The connection.</param>
    public void FlushLater(LoopConnection connection) => _toFlush.Add(connection);

    /// <summary>Lets a connection offer its unconsumed bytes again in the next round.</summary>
    /// <param name="connection">The connection.</param>
    public void DeliverLater(ILoopStep connection) => _toDeliver.Add(connection);

    /// <summary>Flushes a layer at the end of the batch, before the connections.</summary>
    /// <param name="layer">The layer.</param>
    public void FlushLayerLater(ILoopStep layer) => _layersToFlush.Add(layer);

    /// <summary>Serves connections, without any layer.</summary>
    /// <param name="address">The address to serve; port 0 takes a free one.</param>
    /// <param name="accept">
    /// Makes the handler of each accepted connection, when its handshakes begin; null turns it away.
    /// </param>
    protected abstract IPEndPoint ListenOnTransport(IPEndPoint address, Func<IWireHandler?> accept);

    /// <summary>Runs rounds until <see cref="Stop"/>.</summary>
    protected virtual void RunRounds()
    {
        while (!_stopping)
        {
            HandleEvents(NextWakeUp());
            EndFailed();
            DeliverUnconsumed();
            RunPosted();
            FireTimers();
            TellEnds();
            Flush();
            TellEnds();
        }
    }

    /// <summary>Waits for events and handles a batch of them.</summary>
    /// <param name="until">
    /// How long to wait at most; a time in the past does not wait, <see cref="long.MaxValue"/> waits for events only.
    /// </param>
    protected abstract void HandleEvents(long until);

    /// <summary>Ends the wait. Safe from any thread, even after disposal.</summary>
    protected abstract void Wake();

    /// <summary>Frees the resources of the transport; the connections are closed already.</summary>
    protected abstract void DisposeTransport();

    private long NextWakeUp()
    {
        if (
            _failed.Count > 0
            || _toDeliver.Count > 0
            || _toFlush.Count > 0
            || _layersToFlush.Count > 0
            || _ended.Count > 0
            || HasPosted
        )
            return 0;
        var due = Timers.NextDue;
        if (_coalescingNanoseconds == 0 || due == long.MaxValue)
            return due;
        var remainder = due % _coalescingNanoseconds;
        return remainder == 0 ? due : due + _coalescingNanoseconds - remainder;
    }

    private void EndFailed()
    {
        if (_failed.Count == 0)
            return;
        (_failing, _failed) = (_failed, _failing);
        foreach (var (connection, reason, detail) in _failing)
            connection.End(reason, detail);
        _failing.Clear();
    }

    private void DeliverUnconsumed()
    {
        if (_toDeliver.Count == 0)
            return;
        (_delivering, _toDeliver) = (_toDeliver, _delivering);
        foreach (var connection in _delivering)
            connection.DeliverAgain();
        _delivering.Clear();
    }

    private void RunPosted()
    {
        // Actions that are posted meanwhile run in the next round, which begins without sleep.
        for (var count = _posted.Count; count > 0 && _posted.TryDequeue(out var action); count--)
            action();
    }

    private void FireTimers()
    {
        if (Timers.Count == 0)
            return;
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
        while (_ended.TryDequeue(out var connection))
            connection.TellEnd();
    }

    private void Flush()
    {
        // The upper of two layers marks the lower one for flushing.
        for (var i = 0; i < _layersToFlush.Count; i++)
            _layersToFlush[i].Flush();
        _layersToFlush.Clear();
        if (_toFlush.Count == 0)
            return;
        (_flushing, _toFlush) = (_toFlush, _flushing);
        foreach (var connection in _flushing)
            connection.Flush();
        _flushing.Clear();
    }
}
