using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Wire.Portable;

/// <summary>A listening socket of the portable wire.</summary>
[SuppressMessage(
    "Reliability",
    "CA2012:Use ValueTasks correctly",
    Justification = "Each is consumed once, when its awaiter announces the end."
)]
internal sealed class PortableListener : IDeadline, IDisposable
{
    private const int Backlog = 4096;
    private const long PauseNanoseconds = 100_000_000;

    private readonly PortableWire _wire;
    private readonly Func<IWireHandler?> _accept;
    private readonly Socket _socket;
    private readonly Action _onAccepted;
    private ValueTaskAwaiter<Socket> _accepting;
    private bool _disposed;

    /// <summary>Begins to listen.</summary>
    /// <param name="wire">Its wire.</param>
    /// <param name="address">The address to listen on; port 0 takes a free one.</param>
    /// <param name="accept">Makes the handler of each connection; null turns it away.</param>
    /// <exception cref="WireException">The address cannot be served.</exception>
    public PortableListener(PortableWire wire, IPEndPoint address, Func<IWireHandler?> accept)
    {
        _wire = wire;
        _accept = accept;
        _onAccepted = wire.Completing(_ => Accepted());
        _socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            _socket.Bind(address);
            _socket.Listen(Backlog);
        }
        catch (SocketException failure)
        {
            _socket.Dispose();
            throw ListenFailure.Of(address, failure.SocketErrorCode, failure.Message);
        }
        Address = (IPEndPoint)_socket.LocalEndPoint!;
        AcceptNext();
    }

    /// <summary>The address that is served.</summary>
    public IPEndPoint Address { get; }

    /// <inheritdoc/>
    public void OnDeadline() => AcceptNext();

    /// <summary>Stops listening.</summary>
    public void Dispose()
    {
        _disposed = true;
        _socket.Dispose();
    }

    private void Accepted()
    {
        if (_disposed)
            return;
        try
        {
            var accepted = _accepting.GetResult();
            if (_accept() is { } handler)
                new PortableConnection(_wire, handler, accepted).BeginAccepted();
            else
                accepted.Close(timeout: 0);
        }
        catch (SocketException failure)
            when (failure.SocketErrorCode is SocketError.TooManyOpenSockets or SocketError.NoBufferSpaceAvailable)
        {
            _wire.Timers.Add(this, _wire.NowNanoseconds + PauseNanoseconds, 0);
            return;
        }
        catch (SocketException)
        {
            // The peer gave up while it waited in the queue.
        }
        AcceptNext();
    }

    private void AcceptNext()
    {
        _accepting = _socket.AcceptAsync(CancellationToken.None).GetAwaiter();
        if (_accepting.IsCompleted)
            _onAccepted();
        else
            _accepting.UnsafeOnCompleted(_onAccepted);
    }
}
