using System.Net;
using System.Net.Sockets;

namespace MqttCheck.Brokers.Wire.Portable;

/// <summary>
/// The wire on the sockets of .NET, for every system. Operations run asynchronously. Their completions are stamped at
/// once and handed to the wire's thread, which makes all calls and keeps the timers. An arrival stamp is late by the
/// wake-up of a thread.
/// </summary>
/// <param name="options">Its settings, valid.</param>
internal sealed class PortableWire(WireOptions options) : EventLoop(options)
{
    private readonly CompletionQueue _completions = new();
    private readonly List<PortableListener> _listeners = [];
    private readonly bool _exactTimers = options.TimerCoalescing == TimeSpan.Zero;

    /// <summary>How many bytes one read may return.</summary>
    public int ReceiveBufferBytes { get; } = options.ReceiveBufferBytes;

    /// <inheritdoc/>
    public override WireConnection ConnectTransport(WireEndpoint endpoint, IWireHandler handler)
    {
        Socket? socket = null;
        var failure = default(SocketException);
        try
        {
            socket = new Socket(endpoint.Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        }
        catch (SocketException exception)
        {
            failure = exception;
        }
        var connection = new PortableConnection(this, handler, socket);
        if (failure is null)
            connection.Begin(endpoint);
        else
            EndLater(connection, CloseReason.LocalFailure, failure.Message);
        return connection;
    }

    /// <inheritdoc/>
    protected override IPEndPoint ListenOnTransport(IPEndPoint address, Func<IWireHandler?> accept)
    {
        var listener = new PortableListener(this, address, accept);
        _listeners.Add(listener);
        return listener.Address;
    }

    /// <summary>
    /// Makes the callback of an operation, which may end on any thread; the callback informs the wire's thread.
    /// </summary>
    /// <param name="ended">The action on the wire's thread, which gets the time of the end.</param>
    public Action Completing(Action<long> ended) =>
        () => _completions.Add(new Completion(ended, MonotonicClock.NowNanoseconds));

    /// <inheritdoc/>
    protected override void HandleEvents(long until)
    {
        foreach (var completion in _completions.Take(until, _exactTimers))
            completion.Ended(completion.Nanoseconds);
    }

    /// <inheritdoc/>
    protected override void Wake() => _completions.Wake();

    /// <inheritdoc/>
    protected override void DisposeTransport()
    {
        foreach (var listener in _listeners)
            listener.Dispose();
    }
}
