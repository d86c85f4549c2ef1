using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>Stamps the end of a connection 10 ms before it is told, as a busy machine may.</summary>
/// <param name="handler">Who is told.</param>
internal sealed class EarlyLoss(IWireHandler handler) : IWireHandler
{
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp) => handler.OnConnected(connection, stamp);

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) =>
        handler.OnBytes(connection, bytes, stamp);

    public void OnSent(WireConnection connection, in SendStamp stamp) => handler.OnSent(connection, stamp);

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        handler.OnClosed(connection, reason, detail, stamp with { Nanoseconds = stamp.Nanoseconds - 10_000_000 });
}
