using System.Collections.Concurrent;
using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MQTTnet;

namespace MqttCheck.MqttNet.Client;

/// <summary>
/// The event loop of this machine, with MQTTnet clients as connections. The packets of a handler are carried out by
/// calls of the library. Results from the library's threads come back to the loop by a queue, as packets. They carry
/// the times at which an application would have known them.
/// </summary>
internal sealed class MqttNetWire : IWire
{
    private readonly EventLoop _loop;
    private readonly MqttClientFactory _factory = new();
    private readonly ConcurrentQueue<MqttNetEvent> _events = new();
    private readonly Action _drain;
    private int _isDrainPosted;

    /// <summary>A loop without connections.</summary>
    /// <param name="options">Its settings.</param>
    public MqttNetWire(WireOptions options)
    {
        _loop = (EventLoop)WireFactory.Create(options);
        _drain = Drain;
    }

    /// <summary>Converts results of the library into packets.</summary>
    public MqttNetAnswers Answers { get; } = new();

    /// <inheritdoc/>
    public long NowNanoseconds => _loop.NowNanoseconds;

    /// <inheritdoc/>
    public WireConnection Connect(WireEndpoint endpoint, IWireHandler handler)
    {
        var connection = new MqttNetConnection(this, _loop, _factory, endpoint, handler);
        Add(new(connection, MqttNetEventKind.Ready, MonotonicClock.NowNanoseconds));
        return connection;
    }

    /// <inheritdoc/>
    public IPEndPoint Listen(WireListener listener, Func<IWireHandler?> accept) => _loop.Listen(listener, accept);

    /// <inheritdoc/>
    public long Schedule(ITimerHandler handler, long dueNanoseconds, int tag) =>
        _loop.Schedule(handler, dueNanoseconds, tag);

    /// <inheritdoc/>
    public void Cancel(long ticket) => _loop.Cancel(ticket);

    /// <inheritdoc/>
    public void Post(Action action) => _loop.Post(action);

    /// <inheritdoc/>
    public void Run() => _loop.Run();

    /// <inheritdoc/>
    public void Stop() => _loop.Stop();

    /// <inheritdoc/>
    public void Dispose() => _loop.Dispose();

    /// <summary>Queues an event of a client for the loop. Safe from any thread, even after disposal.</summary>
    /// <param name="reported">The event.</param>
    public void Add(in MqttNetEvent reported)
    {
        _events.Enqueue(reported);
        // One wake-up serves all events that come before the loop drains the queue.
        if (Interlocked.Exchange(ref _isDrainPosted, 1) == 0)
            _loop.Post(_drain);
    }

    private void Drain()
    {
        // The flag is cleared first, so that later events are drained in another round.
        Volatile.Write(ref _isDrainPosted, 0);
        for (var count = _events.Count; count > 0 && _events.TryDequeue(out var reported); count--)
            reported.Connection.Handle(reported);
        if (!_events.IsEmpty && Interlocked.Exchange(ref _isDrainPosted, 1) == 0)
            _loop.Post(_drain);
    }
}
