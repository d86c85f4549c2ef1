namespace MqttCheck.Brokers.Wire.Memory;

/// <summary>One end of a connection in memory.</summary>
/// <param name="wire">Its wire.</param>
/// <param name="handler">Who is told.</param>
internal sealed class MemoryConnection(MemoryWire wire, IWireHandler handler) : LoopConnection(wire, handler)
{
    // The system's buffers for one direction hold this many bytes; more bytes wait at the sender.
    private const int PipeBytes = 256 << 10;

    private readonly ByteQueue _arrived = new(wire.Buffers);
    private MemoryConnection? _peer;
    private long _arrivedAt;
    private int _inPipe;
    private bool _endArrived;
    private bool _endSent;
    private bool _readIsDue;

    /// <summary>The request to connect has arrived.</summary>
    /// <param name="accept">The acceptor that serves the address, null if there is none.</param>
    public void Reach(Func<IWireHandler?>? accept)
    {
        if (State != ConnectionState.Connecting)
            return;
        if (accept is null)
        {
            End(CloseReason.Refused, "nobody listens at the address");
            return;
        }
        if (accept() is not { } handler)
        {
            End(CloseReason.Reset, "turned away");
            return;
        }
        _peer = new MemoryConnection(wire, handler) { _peer = this };
        wire.At(wire.LatencyNanoseconds, OpenIfWanted);
        _peer.Open();
    }

    /// <inheritdoc/>
    protected override void SendOnce()
    {
        var count = Math.Min(PipeBytes - _inPipe, Outgoing.Count);
        if (count == 0)
        {
            SetAwaitsRoom(true);
            return;
        }
        var bytes = Outgoing.Bytes[..count].ToArray();
        Outgoing.Consume(count);
        _inPipe += count;
        var peer = _peer!;
        wire.At(wire.LatencyNanoseconds, () => peer.Arrive(bytes));
        Sent(count, wire.NowNanoseconds, wire.NowNanoseconds, awaitsRoom: Outgoing.Count > 0);
    }

    /// <inheritdoc/>
    protected override void EndSending()
    {
        if (_endSent || _peer is not { } peer)
            return;
        _endSent = true;
        wire.At(wire.LatencyNanoseconds, peer.ArriveEnd);
    }

    /// <inheritdoc/>
    protected override void InterestChanged()
    {
        if (_arrived.Count > 0 || _endArrived)
            ReadSoon();
    }

    /// <inheritdoc/>
    protected override void CloseTransport(bool reset)
    {
        if (reset && _peer is { } peer)
            wire.At(wire.LatencyNanoseconds, () => peer.End(CloseReason.Reset, "reset by the peer"));
        else
            EndSending();
    }

    /// <inheritdoc/>
    protected override void FreeBuffers()
    {
        base.FreeBuffers();
        _arrived.Clear();
    }

    private void OpenIfWanted()
    {
        if (State == ConnectionState.Connecting)
            Open();
    }

    private void Arrive(byte[] bytes)
    {
        if (State == ConnectionState.Ended)
            return;
        _arrivedAt = wire.NowNanoseconds;
        _arrived.Append(bytes);
        Read();
    }

    private void ArriveEnd()
    {
        _endArrived = true;
        Read();
    }

    private void ReadSoon()
    {
        if (_readIsDue)
            return;
        _readIsDue = true;
        wire.At(
            0,
            () =>
            {
                _readIsDue = false;
                Read();
            }
        );
    }

    private void Read()
    {
        if (State is not (ConnectionState.Open or ConnectionState.Closing) || ReadingPaused)
            return;
        if (_arrived.Count > 0)
        {
            var count = wire.NextPiece(_arrived.Count);
            Unconsumed.Append(_arrived.Bytes[..count]);
            _arrived.Consume(count);
            Deliver(Unconsumed.Bytes, Unconsumed.Count, new ArrivalStamp(_arrivedAt, FromKernel: false));
            _peer!.Freed(count);
        }
        if (_arrived.Count > 0)
            ReadSoon();
        else if (_endArrived && State != ConnectionState.Ended && !ReadingPaused)
            EndOfStream();
    }

    private void Freed(int count)
    {
        _inPipe -= count;
        RoomAgain();
    }
}
