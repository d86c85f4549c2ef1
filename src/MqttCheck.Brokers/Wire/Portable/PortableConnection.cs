using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace MqttCheck.Brokers.Wire.Portable;

/// <summary>
/// A connection of the portable wire. At most one read and one send are under way, each in its own buffer.
/// </summary>
[SuppressMessage(
    "Reliability",
    "CA2012:Use ValueTasks correctly",
    Justification = "Each is consumed once, when its awaiter announces the end."
)]
internal sealed class PortableConnection : LoopConnection
{
    private readonly PortableWire _wire;
    private readonly Socket? _socket;
    private readonly ByteQueue _inFlight;
    private readonly Action _onReceived;
    private readonly Action _onSent;
    private ValueTaskAwaiter _connecting;
    private ValueTaskAwaiter<int> _receiving;
    private ValueTaskAwaiter<int> _sending;
    private byte[] _receiveBuffer = [];
    private int _receiveBytes = BufferPool.SmallBytes;
    private long _sendBegan;
    private bool _isReceiving;
    private bool _isSending;
    private bool _streamEnded;

    /// <summary>A connection around a socket that it will close.</summary>
    /// <param name="wire">Its wire.</param>
    /// <param name="handler">Who is told.</param>
    /// <param name="socket">The socket; null when none could be made, then it can only end.</param>
    public PortableConnection(PortableWire wire, IWireHandler handler, Socket? socket)
        : base(wire, handler)
    {
        _wire = wire;
        _socket = socket;
        _inFlight = new ByteQueue(wire.Buffers);
        // The delegates are made once, because every operation needs them.
        _onReceived = wire.Completing(Received);
        _onSent = wire.Completing(SendEnded);
    }

    /// <inheritdoc/>
    public override int PendingBytes => Outgoing.Count + _inFlight.Count;

    /// <summary>Starts to connect.</summary>
    /// <param name="endpoint">The address, and the time allowed for connecting.</param>
    public void Begin(WireEndpoint endpoint)
    {
        BeginConnecting(endpoint.ConnectTimeout);
        _socket!.NoDelay = true;
        _connecting = _socket.ConnectAsync(endpoint.Address, CancellationToken.None).GetAwaiter();
        var onConnected = _wire.Completing(_ => Connected());
        if (_connecting.IsCompleted)
            onConnected();
        else
            _connecting.UnsafeOnCompleted(onConnected);
    }

    /// <summary>Takes an accepted socket into use and tells the handler.</summary>
    public void BeginAccepted()
    {
        _socket!.NoDelay = true;
        Open();
    }

    /// <inheritdoc/>
    protected override void SendOnce()
    {
        _inFlight.TakeFrom(Outgoing);
        BeginSend();
    }

    /// <inheritdoc/>
    protected override void EndSending()
    {
        try
        {
            _socket!.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // The peer has broken the connection, which the pending read will report.
        }
    }

    /// <inheritdoc/>
    protected override void InterestChanged()
    {
        if (ReadingPaused || _isReceiving)
            return;
        if (_streamEnded)
            _wire.Post(EndOfStreamAfterPause);
        else
            BeginReceive();
    }

    /// <inheritdoc/>
    protected override void CloseTransport(bool reset)
    {
        if (_socket is null)
            return;
        try
        {
            if (reset)
                _socket.LingerState = new LingerOption(enable: true, 0);
        }
        catch (SocketException)
        {
            // Some systems refuse options of a connection that the peer has broken.
        }
        _socket.Dispose();
    }

    /// <inheritdoc/>
    protected override void FreeBuffers()
    {
        base.FreeBuffers();
        if (!_isSending)
            _inFlight.Clear();
        if (!_isReceiving)
            ReturnReceiveBuffer();
    }

    private static CloseReason ConnectReason(SocketError error) =>
        error switch
        {
            SocketError.TimedOut => CloseReason.ConnectTimeout,
            SocketError.ConnectionReset => CloseReason.Reset,
            SocketError.AddressNotAvailable
            or SocketError.AccessDenied
            or SocketError.TooManyOpenSockets
            or SocketError.NoBufferSpaceAvailable => CloseReason.LocalFailure,
            _ => CloseReason.Refused,
        };

