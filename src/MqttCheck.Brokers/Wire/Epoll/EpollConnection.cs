namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>A connection of the epoll loop.</summary>
internal sealed class EpollConnection : WireConnection, IEventSource, IDeadline
{
    private const long LingerNanoseconds = 1_000_000_000;

    private readonly EpollWire _wire;
    private readonly IWireHandler _handler;
    private readonly ByteQueue _outgoing;
    private readonly ByteQueue _unconsumed;
    private readonly int _descriptor;
    private State _state;
    private ulong _token;
    private int _mask;
    private bool _paused;
    private bool _awaitsRoom;
    private bool _isMarked;
    private bool _finSent;
    private string? _sendError;
    private long _queuedTotal;
    private long _sentTotal;
    private long _stampedTotal;
    private long _deadline;
    private long _deadlineTicket;
    private ArrivalStamp _lastArrival;
    private CloseReason _endReason;
    private string _endDetail = "";
    private ArrivalStamp _endStamp;

    /// <summary>A connection around a descriptor that it will close.</summary>
    /// <param name="wire">Its loop.</param>
    /// <param name="handler">Who is told.</param>
    /// <param name="descriptor">The socket; negative when none could be made, then only <see cref="End"/> may follow.</param>
    public EpollConnection(EpollWire wire, IWireHandler handler, int descriptor)
    {
        _wire = wire;
        _handler = handler;
        _descriptor = descriptor;
        _outgoing = new ByteQueue(wire.Buffers);
        _unconsumed = new ByteQueue(wire.Buffers);
        _lastArrival = new ArrivalStamp(wire.StartNanoseconds, FromKernel: false);
    }

    private enum State : byte
    {
        Connecting,
        Open,
        Closing,
        Ended,
    }

    /// <inheritdoc/>
    public override int PendingBytes => _outgoing.Count;

    /// <inheritdoc/>
    public override bool ReadingPaused
    {
        get => _paused;
        set
        {
            if (value == _paused || _state is State.Closing or State.Ended) return;
            _paused = value;
            if (_state != State.Open) return;
            UpdateMask();
            if (!value && _unconsumed.Count > 0) _wire.DeliverAgain(this);
        }
    }

    /// <summary>Registers a socket that connects.</summary>
    /// <param name="timeoutNanoseconds">How long that may take.</param>
    /// <returns>0, or the error.</returns>
    public int BeginConnecting(long timeoutNanoseconds)
    {
        _mask = LibC.EpollOut;
        if (!_wire.Set.TryAdd(_descriptor, _mask, this, out _token)) return Errno.Last;
        SetDeadline(MonotonicClock.NowNanoseconds + timeoutNanoseconds);
        return 0;
    }

    /// <summary>Registers an accepted socket and tells the handler.</summary>
    public void BeginAccepted()
    {
        _mask = LibC.EpollIn;
        if (_wire.Set.TryAdd(_descriptor, _mask, this, out _token)) Open();
        else End(CloseReason.LocalFailure, Errno.Text(Errno.Last));
    }

