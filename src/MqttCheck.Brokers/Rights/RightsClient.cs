using System.Collections.Concurrent;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Rights;

/// <summary>
/// A client whose user sends packets and waits for others, with a loop of its own. It acknowledges what it receives,
/// and releases what was received.
/// </summary>
internal sealed class RightsClient : IWireHandler, IAsyncDisposable
{
    private const int MaximumPacketBytes = 1 << 20;

    private readonly BlockingCollection<Packet> _received = [];
    private readonly WireRunner _runner = new("rights");
    private readonly ConnectPacket _connect;
    private readonly ProtocolVersion _version;
    private WireConnection? _connection;

    /// <summary>A client that connects.</summary>
    /// <param name="endpoint">The address and transport of the broker.</param>
    /// <param name="connect">Its request.</param>
    /// <exception cref="WireException">The system refuses descriptors.</exception>
    public RightsClient(WireEndpoint endpoint, ConnectPacket connect)
    {
        (_connect, _version) = (connect, connect.ProtocolVersion);
        _runner.Wire.Post(() => _connection = _runner.Wire.Connect(endpoint, this));
        _runner.Start();
    }

    /// <summary>How the connection ended, in words; null while it lasts.</summary>
    public string? End { get; private set; }

    /// <summary>Sends a packet.</summary>
    public void Send(Packet packet) =>
        _runner.Wire.Post(() => _connection?.Send(PacketEncoder.Encode(packet, _version)));

    /// <summary>The next packet of the broker.</summary>
    /// <param name="patience">How long to wait for it.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>The packet; null where none came in time, or the connection ended.</returns>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public Packet? Receive(TimeSpan patience, CancellationToken cancellation) =>
        _received.TryTake(out var packet, (int)Math.Max(0, patience.TotalMilliseconds), cancellation) ? packet : null;

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
        connection.Send(PacketEncoder.Encode(_connect, _version));

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var read = 0;
        while (read < bytes.Length)
        {
            var status = PacketFrame.TryRead(bytes[read..], MaximumPacketBytes, out var frame);
            if (status == FrameStatus.NeedMore)
                break;
            if (status != FrameStatus.Complete)
            {
                connection.Abort();
                return bytes.Length;
            }
            var whole = bytes.Slice(read, frame.TotalLength);
            read += frame.TotalLength;
            if (PacketDecoder.Observe(whole, _version, PacketOrigin.Server).Packet is { } packet)
                Accept(connection, packet);
        }
        return read;
    }

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        End ??= BrokerAnswers.Describe(reason, detail);
        _received.CompleteAdding();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _runner.EndAsync(() => _connection?.Close());
        _received.Dispose();
    }

    private void Accept(WireConnection connection, Packet packet)
    {
        Packet? answer = packet switch
        {
            PublishPacket { Qos: QualityOfService.AtLeastOnce } message => new PubackPacket(message.PacketId),
            PublishPacket { Qos: QualityOfService.ExactlyOnce } message => new PubrecPacket(message.PacketId),
            PubrelPacket release => new PubcompPacket(release.PacketId),
            PubrecPacket receipt when !receipt.ReasonCode.IsError() => new PubrelPacket(receipt.PacketId),
            _ => null,
        };
        if (answer is not null)
            connection.Send(PacketEncoder.Encode(answer, _version));
        if (packet is DisconnectPacket disconnect)
            End = BrokerAnswers.Disconnected(disconnect.ReasonCode);
        if (!_received.IsAddingCompleted)
            _received.Add(packet);
    }
}
