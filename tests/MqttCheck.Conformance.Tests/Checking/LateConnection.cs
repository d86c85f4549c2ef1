using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>Tells 20 ms late that a connection is open.</summary>
/// <param name="wire">The wire.</param>
/// <param name="handler">Who is told.</param>
internal sealed class LateConnection(IWire wire, IWireHandler handler) : IWireHandler, ITimerHandler
{
    private WireConnection? _connection;
    private ArrivalStamp _stamp;

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        (_connection, _stamp) = (connection, stamp);
        wire.Schedule(this, wire.NowNanoseconds + 20_000_000, 0);
    }

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) => handler.OnConnected(_connection!, _stamp);

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) =>
        handler.OnBytes(connection, bytes, stamp);

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        handler.OnClosed(connection, reason, detail, stamp);
}
