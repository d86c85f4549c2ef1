namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>A connection of the epoll loop.</summary>
/// <param name="wire">Its loop.</param>
/// <param name="handler">Who is told.</param>
/// <param name="descriptor">
/// The socket, which it will close; negative when none could be made, then it can only end.
/// </param>
/// <param name="transitNanoseconds">The correction that is added to the kernel's send stamps.</param>
internal sealed class EpollConnection(EpollWire wire, IWireHandler handler, int descriptor, long transitNanoseconds = 0)
    : LoopConnection(wire, handler),
        IEventSource
{
    private ulong _token;
    private int _mask;

    /// <summary>Registers a socket that connects.</summary>
    /// <param name="timeout">How long that may take.</param>
    /// <returns>0, or the error.</returns>
    public int Begin(TimeSpan timeout)
    {
        _mask = LibC.EpollOut;
        if (!wire.Set.TryAdd(descriptor, _mask, this, out _token))
            return Errno.Last;
        BeginConnecting(timeout);
        return 0;
    }

    /// <summary>Registers an accepted socket and tells the handler.</summary>
    public void BeginAccepted()
    {
        _mask = LibC.EpollIn;
        if (wire.Set.TryAdd(descriptor, _mask, this, out _token))
            Open();
        else
            End(CloseReason.LocalFailure, Errno.Text(Errno.Last));
    }

    /// <inheritdoc/>
    public void OnEvents(int mask)
    {
        if (State == ConnectionState.Connecting)
        {
            FinishConnecting();
            return;
        }
        // A late send stamp is announced as an error, but is none.
        if (wire.StampsSends && (mask & LibC.EpollErr) != 0 && wire.Receiver.TryTakeSendStamp(descriptor, 0, out _))
            mask &= ~LibC.EpollErr;
        const int broken = LibC.EpollErr | LibC.EpollHup;
        if ((mask & (LibC.EpollOut | broken)) != 0)
            RoomAgain();
        if ((mask & (LibC.EpollIn | broken)) == 0 || State == ConnectionState.Ended)
            return;
        if (!ReadingPaused)
            Read();
        else if ((mask & broken) != 0)
            End(CloseReason.Reset, Errno.Text(SocketCalls.TakeError(descriptor)));
    }

    /// <inheritdoc/>
    protected override unsafe void SendOnce()
    {
        var bytes = Outgoing.Bytes;
        int sent;
        var before = MonotonicClock.NowNanoseconds;
        fixed (byte* first = bytes)
            sent = (int)LibC.Send(descriptor, first, (nuint)bytes.Length, LibC.DontWait | LibC.NoSignal);
        var after = MonotonicClock.NowNanoseconds;
        if (sent >= 0)
        {
            if (wire.StampsSends && wire.Receiver.TryTakeSendStamp(descriptor, before, out var stamp))
                before = after = Math.Min(stamp + transitNanoseconds, after);
            Outgoing.Consume(sent);
            Sent(sent, before, after, awaitsRoom: Outgoing.Count > 0);
            return;
        }
        switch (Errno.Last)
        {
            case Errno.TryAgain:
                SetAwaitsRoom(true);
                break;
            case Errno.Interrupted:
                MarkForFlush();
                break;
            case Errno.BrokenPipe or Errno.ConnectionReset or Errno.TimedOut:
                SendFailed(Errno.Text(Errno.Last));
                break;
            default:
                End(CloseReason.LocalFailure, Errno.Text(Errno.Last));
                break;
        }
    }

    /// <inheritdoc/>
    protected override void EndSending() => LibC.Shutdown(descriptor, LibC.ShutdownWrite);

    /// <inheritdoc/>
    protected override void InterestChanged()
    {
        var mask = (ReadingPaused ? 0 : LibC.EpollIn) | (AwaitsRoom ? LibC.EpollOut : 0);
        if (mask == _mask)
            return;
        _mask = mask;
        wire.Set.Modify(descriptor, mask, _token);
    }

    /// <inheritdoc/>
    protected override void CloseTransport(bool reset)
    {
        if (_token != 0)
            wire.Set.Remove(descriptor, _token);
        if (descriptor < 0)
            return;
        if (reset)
            SocketCalls.ResetOnClose(descriptor);
        LibC.Close(descriptor);
    }

    private void FinishConnecting()
    {
        var error = SocketCalls.TakeError(descriptor);
        if (error == 0)
            Open();
        else
            End(Errno.ConnectReason(error), Errno.Text(error));
    }

    private void Read()
    {
        // A short rest of the last read is put in front of the shared buffer. A long one, which is part of a large
        // packet, grows in its own buffer.
        var shared = wire.ReceiveBuffer;
        var held = Unconsumed.Count;
        var inPlace = held <= EpollWire.ReceivePrefixBytes;
        var space = inPlace ? shared[held..] : Unconsumed.FreeSpace(EpollWire.LargeReadBytes);
        var count = wire.Receiver.Receive(
            descriptor,
            space,
            Math.Max(LastArrivalNanoseconds, wire.StartNanoseconds),
            out var stamp
        );
        if (count <= 0)
        {
            if (count == 0)
                EndOfStream();
            else if (Errno.Last is not (Errno.TryAgain or Errno.Interrupted))
                ReadFailed(Errno.Text(Errno.Last));
        }
        else if (inPlace)
        {
            Unconsumed.Bytes.CopyTo(shared);
            Deliver(shared[..(held + count)], held, stamp);
        }
        else
        {
            Unconsumed.Extend(count);
            Deliver(Unconsumed.Bytes, held + count, stamp);
        }
    }
}
