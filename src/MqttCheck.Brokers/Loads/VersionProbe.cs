using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// Asks a broker whether it accepts a client of a protocol version. A broker may refuse in any form, such as a CONNACK
/// of another version or a closed connection.
/// </summary>
/// <param name="wire">Its wire.</param>
/// <param name="connect">Its CONNECT.</param>
internal sealed class VersionProbe(IWire wire, byte[] connect) : IWireHandler, ITimerHandler
{
    private bool _isAccepted;

    /// <summary>Asks once; the event loop has a thread of its own.</summary>
    /// <param name="broker">The broker.</param>
    /// <param name="version">The version.</param>
    /// <param name="timeout">How long to wait for the answer; silence is a refusal.</param>
    public static bool IsAccepted(IBrokerUnderTest broker, ProtocolVersion version, TimeSpan timeout)
    {
        using var loop = WireFactory.Create(new WireOptions());
        var packet = new ConnectPacket
        {
            ProtocolVersion = version,
            ClientId = $"mqttcheck-version-{Environment.ProcessId:x}",
            UserName = broker.Credentials?.UserName,
            Password = broker.Credentials is { } credentials ? Bytes.FromText(credentials.Password) : default(Bytes?),
        };
        var probe = new VersionProbe(loop, PacketEncoder.Encode(packet, version));
        loop.Connect(broker.Endpoint with { ConnectTimeout = timeout }, probe);
        loop.Schedule(probe, loop.NowNanoseconds + timeout.Ticks * TimeSpan.NanosecondsPerTick, 0);
        var thread = new Thread(loop.Run) { Name = "version probe", IsBackground = true };
        thread.Start();
        thread.Join();
        return probe._isAccepted;
    }

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp) => connection.Send(connect);

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        // CONNACK has type, length, flags and reason code.
        if (bytes.Length < 4)
            return 0;
        _isAccepted = bytes[0] == (byte)PacketType.Connack << 4 && bytes[3] == 0;
        connection.Close();
        return bytes.Length;
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) => wire.Stop();

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        wire.Stop();
}
