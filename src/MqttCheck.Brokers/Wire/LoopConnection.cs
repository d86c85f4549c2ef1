using MqttCheck.Brokers.Wire.Layers;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Wire;

/// <summary>
/// The common part of the connections of all wires: state, buffers of both sides, and calls of the handler. A transport
/// moves the bytes.
/// </summary>
internal abstract class LoopConnection : WireConnection, IDeadline, ILoopStep
{
    private const long LingerNanoseconds = 1_000_000_000;

    private readonly EventLoop _loop;
    private readonly IWireHandler _handler;
    private bool _paused;
    private bool _isMarked;
    private bool _sendingEnded;
    private long _queuedTotal;
    private long _sentTotal;
    private long _stampedTotal;
    private long _deadline;
    private long _deadlineTicket;
    private ArrivalStamp _lastArrival;
    private (CloseReason Reason, string Detail, ArrivalStamp Stamp) _end;

    /// <summary>A connection that is not yet made.</summary>
    /// <param name="loop">Its loop.</param>
    /// <param name="handler">Who is told.</param>
    protected LoopConnection(EventLoop loop, IWireHandler handler)
    {
        _loop = loop;
        _handler = handler;
        Outgoing = new ByteQueue(loop.Buffers);
        Unconsumed = new ByteQueue(loop.Buffers);
        loop.Add(this);
    }

    /// <inheritdoc/>
    public override int PendingBytes => Outgoing.Count;

    /// <inheritdoc/>
    public sealed override bool ReadingPaused
    {
        get => _paused;
        set
        {
            if (value == _paused || State is ConnectionState.Closing or ConnectionState.Ended)
                return;
            _paused = value;
            if (State != ConnectionState.Open)
                return;
            InterestChanged();
            if (!value && Unconsumed.Count > 0)
                _loop.DeliverLater(this);
        }
    }

    /// <summary>The state of the connection.</summary>
    protected ConnectionState State { get; private set; }

    /// <summary>Bytes the transport has not yet taken.</summary>
    protected ByteQueue Outgoing { get; }

    /// <summary>Bytes the handler has been offered and has not consumed.</summary>
    protected ByteQueue Unconsumed { get; }

    /// <summary>The stamp of the last read, 0 before the first.</summary>
    protected long LastArrivalNanoseconds => _lastArrival.Nanoseconds;

    /// <summary>Whether the transport wants bytes but has no room; it calls <see cref="RoomAgain"/>.</summary>
    protected bool AwaitsRoom { get; private set; }

    /// <summary>
    /// The error if sending has failed. Bytes that the peer sent before it broke the connection are still read; the end
    /// of the stream follows them.
    /// </summary>
    protected string? SendError { get; private set; }

