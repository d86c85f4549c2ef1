using System.Buffers.Binary;
using System.Globalization;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Events;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.InMemory;

/// <summary>An MQTT client of one node. It connects with the node's process, and is gone with it.</summary>
/// <param name="client">Its number among all clients.</param>
/// <param name="observe">Told of what the client sees: the event, and the message's number or the filter.</param>
internal sealed class ByteClient(int client, Action<ClusterEventKind, long, string, int> observe) : IWireHandler
{
    private const int MostPacketBytes = 1 << 20;

    private readonly Queue<byte[]> _waiting = new();
    private readonly Dictionary<ushort, long> _published = [];
    private readonly Dictionary<ushort, (string Filter, QualityOfService Qos)> _subscribing = [];
    private readonly HashSet<ushort> _received = [];
    private WireConnection? _connection;
    private ushort _lastId;
    private bool _isConnected;
    private bool _isGone;

    /// <summary>Publishes a message whose payload begins with its number.</summary>
    public void Publish(string topic, QualityOfService qos, long number, int payloadBytes)
    {
        var payload = new byte[Math.Max(sizeof(long), payloadBytes)];
        BinaryPrimitives.WriteInt64BigEndian(payload, number);
        var id = qos == QualityOfService.AtMostOnce ? (ushort)0 : ++_lastId;
        if (id != 0)
            _published[id] = number;
        Send(
            new PublishPacket
            {
                Topic = topic,
                Qos = qos,
                PacketId = id,
                Payload = new Bytes(payload),
            }
        );
    }

    public void Subscribe(string filter, QualityOfService qos)
    {
        _subscribing[++_lastId] = (filter, qos);
        Send(new SubscribePacket(_lastId, [new SubscriptionRequest(filter, qos)]));
    }

    public void Unsubscribe(string filter)
    {
        _subscribing[++_lastId] = (filter, default);
        Send(new UnsubscribePacket(_lastId, [filter]));
    }

    /// <summary>The process of its node has ended.</summary>
    public void Drop()
    {
        _isGone = true;
        _connection?.Abort();
    }

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        _connection = connection;
        var clientId = string.Create(CultureInfo.InvariantCulture, $"client{client}");
        connection.Send(PacketEncoder.Encode(new ConnectPacket { ClientId = clientId }, ProtocolVersion.V5));
    }

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var consumed = 0;
        while (
            !_isGone && PacketFrame.TryRead(bytes[consumed..], MostPacketBytes, out var frame) == FrameStatus.Complete
        )
        {
            Take(frame.Type, bytes.Slice(consumed, frame.TotalLength));
            consumed += frame.TotalLength;
        }
        return _isGone ? bytes.Length : consumed;
    }

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        _isGone = true;

    private void Take(PacketType type, ReadOnlySpan<byte> packet)
    {
        switch (type)
        {
            case PacketType.Connack:
                _isConnected = true;
                while (_waiting.TryDequeue(out var waiting))
                    _connection!.Send(waiting);
                break;
            case PacketType.Publish:
                TakePublish(packet);
                break;
            case PacketType.Suback or PacketType.Unsuback:
                if (_subscribing.Remove(BinaryPrimitives.ReadUInt16BigEndian(packet[2..]), out var subscription))
                    observe(
                        type == PacketType.Suback ? ClusterEventKind.Subscribed : ClusterEventKind.Unsubscribed,
                        -1,
                        subscription.Filter,
                        (int)subscription.Qos
                    );
                break;
            default:
                if (AckView.TryParse(ProtocolVersion.V5, packet, out var ack, PacketOrigin.Server))
                    TakeAck(ack);
                break;
        }
    }

    private void TakePublish(ReadOnlySpan<byte> packet)
    {
        PublishView.TryParse(ProtocolVersion.V5, packet, out var publish, PacketOrigin.Server);
        var isNew = publish.Qos != QualityOfService.ExactlyOnce || _received.Add(publish.PacketId);
        if (publish.Qos != QualityOfService.AtMostOnce)
            Acknowledge(
                publish.Qos == QualityOfService.AtLeastOnce ? PacketType.Puback : PacketType.Pubrec,
                publish.PacketId
            );
        if (isNew)
            observe(ClusterEventKind.Delivered, NumberOf(publish.Payload), "", (int)publish.Qos);
    }

    /// <summary>The number of a message, which its payload begins with.</summary>
    public static long NumberOf(ReadOnlySpan<byte> payload) => BinaryPrimitives.ReadInt64BigEndian(payload);

    private void TakeAck(in AckView ack)
    {
        switch (ack.Type)
        {
            case PacketType.Pubrel:
                _received.Remove(ack.PacketId);
                Acknowledge(PacketType.Pubcomp, ack.PacketId);
                break;
            case PacketType.Puback or PacketType.Pubrec:
                if (_published.Remove(ack.PacketId, out var number))
                    observe(ClusterEventKind.Acknowledged, number, "", 0);
                if (ack.Type == PacketType.Pubrec)
                    Acknowledge(PacketType.Pubrel, ack.PacketId);
                break;
        }
    }

    private void Acknowledge(PacketType type, ushort packetId)
    {
        Span<byte> packet = stackalloc byte[PacketWriter.MaximumAckBytes];
        _connection!.Send(packet[..PacketWriter.WriteAck(packet, type, packetId, ProtocolVersion.V5)]);
    }

    private void Send(Packet packet)
    {
        var bytes = PacketEncoder.Encode(packet, ProtocolVersion.V5);
        if (_isConnected)
            _connection!.Send(bytes);
        else
            _waiting.Enqueue(bytes);
    }
}
