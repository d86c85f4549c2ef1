using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Wire.Layers;

/// <summary>
/// A protocol between a connection and its handler. It is a handler to the connection below and a connection to the
/// handler above, with the same guarantees. Layers stack: WebSocket on TLS on TCP.
/// </summary>
/// <param name="loop">The loop of the connection.</param>
/// <param name="upper">Who is told.</param>
/// <param name="deadlineNanoseconds">When the handshake has to be over.</param>
internal abstract class ConnectionLayer(EventLoop loop, IWireHandler upper, long deadlineNanoseconds)
    : WireConnection,
        IWireHandler,
        ITimerHandler,
        ILoopStep
{
    private readonly ByteQueue _outgoing = new(loop.Buffers);
    private WireConnection? _lower;
    private (CloseReason Reason, string Detail)? _end;
    private (CloseReason Reason, string Detail, ArrivalStamp Stamp)? _lowerEnd;
    private ArrivalStamp _lastArrival;
    private long _deadlineTicket;
    private int _offered;
    private bool _paused;
    private bool _isMarked;
    private bool _hasUnstamped;
    private bool _peerEnded;

    /// <inheritdoc/>
    public sealed override int PendingBytes => _outgoing.Count + (_lower?.PendingBytes ?? 0);

    /// <inheritdoc/>
    public sealed override bool ReadingPaused
    {
        get => _paused;
        set
        {
            if (value == _paused || Stage is LayerStage.Closing or LayerStage.Ended)
                return;
            _paused = value;
            if (Stage != LayerStage.Open)
                return;
            Lower.ReadingPaused = value;
            if (!value && (Incoming.Count > 0 || _peerEnded))
                Loop.DeliverLater(this);
        }
    }

    /// <summary>The stage of the layer's life.</summary>
    protected LayerStage Stage { get; private set; }

    /// <summary>The loop of the connection.</summary>
    protected EventLoop Loop => loop;

    /// <summary>The connection below.</summary>
    protected WireConnection Lower => _lower!;

    /// <summary>Bytes for the handler that it has not consumed.</summary>
    protected ByteQueue Incoming { get; } = new(loop.Buffers);

    /// <summary>Whether the connection below ended while the layer was still processing earlier bytes.</summary>
    protected bool HasLowerEnded => _lowerEnd is not null;

    /// <summary>The name of the layer in messages, for example <c>TLS</c>.</summary>
    protected abstract string Name { get; }

    /// <summary>Tells the layer which connection it is on, before that connection is made.</summary>
    /// <param name="lower">The connection.</param>
    public void Attach(WireConnection lower) => _lower = lower;

    /// <inheritdoc/>
    public sealed override void Send(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty || Stage is LayerStage.Closing or LayerStage.Ended)
            return;
        if (bytes.Length > Loop.MaximumPendingBytes - PendingBytes)
        {
            Break(
                CloseReason.SendBufferFull,
                $"{PendingBytes} bytes wait to be sent, {bytes.Length} "
                    + $"more would exceed the limit of {Loop.MaximumPendingBytes}"
            );
            return;
        }
        _outgoing.Append(bytes);
        if (Stage == LayerStage.Open)
            MarkForFlush();
    }

    /// <inheritdoc/>
    public sealed override void Close()
    {
        if (Stage is LayerStage.Closing or LayerStage.Ended)
            return;
        if (Stage != LayerStage.Open)
        {
            Break(CloseReason.ClosedHere, "");
            return;
        }
        Stage = LayerStage.Closing;
        MarkForFlush();
    }

    /// <inheritdoc/>
    public sealed override void Abort() => Break(CloseReason.ClosedHere, "");

    /// <inheritdoc/>
    public void Flush()
    {
        _isMarked = false;
        if (Stage is not (LayerStage.Open or LayerStage.Closing))
            return;
        if (_outgoing.Count > 0)
        {
            _hasUnstamped = true;
            Encode(_outgoing);
            _outgoing.Clear();
        }
        if (Stage != LayerStage.Closing)
            return;
        Stage = LayerStage.Ended;
        EncodeEnd();
        Lower.Close();
    }

    /// <inheritdoc/>
    public void DeliverAgain() => Deliver(isAgain: true);

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        _lower = connection;
        _lastArrival = stamp;
        Stage = LayerStage.Handshake;
        _deadlineTicket = loop.Timers.Add(this, deadlineNanoseconds, 0);
        BeginHandshake();
    }

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        if (Stage is LayerStage.Handshake or LayerStage.Open)
        {
            _lastArrival = stamp;
            Decode(bytes);
            Deliver(isAgain: false);
        }
        return bytes.Length;
    }

    /// <inheritdoc/>
    public void OnSent(WireConnection connection, in SendStamp stamp)
    {
        if (!_hasUnstamped)
            return;
        _hasUnstamped = false;
        upper.OnSent(this, stamp);
    }

    /// <summary>The time for the handshake is over.</summary>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        _deadlineTicket = 0;
        if (Stage == LayerStage.Handshake)
            Break(CloseReason.ConnectTimeout, $"no {Name} handshake in time");
    }

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (Stage == LayerStage.Handshake && GoesOnAfterEnd())
            _lowerEnd = (reason, detail, stamp);
        else
            TellEnd(reason, detail, stamp);
    }

    /// <summary>The connection below has ended during the handshake.</summary>
    /// <returns>
    /// Whether the layer is still processing earlier bytes, so that it will call <see cref="FinishEnd"/>.
    /// </returns>
    protected virtual bool GoesOnAfterEnd() => false;

    /// <summary>Tells the handler of a delayed end of the connection below.</summary>
    protected void FinishEnd()
    {
        if (_lowerEnd is not { } end)
            return;
        _lowerEnd = null;
        TellEnd(end.Reason, end.Detail, end.Stamp);
    }

    /// <summary>Both sides have agreed: tells the handler.</summary>
    protected void Open()
    {
        CancelDeadline();
        Stage = LayerStage.Open;
        if (_outgoing.Count > 0)
            MarkForFlush();
        if (_paused)
            Lower.ReadingPaused = true;
        upper.OnConnected(this, new ArrivalStamp(loop.NowNanoseconds, FromKernel: false));
    }

    /// <summary>The peer has ended in order; the handler is told after it got all earlier bytes.</summary>
    protected void EndByPeer() => _peerEnded = true;

    /// <summary>
    /// The peer has violated the protocol, or cannot be trusted. Bytes that the layer has sent about it still leave.
    /// </summary>
    /// <param name="reason">Why.</param>
    /// <param name="detail">In words.</param>
    protected void Fail(CloseReason reason, string detail)
    {
        if (Stage == LayerStage.Ended)
            return;
        End(reason, detail);
        Lower.Close();
    }

    /// <summary>The connection below is there: begins the handshake.</summary>
    protected abstract void BeginHandshake();

    /// <summary>
    /// Takes bytes that have arrived: takes the handshake on and calls <see cref="Open"/>, or adds to
    /// <see cref="Incoming"/>.
    /// </summary>
    /// <param name="bytes">New bytes; all are taken.</param>
    protected abstract void Decode(ReadOnlySpan<byte> bytes);

    /// <summary>Sends the bytes that the handler has queued.</summary>
    /// <param name="outgoing">Not empty; may be changed in place.</param>
    protected abstract void Encode(ByteQueue outgoing);

    /// <summary>Tells the peer that nothing follows.</summary>
    protected abstract void EncodeEnd();

    /// <summary>Frees the resources of the layer.</summary>
    protected abstract void Free();

    private void TellEnd(CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (Stage == LayerStage.Handshake && reason is CloseReason.ClosedByPeer or CloseReason.Reset)
            _end ??= (CloseReason.HandshakeFailed, $"the peer ended the connection during the {Name} handshake");
        Stage = LayerStage.Ended;
        CancelDeadline();
        _outgoing.Clear();
        Incoming.Clear();
        Free();
        var end = _end ?? (reason, detail);
        upper.OnClosed(this, end.Reason, end.Detail, stamp);
    }

    private void Break(CloseReason reason, string detail)
    {
        if (Stage != LayerStage.Ended)
            End(reason, detail);
        Lower.Abort();
    }

    private void End(CloseReason reason, string detail)
    {
        _end ??= (reason, detail);
        Stage = LayerStage.Ended;
        CancelDeadline();
    }

    private void Deliver(bool isAgain)
    {
        if (Stage != LayerStage.Open || _paused)
            return;
        if (Incoming.Count > 0 && (isAgain || Incoming.Count != _offered))
        {
            var bytes = Incoming.Bytes;
            var consumed = upper.OnBytes(this, bytes, _lastArrival);
            if ((uint)consumed > (uint)bytes.Length)
                throw new InvalidOperationException(
                    $"A handler consumed {consumed} of {bytes.Length} bytes; allowed: 0 .. {bytes.Length}."
                );
            Incoming.Consume(consumed);
            _offered = Incoming.Count;
        }
        if (_peerEnded && !_paused && Stage == LayerStage.Open)
            Fail(CloseReason.ClosedByPeer, "");
    }

    private void MarkForFlush()
    {
        if (_isMarked)
            return;
        _isMarked = true;
        loop.FlushLayerLater(this);
    }

    private void CancelDeadline()
    {
        loop.Timers.Cancel(_deadlineTicket);
        _deadlineTicket = 0;
    }
}
