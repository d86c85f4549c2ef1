using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>A listening socket of the epoll loop.</summary>
internal sealed unsafe class EpollListener : IEventSource, IDeadline, IDisposable
{
    // The limit keeps a flood of new connections from delaying the others.
    private const int MaximumPerEvent = 16;
    private const long PauseNanoseconds = 100_000_000;

    private readonly EpollWire _wire;
    private readonly Func<IWireHandler?> _accept;
    private readonly int _descriptor;
    private readonly ulong _token;

    /// <summary>Begins to listen.</summary>
    /// <param name="wire">Its loop.</param>
    /// <param name="address">The address to listen on; port 0 takes a free one.</param>
    /// <param name="accept">Makes the handler of each connection; null turns it away.</param>
    /// <exception cref="WireException">The address cannot be served.</exception>
    public EpollListener(EpollWire wire, IPEndPoint address, Func<IWireHandler?> accept)
    {
        _wire = wire;
        _accept = accept;
        _descriptor = SocketCalls.Create(address.AddressFamily);
        if (_descriptor < 0)
            throw Failure(address, Errno.Last);
        SocketCalls.Prepare(_descriptor);
        var error = SocketCalls.Listen(_descriptor, address);
        if (error == 0 && !wire.Set.TryAdd(_descriptor, LibC.EpollIn, this, out _token))
            error = Errno.Last;
        if (error != 0)
        {
            LibC.Close(_descriptor);
            throw Failure(address, error);
        }
        Address = SocketCalls.LocalAddress(_descriptor, address.AddressFamily);
    }

    /// <summary>The address that is served.</summary>
    public IPEndPoint Address { get; }

    /// <inheritdoc/>
    public void OnEvents(int mask)
    {
        for (var i = 0; i < MaximumPerEvent; i++)
        {
            var accepted = LibC.Accept(_descriptor, null, null, LibC.NonBlocking | LibC.CloseOnExec);
            if (accepted >= 0)
            {
                Begin(accepted);
                continue;
            }
            if (Errno.IsShortage(Errno.Last))
            {
                // The connection stays in the queue and would wake the loop at once. The listener tries again later,
                // when other connections may have closed.
                _wire.Set.Modify(_descriptor, 0, _token);
                _wire.Timers.Add(this, MonotonicClock.NowNanoseconds + PauseNanoseconds, 0);
                return;
            }
            if (Errno.Last == Errno.TryAgain)
                return;
        }
    }

    /// <inheritdoc/>
    public void OnDeadline() => _wire.Set.Modify(_descriptor, LibC.EpollIn, _token);

    /// <summary>Stops listening.</summary>
    public void Dispose()
    {
        _wire.Set.Remove(_descriptor, _token);
        LibC.Close(_descriptor);
    }

    private void Begin(int accepted)
    {
        if (_accept() is { } handler)
        {
            SocketCalls.Prepare(accepted);
            new EpollConnection(_wire, handler, accepted).BeginAccepted();
            return;
        }
        SocketCalls.ResetOnClose(accepted);
        LibC.Close(accepted);
    }

    private static WireException Failure(IPEndPoint address, int error) =>
        ListenFailure.Of(
            address,
            error switch
            {
                Errno.AddressInUse => SocketError.AddressAlreadyInUse,
                Errno.AccessDenied => SocketError.AccessDenied,
                Errno.AddressNotAvailable => SocketError.AddressNotAvailable,
                _ => SocketError.SocketError,
            },
            Errno.Text(error)
        );
}