    /// <inheritdoc/>
    public override void Send(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty || _state is State.Closing or State.Ended || _sendError is not null) return;
        if (bytes.Length > _wire.MaximumPendingBytes - _outgoing.Count)
        {
            Reset(CloseReason.SendBufferFull, $"{_outgoing.Count} bytes wait to be sent, {bytes.Length} more would exceed the limit of {_wire.MaximumPendingBytes}");
            return;
        }
        _outgoing.Append(bytes);
        _queuedTotal += bytes.Length;
        MarkForFlush();
    }

    /// <inheritdoc/>
    public override void Close()
    {
        if (_state is State.Closing or State.Ended) return;
        if (_state == State.Connecting)
        {
            End(CloseReason.ClosedHere, "");
            return;
        }
        _state = State.Closing;
        _paused = false;
        UpdateMask();
        SetDeadline(MonotonicClock.NowNanoseconds + LingerNanoseconds);
        MarkForFlush();
    }

    /// <inheritdoc/>
    public override void Abort() => Reset(CloseReason.ClosedHere, "");

    /// <inheritdoc/>
    public void OnEvents(int mask)
    {
        if (_state == State.Connecting)
        {
            FinishConnecting();
            return;
        }
        if (_awaitsRoom && (mask & (LibC.EpollOut | LibC.EpollErr | LibC.EpollHup)) != 0)
        {
            _awaitsRoom = false;
            Flush();
        }
        if ((mask & (LibC.EpollIn | LibC.EpollErr | LibC.EpollHup)) == 0 || _state == State.Ended) return;
        if (!_paused) Read();
        else if ((mask & (LibC.EpollErr | LibC.EpollHup)) != 0) End(CloseReason.Reset, Errno.Text(SocketCalls.TakeError(_descriptor)));
    }

    /// <inheritdoc/>
    public void OnDeadline()
    {
        _deadlineTicket = 0;
        if (_state == State.Connecting) End(CloseReason.ConnectTimeout, "no answer in time");
        else if (MonotonicClock.NowNanoseconds < _deadline) _deadlineTicket = _wire.Timers.Add(this, _deadline, 0);
        else Reset(_outgoing.Count > 0 ? CloseReason.Reset : CloseReason.ClosedHere, "the peer did not end its side");
    }

    /// <summary>Hands what is queued to the socket, once.</summary>
    public void Flush()
    {
        _isMarked = false;
        if (_state is State.Connecting or State.Ended || _awaitsRoom) return;
        if (_outgoing.Count > 0) SendOnce();
        if (_state == State.Closing && _outgoing.Count == 0 && !_finSent)
        {
            _finSent = true;
            LibC.Shutdown(_descriptor, LibC.ShutdownWrite);
        }
    }

    /// <summary>Offers the handler again what it left before it paused.</summary>
    public void DeliverAgain()
    {
        if (_state != State.Open || _paused || _unconsumed.Count == 0) return;
        Deliver(_unconsumed.Bytes, _unconsumed.Count, _lastArrival);
    }

    /// <summary>Ends the connection. The handler hears of it when the loop calls <see cref="TellEnd"/>.</summary>
    /// <param name="reason">Why.</param>
    /// <param name="detail">The system's words.</param>
    public void End(CloseReason reason, string detail)
    {
        if (_state == State.Ended) return;
        _state = State.Ended;
        _endReason = reason;
        _endDetail = detail;
        _endStamp = new ArrivalStamp(MonotonicClock.NowNanoseconds, FromKernel: false);
        CancelDeadline();
        CloseDescriptor();
        _wire.AddEnded(this);
    }

    /// <summary>Tells the handler that the connection has ended, and frees the buffers, which it may have been reading until now.</summary>
    public void TellEnd()
    {
        _outgoing.Clear();
        _unconsumed.Clear();
        _handler.OnClosed(this, _endReason, _endDetail, _endStamp);
    }

    /// <summary>Closes the socket without a word, when the loop is disposed.</summary>
    public void CloseDescriptor()
    {
        _wire.Forget(this);
        if (_token != 0) _wire.Set.Remove(_descriptor, _token);
        if (_descriptor >= 0) LibC.Close(_descriptor);
    }

    private void FinishConnecting()
    {
        var error = SocketCalls.TakeError(_descriptor);
        if (error != 0)
        {
            End(Errno.ConnectReason(error), Errno.Text(error));
            return;
        }
        CancelDeadline();
        UpdateMask();
        Open();
    }

    private void Open()
    {
        _state = State.Open;
        if (_outgoing.Count > 0) MarkForFlush();
        _handler.OnConnected(this, new ArrivalStamp(MonotonicClock.NowNanoseconds, FromKernel: false));
    }

    private void Read()
    {
        // A short rest of the last read is put in front of the shared buffer; a long one, part of a large packet, grows in a buffer of its own.
        var shared = _wire.ReceiveBuffer;
        var before = _unconsumed.Count;
        var inPlace = before <= EpollWire.ReceivePrefixBytes;
        var space = inPlace ? shared[before..] : _unconsumed.FreeSpace(EpollWire.LargeReadBytes);
        var count = _wire.Receiver.Receive(_descriptor, space, _lastArrival.Nanoseconds, out var stamp);
        if (count <= 0)
        {
            if (count == 0) EndOfStream();
            else if (Errno.Last is not (Errno.TryAgain or Errno.Interrupted)) ReadFailed(Errno.Last);
            return;
        }
        _lastArrival = stamp;
        if (_state == State.Closing) return;
        if (inPlace)
        {
            _unconsumed.Bytes.CopyTo(shared);
            Deliver(shared[..(before + count)], before, stamp);
        }
        else
        {
            _unconsumed.Extend(count);
            Deliver(_unconsumed.Bytes, before + count, stamp);
        }
    }

    // The first `held` of the bytes are those that `_unconsumed` holds already.
    private void Deliver(ReadOnlySpan<byte> bytes, int held, in ArrivalStamp stamp)
    {
        var consumed = _handler.OnBytes(this, bytes, stamp);
        if ((uint)consumed > (uint)bytes.Length)
            throw new InvalidOperationException($"A handler consumed {consumed} of {bytes.Length} bytes; allowed: 0 .. {bytes.Length}.");
        if (_state == State.Ended) return;
        if (held == bytes.Length)
        {
            _unconsumed.Consume(consumed);
        }
        else if (consumed >= held)
        {
            _unconsumed.Clear();
            _unconsumed.Append(bytes[consumed..]);
        }
        else
        {
            _unconsumed.Consume(consumed);
            _unconsumed.Append(bytes[held..]);
        }
    }

    private void EndOfStream()
    {
        if (_sendError is not null) End(CloseReason.Reset, _sendError);
        else if (_state == State.Closing) End(_outgoing.Count > 0 ? CloseReason.Reset : CloseReason.ClosedHere, "");
        else End(CloseReason.ClosedByPeer, "");
    }

    private void ReadFailed(int error)
    {
        var lost = _state != State.Closing || _outgoing.Count > 0;
        End(lost ? CloseReason.Reset : CloseReason.ClosedHere, Errno.Text(error));
    }

    private unsafe void SendOnce()
    {
        var bytes = _outgoing.Bytes;
        int sent;
        var before = MonotonicClock.NowNanoseconds;
        fixed (byte* first = bytes) sent = (int)LibC.Send(_descriptor, first, (nuint)bytes.Length, LibC.DontWait | LibC.NoSignal);
        var after = MonotonicClock.NowNanoseconds;
        if (sent < 0)
        {
            SendFailed(Errno.Last);
            return;
        }
        _sentTotal += sent;
        _outgoing.Consume(sent);
        _awaitsRoom = _outgoing.Count > 0;
        UpdateMask();
        if (_state == State.Closing) _deadline = after + LingerNanoseconds;
        if (_sentTotal <= _stampedTotal) return;
        _stampedTotal = _queuedTotal;
        _handler.OnSent(this, new SendStamp(before + (after - before) / 2, (after - before) / 2));
    }

    private void SendFailed(int error)
    {
        switch (error)
        {
            case Errno.TryAgain:
                _awaitsRoom = true;
                UpdateMask();
                break;
            case Errno.Interrupted:
                MarkForFlush();
                break;
            case Errno.BrokenPipe or Errno.ConnectionReset or Errno.TimedOut when !_paused && _state == State.Open:
                // What the peer sent before it broke the connection is still there to read; the end of the stream follows it.
                _sendError = Errno.Text(error);
                _outgoing.Clear();
                break;
            default:
                End(Errno.IsShortage(error) ? CloseReason.LocalFailure : CloseReason.Reset, Errno.Text(error));
                break;
        }
    }

    private void Reset(CloseReason reason, string detail)
    {
        if (_state is State.Open or State.Closing) SocketCalls.ResetOnClose(_descriptor);
        End(reason, detail);
    }

    private void MarkForFlush()
    {
        if (_isMarked || _awaitsRoom || _state is State.Connecting or State.Ended) return;
        _isMarked = true;
        _wire.FlushLater(this);
    }

    private void UpdateMask()
    {
        var mask = (_paused ? 0 : LibC.EpollIn) | (_awaitsRoom ? LibC.EpollOut : 0);
        if (mask == _mask) return;
        _mask = mask;
        _wire.Set.Modify(_descriptor, mask, _token);
    }

    private void SetDeadline(long deadline)
    {
        _deadline = deadline;
        _deadlineTicket = _wire.Timers.Add(this, deadline, 0);
    }

    private void CancelDeadline()
    {
        if (_deadlineTicket != 0) _wire.Timers.Cancel(_deadlineTicket);
        _deadlineTicket = 0;
    }
}
