using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Conformance.Checking;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>A client that publishes every millisecond, on the wire of the check, to nobody.</summary>
internal sealed class WireLoad(IWire wire, CheckTarget target) : IBackgroundLoad, IWireHandler, ITimerHandler
{
    private const long PeriodNanoseconds = 1_000_000;

    private WireConnection? _connection;
    private bool _isAccepted;

    public string Name => "1000";

    public int Started { get; private set; }

    public bool IsRunning => _connection is not null;

    public void Start()
    {
        Started++;
        wire.Post(() =>
        {
            _connection = wire.Connect(target.Endpoint, this);
            wire.Schedule(this, wire.NowNanoseconds + PeriodNanoseconds, 0);
        });
    }

    public void Stop()
    {
        _connection?.Abort();
        (_connection, _isAccepted) = (null, false);
    }

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (_connection is not { } connection)
            return;
        if (_isAccepted)
            connection.Send(
                PacketEncoder.Encode(
                    new PublishPacket { Topic = "load", Payload = Bytes.FromText("load") },
                    ProtocolVersion.V311
                )
            );
        wire.Schedule(this, nowNanoseconds + PeriodNanoseconds, 0);
    }

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
        connection.Send(
            PacketEncoder.Encode(
                new ConnectPacket
                {
                    ProtocolVersion = ProtocolVersion.V311,
                    ProtocolName = "MQTT",
                    ClientId = "load",
                    CleanStart = true,
                },
                ProtocolVersion.V311
            )
        );

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        _isAccepted = true;
        return bytes.Length;
    }

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) { }
}
