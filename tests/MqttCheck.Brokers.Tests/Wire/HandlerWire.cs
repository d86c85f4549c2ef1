using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>A wire whose connections have something between them and who listens to their events.</summary>
/// <param name="wire">The wire, which its owner disposes of.</param>
/// <param name="between">What is between, for who listens and the number of the connection.</param>
internal sealed class HandlerWire(IWire wire, Func<IWireHandler, int, IWireHandler> between) : IWire
{
    private int _connections;

    public long NowNanoseconds => wire.NowNanoseconds;

    public WireConnection Connect(WireEndpoint endpoint, IWireHandler handler) =>
        wire.Connect(endpoint, between(handler, _connections++));

    public IPEndPoint Listen(WireListener listener, Func<IWireHandler?> accept) => wire.Listen(listener, accept);

    public long Schedule(ITimerHandler handler, long dueNanoseconds, int tag) =>
        wire.Schedule(handler, dueNanoseconds, tag);

    public void Cancel(long ticket) => wire.Cancel(ticket);

    public void Post(Action action) => wire.Post(action);

    public void Run() => wire.Run();

    public void Stop() => wire.Stop();

    public void Dispose() { }
}
