using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// Asks a broker whether it accepts a client of a protocol version. A broker that does not may refuse in any form: by a
/// CONNACK of another version, or by closing.
/// </summary>
internal sealed class VersionProbe : IWireHandler, ITimerHandler
{
    private readonly IWire _wire;
    private readonly byte[] _connect;
    private bool _isAccepted;

    private VersionProbe(IWire wire, byte[] connect) => (_wire, _connect) = (wire, connect);

    /// <summary>Asks once; the loop has a thread of its own, as every wire.</summary>
    /// <param name="broker">The broker.</param>
    /// <param name="version">The version.</param>
    /// <param name="timeout">How long to wait for the answer; silence is a refusal.</param>
    public static bool IsAccepted(IBrokerUnderTest broker, ProtocolVersion version, TimeSpan timeout)
    {
        using var wire = WireFactory.Create(new WireOptions());
        var connect = new ConnectPacket
        {
            ProtocolVersion = version,
            ClientId = $"mqttcheck-version-{Environment.ProcessId:x}",
            UserName = broker.Credentials?.UserName,
            Password = broker.Credentials is { } credentials ? Bytes.FromText(credentials.Password) : default(Bytes?),
        };
        var probe = new VersionProbe(wire, PacketEncoder.Encode(connect, version));
        wire.Connect(broker.Endpoint with { ConnectTimeout = timeout }, probe);
        wire.Schedule(probe, wire.NowNanoseconds + timeout.Ticks * TimeSpan.NanosecondsPerTick, 0);
        var thread = new Thread(wire.Run) { Name = "version probe", IsBackground = true };
        thread.Start();
        thread.Join();
        return probe._isAccepted;
    }

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp) => connection.Send(_connect);

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        // CONNACK: type, length, flags, reason code.
        if (bytes.Length < 4)
            return 0;
        _isAccepted = bytes[0] == (byte)PacketType.Connack << 4 && bytes[3] == 0;
        connection.Close();
        return bytes.Length;
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) => _wire.Stop();

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        _wire.Stop();
}
