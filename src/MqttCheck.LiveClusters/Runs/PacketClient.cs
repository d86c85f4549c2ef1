using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>A client of one node that takes packet by packet, in MQTT 3.1.1.</summary>
internal abstract class PacketClient : IWireHandler
{
    /// <summary>The version that it speaks.</summary>
    protected const ProtocolVersion Version = ProtocolVersion.V311;
    private const int LargestPacketBytes = 1 << 20;

    /// <summary>A DISCONNECT.</summary>
    protected static byte[] Disconnect { get; } = PacketEncoder.Encode(new DisconnectPacket(), Version);

    /// <inheritdoc/>
    public abstract void OnConnected(WireConnection connection, in ArrivalStamp stamp);

    /// <inheritdoc/>
    public abstract void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp);

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var consumed = 0;
        while (PacketFrame.TryRead(bytes[consumed..], LargestPacketBytes, out var frame) is var status)
        {
            if (status == FrameStatus.NeedMore)
                return consumed;
            if (status != FrameStatus.Complete)
                break;
            var packet = bytes.Slice(consumed, frame.TotalLength);
            if (frame.Type == PacketType.Connack && !IsAccepted(packet))
                break;
            Take(connection, frame.Type, packet, stamp.Nanoseconds);
            consumed += frame.TotalLength;
        }
        connection.Abort();
        return bytes.Length;
    }

    /// <summary>A CONNECT.</summary>
    /// <param name="name">The client identifier.</param>
    /// <param name="login">The login at the node; null for none.</param>
    /// <param name="isClean">Whether the session ends with the connection.</param>
    /// <param name="will">The will; null for none.</param>
    protected static byte[] ConnectOf(string name, Credentials? login, bool isClean, WillMessage? will = null) =>
        PacketEncoder.Encode(
            new ConnectPacket
            {
                ProtocolVersion = Version,
                ClientId = name,
                CleanStart = isClean,
                KeepAliveSeconds = 0,
                UserName = login?.UserName,
                Password = login is null ? default(Bytes?) : Bytes.FromText(login.Password),
                Will = will,
            },
            Version
        );

    /// <summary>Takes a packet; of CONNACK only one that accepts the connection.</summary>
    /// <param name="connection">The connection that it came by.</param>
    /// <param name="type">Its type.</param>
    /// <param name="packet">Its bytes.</param>
    /// <param name="at">When it came, in nanoseconds.</param>
    protected abstract void Take(WireConnection connection, PacketType type, ReadOnlySpan<byte> packet, long at);

    private static bool IsAccepted(ReadOnlySpan<byte> connack) =>
        PacketDecoder.Observe(connack, Version, PacketOrigin.Server).Packet
            is ConnackPacket { ReasonCode: ReasonCode.Success };
}