    private void BeginReceive()
    {
        if (_receiveBuffer.Length < _receiveBytes)
        {
            ReturnReceiveBuffer();
            _receiveBuffer = _wire.Buffers.Rent(_receiveBytes);
        }
        _isReceiving = true;
        _receiving = _socket!.ReceiveAsync(_receiveBuffer.AsMemory(0, _receiveBytes), SocketFlags.None).GetAwaiter();
        if (_receiving.IsCompleted)
            _onReceived();
        else
            _receiving.UnsafeOnCompleted(_onReceived);
    }

    private void Connected()
    {
        if (State == ConnectionState.Ended)
            return;
        try
        {
            _connecting.GetResult();
        }
        catch (SocketException failure)
        {
            End(ConnectReason(failure.SocketErrorCode), failure.Message);
            return;
        }
        Open();
    }

    private void Received(long nanoseconds)
    {
        if (State == ConnectionState.Ended)
        {
            _isReceiving = false;
            FreeBuffers();
            return;
        }
        int count;
        try
        {
            count = _receiving.GetResult();
        }
        catch (SocketException failure)
        {
            _isReceiving = false;
            ReadFailed(failure.Message);
            return;
        }
        if (count == 0)
        {
            _isReceiving = false;
            _streamEnded = true;
            if (!ReadingPaused)
                EndOfStream();
            return;
        }
        var stamp = new ArrivalStamp(nanoseconds, FromKernel: false);
        var bytes = _receiveBuffer.AsSpan(0, count);
        if (ReadingPaused)
        {
            Hold(bytes, stamp);
        }
        else if (Unconsumed.Count == 0)
        {
            Deliver(bytes, 0, stamp);
        }
        else
        {
            Unconsumed.Append(bytes);
            Deliver(Unconsumed.Bytes, Unconsumed.Count, stamp);
        }
        // The buffer is free for the next read only now.
        _isReceiving = false;
        // A read that filled the buffer has left more bytes behind.
        if (count == _receiveBytes)
            _receiveBytes = Math.Min(_receiveBytes * 2, Math.Max(_wire.ReceiveBufferBytes, BufferPool.SmallBytes));
        if (State != ConnectionState.Ended)
            InterestChanged();
    }

    private void EndOfStreamAfterPause()
    {
        if (State != ConnectionState.Ended && !ReadingPaused)
            EndOfStream();
    }

    private void BeginSend()
    {
        _sendBegan = MonotonicClock.NowNanoseconds;
        _sending = _socket!.SendAsync(_inFlight.Memory, SocketFlags.None).GetAwaiter();
        if (_sending.IsCompleted)
        {
            FinishSend(_sendBegan, MonotonicClock.NowNanoseconds);
            return;
        }
        _isSending = true;
        SetAwaitsRoom(true);
        _sending.UnsafeOnCompleted(_onSent);
    }

    private void SendEnded(long nanoseconds)
    {
        _isSending = false;
        if (State == ConnectionState.Ended)
            FreeBuffers();
        else
            FinishSend(_sendBegan, nanoseconds);
    }

    private void FinishSend(long before, long after)
    {
        int count;
        try
        {
            count = _sending.GetResult();
        }
        catch (SocketException failure)
        {
            _inFlight.Clear();
            SetAwaitsRoom(false);
            SendFailed(failure.Message);
            return;
        }
        _inFlight.Consume(count);
        Sent(count, before, after, awaitsRoom: false);
        if (State == ConnectionState.Ended)
            return;
        if (_inFlight.Count > 0)
            BeginSend();
        else if (Outgoing.Count > 0 || State == ConnectionState.Closing)
            MarkForFlush();
    }

    private void ReturnReceiveBuffer()
    {
        if (_receiveBuffer.Length > 0)
            _wire.Buffers.Return(_receiveBuffer);
        _receiveBuffer = [];
    }
}
