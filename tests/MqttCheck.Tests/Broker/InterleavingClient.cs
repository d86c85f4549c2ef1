using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker;

/// <summary>A client that keeps the rules in both directions, whatever becomes of its connections.</summary>
internal sealed class InterleavingClient(BrokerBench bench, ProtocolVersion version, string clientId)
{
    private readonly List<PublishPacket> _unfinished = [];
    private readonly List<ushort> _released = [];
    private readonly HashSet<ushort> _receiving = [];
    private readonly Queue<Packet> _answers = new();
    private BenchClient? _connection;
    private ushort _lastPacketId;

    /// <summary>What was delivered to the application, in order.</summary>
    public List<PublishPacket> Delivered { get; } = [];

    public bool IsConnected => _connection is not null;

    public void Connect(bool clean)
    {
        if (IsConnected)
            return;
        _answers.Clear();
        _connection = bench.Connect(version, clientId, clean);
        if (_connection.Connack!.SessionPresent)
        {
            foreach (var packet in _unfinished)
                _connection.Send(packet with { Duplicate = true });
            foreach (var id in _released)
                _connection.Send(new PubrelPacket(id));
            return;
        }
        _unfinished.Clear();
        _released.Clear();
        _receiving.Clear();
    }

    public void Lose()
    {
        _connection?.Lose();
        _connection = null;
    }

    public void Disconnect()
    {
        _connection?.Disconnect();
        _connection = null;
    }

    public void Subscribe(string filter, int qos) =>
        _connection?.Send(new SubscribePacket(65535, [new SubscriptionRequest(filter, (QualityOfService)qos)]));

    public void Unsubscribe(string filter) => _connection?.Send(new UnsubscribePacket(65534, [filter]));

    public void Publish(string topic, string payload, int qos)
    {
        if (_connection is null)
            return;
        var packet = new PublishPacket
        {
            Topic = topic,
            Payload = Bytes.FromText(payload),
            Qos = (QualityOfService)qos,
            PacketId = qos == 0 ? (ushort)0 : ++_lastPacketId,
        };
        if (qos > 0)
            _unfinished.Add(packet);
        _connection.Send(packet);
    }

    /// <summary>Takes what has arrived; the answers wait for <see cref="Answer"/>.</summary>
    public bool Receive()
    {
        if (_connection is null)
            return false;
        var packets = _connection.TakeAll();
        foreach (var packet in packets)
            Take(packet);
        return packets.Length > 0;
    }

    public bool Answer()
    {
        if (_connection is null || _answers.Count == 0)
            return false;
        while (_answers.TryDequeue(out var answer))
            _connection.Send(answer);
        return true;
    }

    private void Take(Packet packet)
    {
        switch (packet)
        {
            case PublishPacket { Qos: QualityOfService.ExactlyOnce } publish:
                if (_receiving.Add(publish.PacketId))
                    Delivered.Add(publish);
                _answers.Enqueue(new PubrecPacket(publish.PacketId));
                break;
            case PublishPacket publish:
                Delivered.Add(publish);
                if (publish.Qos == QualityOfService.AtLeastOnce)
                    _answers.Enqueue(new PubackPacket(publish.PacketId));
                break;
            case PubrelPacket release:
                _receiving.Remove(release.PacketId);
                _answers.Enqueue(new PubcompPacket(release.PacketId));
                break;
            case PubackPacket ack:
                _unfinished.RemoveAll(p => p.PacketId == ack.PacketId);
                break;
            case PubrecPacket received:
                _unfinished.RemoveAll(p => p.PacketId == received.PacketId);
                if (!_released.Contains(received.PacketId))
                    _released.Add(received.PacketId);
                _answers.Enqueue(new PubrelPacket(received.PacketId));
                break;
            case PubcompPacket complete:
                _released.Remove(complete.PacketId);
                break;
        }
    }
}
