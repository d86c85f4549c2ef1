using System.Net;
using System.Runtime.InteropServices;

namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>
/// The event loop of Linux. One thread owns every connection. It reads from the sockets that epoll reports, parses in
/// place, and sends once per connection and batch. Arrival stamps are the kernel's.
/// </summary>
internal sealed unsafe class EpollWire : EventLoop
{
    /// <summary>The longest rest of an earlier read that is put in front of the shared receive buffer.</summary>
    public const int ReceivePrefixBytes = BufferPool.SmallBytes;

    /// <summary>Least space for a read into a connection's own buffer.</summary>
    public const int LargeReadBytes = 16 << 10;

    private readonly byte* _receiveBuffer;
    private readonly int _receiveBufferBytes;
    private readonly WakeUp _wakeUp;
    private readonly List<EpollListener> _listeners = [];
    private readonly bool _isPunctual;
    private PunctualWait _punctual;

    /// <summary>A loop without connections.</summary>
    /// <param name="options">Its settings, valid.</param>
    /// <param name="withTimerDescriptor">Waits as on systems without epoll_pwait2; for tests.</param>
    /// <exception cref="WireException">The system refuses descriptors.</exception>
    public EpollWire(WireOptions options, bool withTimerDescriptor = false)
        : base(options)
    {
        StartNanoseconds = MonotonicClock.NowNanoseconds;
        StampsSends = options.KernelSendStamps;
        _isPunctual = options.IsPunctual;
        _punctual = new(StartNanoseconds);
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

    /// <summary>When the loop was made.</summary>
    public long StartNanoseconds { get; }

    /// <summary>Whether the kernel stamps sent bytes.</summary>
    public bool StampsSends { get; }

    /// <summary>
    /// The correction that is added to the kernel's send stamps for addresses of this machine, see
    /// <see cref="LoopbackTransit"/>.
    /// </summary>
    public long LoopbackTransitNanoseconds { get; init; }

    /// <summary>The descriptors waited for.</summary>
    public EpollSet Set { get; }

    /// <summary>Reads with stamps.</summary>
    public StampedReceiver Receiver { get; } = new();

    /// <summary>The shared buffer into which one connection at a time reads.</summary>
    public Span<byte> ReceiveBuffer => new(_receiveBuffer, _receiveBufferBytes);

    /// <inheritdoc/>
    public override WireConnection ConnectTransport(WireEndpoint endpoint, IWireHandler handler)
    {
        var descriptor = SocketCalls.Create(endpoint.Address.AddressFamily);
        var error = descriptor < 0 ? Errno.Last : 0;
        var connection = new EpollConnection(
            this,
            handler,
            descriptor,
            IPAddress.IsLoopback(endpoint.Address.Address) ? LoopbackTransitNanoseconds : 0
        );
        if (error == 0)
        {
            SocketCalls.Prepare(descriptor);
            if (StampsSends)
                StampedReceiver.EnableSending(descriptor);
            error = SocketCalls.Connect(descriptor, endpoint.Address);
        }
        if (error == 0)
            error = connection.Begin(endpoint.ConnectTimeout);
        if (error != 0)
            EndLater(connection, Errno.ConnectReason(error), Errno.Text(error));
        return connection;
    }

    /// <inheritdoc/>
    protected override IPEndPoint ListenOnTransport(IPEndPoint address, Func<IWireHandler?> accept)
    {
        var listener = new EpollListener(this, address, accept);
        _listeners.Add(listener);
        return listener.Address;
    }

    /// <inheritdoc/>
    protected override void RunRounds()
    {
        using var slack = TimerSlack.MakeExact();
        using var urgency = _isPunctual ? ThreadUrgency.Begin() : default;
        base.RunRounds();
    }

    /// <inheritdoc/>
    protected override void HandleEvents(long until)
    {
        var now = NowNanoseconds;
        var events = Set.Wait(now, _isPunctual ? _punctual.SleepUntil(now, until) : until);
        if (events > 0)
            Receiver.CheckClock();
        for (var i = 0; i < events; i++)
            Set.Dispatch(i);
    }

    /// <inheritdoc/>
    protected override void Wake() => _wakeUp.Signal();

    /// <inheritdoc/>
    protected override void DisposeTransport()
    {
        foreach (var listener in _listeners)
            listener.Dispose();
        _wakeUp.Dispose();
        Set.Dispose();
        Receiver.Dispose();
        NativeMemory.Free(_receiveBuffer);
    }
}
