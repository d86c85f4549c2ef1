using System.Net;
using System.Net.Sockets;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Wire.Memory;

/// <summary>
/// Connects clients and servers in one process without sockets, in virtual time. When nothing is left to do now, the
/// clock jumps to the next event. Equal handlers, latency and pieces give equal runs.
/// </summary>
/// <param name="options">Its settings, valid.</param>
/// <param name="latency">How long bytes are under way.</param>
/// <param name="pieces">Cuts received bytes into pieces of random length; null delivers them as they were sent.</param>
/// <param name="waitsWhenIdle">
/// Whether an idle wire waits for posted actions; otherwise <see cref="IWire.Run"/> returns when no event is left.
/// </param>
internal sealed class MemoryWire(
    WireOptions options,
    TimeSpan latency,
    RandomStream? pieces,
    bool waitsWhenIdle = false
) : EventLoop(options)
{
    private const int FirstFreePort = 49152;

    private readonly Dictionary<IPEndPoint, Func<IWireHandler?>> _listeners = [];
    private readonly SemaphoreSlim? _posts = waitsWhenIdle ? new SemaphoreSlim(0) : null;
    private readonly bool _cutsPieces = pieces is not null;
    private RandomStream _pieces = pieces.GetValueOrDefault();
    private long _now;
    private int _nextPort = FirstFreePort;

    /// <inheritdoc/>
    public override long NowNanoseconds => _now;

    /// <inheritdoc/>
    public override bool ComputesOnThreadPool => false;

    /// <summary>How long bytes are under way.</summary>
    public long LatencyNanoseconds { get; } = MonotonicClock.Nanoseconds(latency);

    /// <inheritdoc/>
    public override WireConnection ConnectTransport(WireEndpoint endpoint, IWireHandler handler)
    {
        var connection = new MemoryConnection(this, handler);
        At(LatencyNanoseconds, () => connection.Reach(_listeners.GetValueOrDefault(endpoint.Address)));
        return connection;
    }

    /// <inheritdoc/>
    protected override IPEndPoint ListenOnTransport(IPEndPoint address, Func<IWireHandler?> accept)
    {
        var served = address.Port == 0 ? new IPEndPoint(address.Address, _nextPort++) : address;
        if (!_listeners.TryAdd(served, accept))
            throw ListenFailure.Of(served, SocketError.AddressAlreadyInUse, "");
        return served;
    }

    /// <summary>Stops serving an address. Its connections stay.</summary>
    /// <param name="address">The address.</param>
    public void StopListening(IPEndPoint address) => _listeners.Remove(address);

    /// <summary>Schedules an action.</summary>
    /// <param name="afterNanoseconds">
    /// The delay; events of the same time happen in the order in which they were set.
    /// </param>
    /// <param name="action">The action.</param>
    public void At(long afterNanoseconds, Action action) =>
        Timers.Add(new MemoryEvent(action), _now + afterNanoseconds, 0);

    /// <summary>The length of the next piece.</summary>
    /// <param name="available">How many bytes there are, at least 1.</param>
    public int NextPiece(int available) => _cutsPieces ? 1 + _pieces.NextInt(available) : available;

    /// <inheritdoc/>
    protected override void HandleEvents(long until)
    {
        if (until <= _now || HasPosted)
            return;
        if (until < long.MaxValue)
            _now = until;
        else if (_posts is null)
            Stop();
        else
            _posts.Wait();
    }

    /// <inheritdoc/>
    protected override void Wake() => _posts?.Release();

    /// <inheritdoc/>
    protected override void DisposeTransport() => _listeners.Clear();
}
