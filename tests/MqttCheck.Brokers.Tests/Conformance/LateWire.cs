using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Tests.Conformance;

/// <summary>A wire on which one connection is open 20 ms late, and later than those behind it.</summary>
/// <param name="wire">The wire.</param>
/// <param name="late">The number of that connection.</param>
internal sealed class LateWire(IWire wire, int late) : IWire
{
    private int _connections;
    private bool _isLaterOpen;

    /// <summary>Whether a later connection was open before it.</summary>
    internal bool WasLate { get; private set; }

    public long NowNanoseconds => wire.NowNanoseconds;

    public WireConnection Connect(WireEndpoint endpoint, IWireHandler handler) =>
        wire.Connect(endpoint, new Handler(this, handler, _connections++));

    public IPEndPoint Listen(WireListener listener, Func<IWireHandler?> accept) => wire.Listen(listener, accept);

    public long Schedule(ITimerHandler handler, long dueNanoseconds, int tag) =>
        wire.Schedule(handler, dueNanoseconds, tag);

    public void Cancel(long ticket) => wire.Cancel(ticket);

    public void Post(Action action) => wire.Post(action);

    public void Run() => wire.Run();

    public void Stop() => wire.Stop();

    // The wire is its owner's.
    public void Dispose() { }

    private sealed class Handler(LateWire wire, IWireHandler handler, int number) : IWireHandler, ITimerHandler
    {
        private WireConnection? _connection;
        private ArrivalStamp _stamp;

        public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
        {
            wire._isLaterOpen |= number > wire.Late;
            if (number != wire.Late)
            {
                handler.OnConnected(connection, stamp);
                return;
            }
            (_connection, _stamp) = (connection, stamp);
            wire.Schedule(this, wire.NowNanoseconds + 20_000_000, 0);
        }

        public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
        {
            wire.WasLate |= wire._isLaterOpen;
            handler.OnConnected(_connection!, _stamp);
        }

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) =>
            handler.OnBytes(connection, bytes, stamp);

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
            handler.OnClosed(connection, reason, detail, stamp);
    }

    private int Late => late;
}