    /// <inheritdoc/>
    public sealed override void Send(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty || State is ConnectionState.Closing or ConnectionState.Ended || SendError is not null)
            return;
        if (bytes.Length > _loop.MaximumPendingBytes - PendingBytes)
        {
            var detail =
                $"{PendingBytes} bytes wait to be sent, {bytes.Length} more "
                + $"would exceed the limit of {_loop.MaximumPendingBytes}";
            Reset(CloseReason.SendBufferFull, detail);
            return;
        }
        Outgoing.Append(bytes);
        _queuedTotal += bytes.Length;
        MarkForFlush();
    }

    /// <inheritdoc/>
    public sealed override void Close()
    {
        if (State is ConnectionState.Closing or ConnectionState.Ended)
            return;
        if (State == ConnectionState.Connecting)
        {
            End(CloseReason.ClosedHere, "");
            return;
        }
        State = ConnectionState.Closing;
        _paused = false;
        InterestChanged();
        SetDeadline(_loop.NowNanoseconds + LingerNanoseconds);
        MarkForFlush();
    }

    /// <inheritdoc/>
    public sealed override void Abort() => Reset(CloseReason.ClosedHere, "");

    /// <inheritdoc/>
    public void OnDeadline()
    {
        _deadlineTicket = 0;
        if (State == ConnectionState.Connecting)
            End(CloseReason.ConnectTimeout, "no answer in time");
        else if (_loop.NowNanoseconds < _deadline)
            _deadlineTicket = _loop.Timers.Add(this, _deadline, 0);
        else
            Reset(PendingBytes > 0 ? CloseReason.Reset : CloseReason.ClosedHere, "the peer did not end its side");
    }

    /// <summary>Hands the queued bytes to the transport, once.</summary>
    public void Flush()
    {
        _isMarked = false;
        if (State is ConnectionState.Connecting or ConnectionState.Ended || AwaitsRoom)
            return;
        if (Outgoing.Count > 0)
            SendOnce();
        if (State == ConnectionState.Closing && PendingBytes == 0 && !_sendingEnded)
        {
            _sendingEnded = true;
            EndSending();
        }
    }

    /// <summary>Offers the handler again the bytes that it left before it paused.</summary>
    public void DeliverAgain()
    {
        if (State == ConnectionState.Open && !_paused && Unconsumed.Count != 0)
            Deliver(Unconsumed.Bytes, Unconsumed.Count, _lastArrival);
    }

    /// <summary>Ends the connection. The handler hears of it when the loop calls <see cref="TellEnd"/>.</summary>
    /// <param name="reason">Why.</param>
    /// <param name="detail">The system's words.</param>
    /// <param name="reset">Whether the peer is to see a reset instead of an end.</param>
    public void End(CloseReason reason, string detail, bool reset = false)
    {
        if (State == ConnectionState.Ended)
            return;
        State = ConnectionState.Ended;
        _end = (reason, detail, new ArrivalStamp(_loop.NowNanoseconds, FromKernel: false));
        CancelDeadline();
        CloseTransport(reset);
        _loop.AddEnded(this);
    }

    /// <summary>Ends the connection, as of a time that has passed.</summary>
    /// <param name="reason">Why.</param>
    /// <param name="detail">The system's words.</param>
    /// <param name="atNanoseconds">When the end was seen.</param>
    protected void End(CloseReason reason, string detail, long atNanoseconds)
    {
        if (State == ConnectionState.Ended)
            return;
        End(reason, detail);
        _end.Stamp = new ArrivalStamp(atNanoseconds, FromKernel: false);
    }

    /// <summary>
    /// Tells the handler that the connection has ended, and frees the buffers, which it may have been reading until
    /// now.
    /// </summary>
    public void TellEnd()
    {
        FreeBuffers();
        _handler.OnClosed(this, _end.Reason, _end.Detail, _end.Stamp);
    }

    /// <summary>Closes the transport without telling the handler.</summary>
    public void CloseSilently()
    {
        State = ConnectionState.Ended;
        CloseTransport(reset: false);
    }

    /// <summary>Gives the connection some time to be made.</summary>
    /// <param name="timeout">How long.</param>
    protected void BeginConnecting(TimeSpan timeout) =>
        SetDeadline(_loop.NowNanoseconds + MonotonicClock.Nanoseconds(timeout));

    /// <summary>The connection is made.</summary>
    protected void Open()
    {
        CancelDeadline();
        State = ConnectionState.Open;
        InterestChanged();
        if (Outgoing.Count > 0)
            MarkForFlush();
        _handler.OnConnected(this, new ArrivalStamp(_loop.NowNanoseconds, FromKernel: false));
    }

    /// <summary>Bytes have been read.</summary>
    /// <param name="bytes">All that the handler has not consumed, with the new ones last.</param>
    /// <param name="held">How many of them, the oldest, <see cref="Unconsumed"/> holds already.</param>
    /// <param name="stamp">When the newest arrived.</param>
    protected void Deliver(ReadOnlySpan<byte> bytes, int held, in ArrivalStamp stamp)
    {
        _lastArrival = stamp;
        if (State != ConnectionState.Open)
        {
            Unconsumed.Clear();
            return;
        }
        var consumed = _handler.OnBytes(this, bytes, stamp);
        if ((uint)consumed > (uint)bytes.Length)
            throw new InvalidOperationException(
                $"A handler consumed {consumed} of {bytes.Length} bytes; allowed: 0 .. {bytes.Length}."
            );
        if (State == ConnectionState.Ended)
            return;
        if (consumed < held)
        {
            Unconsumed.Consume(consumed);
            Unconsumed.Append(bytes[held..]);
        }
        else
        {
            Unconsumed.Consume(held);
            Unconsumed.Append(bytes[consumed..]);
        }
    }

    /// <summary>Bytes have been read although reading is paused: they are kept until it goes on.</summary>
    /// <param name="bytes">The new bytes.</param>
    /// <param name="stamp">When they arrived.</param>
    protected void Hold(ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        Unconsumed.Append(bytes);
        _lastArrival = stamp;
    }

    /// <summary>The peer has ended its side.</summary>
    protected void EndOfStream()
    {
        if (SendError is not null)
            End(CloseReason.Reset, SendError);
        else if (State == ConnectionState.Closing)
            End(PendingBytes > 0 ? CloseReason.Reset : CloseReason.ClosedHere, "");
        else
            End(CloseReason.ClosedByPeer, "");
    }

    /// <summary>Reading has failed.</summary>
    /// <param name="detail">The system's words.</param>
    protected void ReadFailed(string detail)
    {
        var lost = State != ConnectionState.Closing || PendingBytes > 0;
        End(lost ? CloseReason.Reset : CloseReason.ClosedHere, detail);
    }

    /// <summary>The transport has taken bytes.</summary>
    /// <param name="count">How many.</param>
    /// <param name="before">The clock before the call that took them.</param>
    /// <param name="after">The clock after it.</param>
    /// <param name="awaitsRoom">Whether it has no room for more.</param>
    protected void Sent(int count, long before, long after, bool awaitsRoom) =>
        Sent(count, new SendStamp(before + (after - before) / 2, (after - before) / 2), after, awaitsRoom);

    /// <summary>The transport has taken bytes.</summary>
    /// <param name="count">How many.</param>
    /// <param name="stamp">When.</param>
    /// <param name="nowNanoseconds">The clock afterwards.</param>
    /// <param name="awaitsRoom">Whether it has no room for more.</param>
    protected void Sent(int count, in SendStamp stamp, long nowNanoseconds, bool awaitsRoom)
    {
        _sentTotal += count;
        SetAwaitsRoom(awaitsRoom);
        if (State == ConnectionState.Closing)
            _deadline = nowNanoseconds + LingerNanoseconds;
        if (_sentTotal <= _stampedTotal)
            return;
        _stampedTotal = _queuedTotal;
        _handler.OnSent(this, stamp);
    }

    /// <summary>Sending has failed because the peer has broken the connection.</summary>
    /// <param name="detail">The system's words.</param>
    protected void SendFailed(string detail)
    {
        if (_paused || State == ConnectionState.Closing)
        {
            End(CloseReason.Reset, detail);
            return;
        }
        SendError = detail;
        Outgoing.Clear();
    }

    /// <summary>Sets whether the transport has no room, so that sending waits for <see cref="RoomAgain"/>.</summary>
    protected void SetAwaitsRoom(bool value)
    {
        if (AwaitsRoom == value)
            return;
        AwaitsRoom = value;
        InterestChanged();
    }

    /// <summary>The transport has room again.</summary>
    protected void RoomAgain()
    {
        if (!AwaitsRoom)
            return;
        // The transport is not told, because the flush usually fills it again.
        AwaitsRoom = false;
        Flush();
        if (!AwaitsRoom && State != ConnectionState.Ended)
            InterestChanged();
    }

    /// <summary>Marks the connection to be flushed at the end of the batch.</summary>
    protected void MarkForFlush()
    {
        if (_isMarked || AwaitsRoom || State is ConnectionState.Connecting or ConnectionState.Ended)
            return;
        _isMarked = true;
        _loop.FlushLater(this);
    }

    /// <summary>Frees the buffers, unless the transport still works on them.</summary>
    protected virtual void FreeBuffers()
    {
        Outgoing.Clear();
        Unconsumed.Clear();
    }

    /// <summary>
    /// Hands the start of <see cref="Outgoing"/>, which is not empty, to the transport. Calls
    /// <see cref="Sent(int, long, long, bool)"/>, or reports the failure.
    /// </summary>
    protected abstract void SendOnce();

    /// <summary>Tells the peer that nothing more will be sent.</summary>
    protected abstract void EndSending();

    /// <summary>Called when the open connection has changed whether it reads or awaits room.</summary>
    protected abstract void InterestChanged();

    /// <summary>Closes the transport.</summary>
    /// <param name="reset">Whether the peer is to see a reset instead of an end.</param>
    protected abstract void CloseTransport(bool reset);

    private void Reset(CloseReason reason, string detail) =>
        End(reason, detail, reset: State is ConnectionState.Open or ConnectionState.Closing);

    private void SetDeadline(long deadline)
    {
        _deadline = deadline;
        _deadlineTicket = _loop.Timers.Add(this, deadline, 0);
    }

    private void CancelDeadline()
    {
        _loop.Timers.Cancel(_deadlineTicket);
        _deadlineTicket = 0;
    }
}
