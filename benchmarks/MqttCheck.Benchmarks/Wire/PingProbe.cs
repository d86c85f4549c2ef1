using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>A client that sends PINGREQ every 2 ms and times the answer, by the stamps of the wire.</summary>
/// <param name="wire">Its wire.</param>
/// <param name="name">Its name.</param>
internal sealed class PingProbe(IWire wire, string name) : IWireHandler, ITimerHandler
{
    private const long PeriodNanoseconds = 2_000_000;
    private const ProtocolVersion Version = ProtocolVersion.V311;

    private static readonly byte[] Ping = PacketEncoder.Encode(new PingreqPacket(), Version);

    private readonly Lock _gate = new();
    private readonly List<double> _latencies = [];
    private readonly List<double> _latenesses = [];
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private WireConnection? _connection;
    private long _sent;

    public string Name => name;

    public Task Ready => _ready.Task;

    /// <summary>The latencies since the last call, in ms.</summary>
    public double[] Take() => Take(_latencies);

    /// <summary>How late the requests since the last call were sent, in ms.</summary>
    public double[] TakeLateness() => Take(_latenesses);

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        _connection = connection;
        connection.Send(
            PacketEncoder.Encode(
                new ConnectPacket
                {
                    ProtocolVersion = Version,
                    ClientId = name,
                    CleanStart = true,
                },
                Version
            )
        );
    }

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        if (PacketFrame.TryRead(bytes, int.MaxValue, out var frame) != FrameStatus.Complete)
            return 0;
        if (frame.Type == PacketType.Connack)
            _ready.TrySetResult();
        else
        {
            lock (_gate)
                _latencies.Add((stamp.Nanoseconds - _sent) / 1e6);
        }
        wire.Schedule(this, wire.NowNanoseconds + PeriodNanoseconds, 0);
        return frame.TotalLength;
    }

    public void OnSent(WireConnection connection, in SendStamp stamp) => _sent = stamp.Nanoseconds;

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        lock (_gate)
            _latenesses.Add((nowNanoseconds - dueNanoseconds) / 1e6);
        _connection!.Send(Ping);
    }

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        throw new InvalidOperationException($"The connection of the probe ended: {reason}, {detail}");

    private double[] Take(List<double> values)
    {
        lock (_gate)
        {
            double[] taken = [.. values];
            values.Clear();
            return taken;
        }
    }
}
