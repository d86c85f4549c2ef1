using System.Buffers.Binary;
using System.Text;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>
/// The client of one node that writes retained messages with QoS 1, each on a topic of its own, asks for those that
/// were acknowledged, and clears all of them. It replaces a lost connection.
/// </summary>
/// <param name="mesh">All of these clients.</param>
/// <param name="name">The client identifier.</param>
/// <param name="node">The node.</param>
/// <param name="topicOf">The topic of a message by its number.</param>
internal sealed class KeeperClient(KeeperMesh mesh, string name, int node, Func<int, string> topicOf)
    : PacketClient,
        ITimerHandler
{
    private const int SendTag = 0,
        ConnectTag = 1,
        PatienceTag = 2;
    private const int TopicsOfSubscribe = 20;
    private const long IntervalNanoseconds = 100_000_000;
    private const long ReconnectNanoseconds = 100_000_000;
    private const long PatienceNanoseconds = 2_000_000_000;

    private readonly Dictionary<ushort, int> _unacknowledged = [];
    private readonly SortedDictionary<int, (long Sent, long Acknowledged)> _written = [];
    private readonly HashSet<int> _came = [];
    private WireConnection? _connection;
    private bool _isReady;
    private bool _isAsking;
    private bool _isClearing;
    private long _start,
        _end;
    private int _count;
    private int _attempt;
    private ushort _packetId = 1;

    /// <summary>Its node.</summary>
    public int Node => node;

    /// <summary>Whether its node has ever accepted it.</summary>
    public bool WasReady { get; private set; }

    /// <summary>How many messages were acknowledged.</summary>
    public long Acknowledged => _written.Values.LongCount(write => write.Acknowledged > 0);

    /// <summary>Those of them that did not come, each in words.</summary>
    public IReadOnlyList<string> Missing =>
        [
            .. _written
                .Where(write => write.Value.Acknowledged > 0 && !_came.Contains(write.Key))
                .Select(write =>
                    Invariant($"retained message #{write.Key + 1} of {mesh.NameOf(node)}, published at ")
                    + Invariant($"{Seconds(write.Value.Sent):0.000} s, acknowledged at ")
                    + Invariant($"{Seconds(write.Value.Acknowledged):0.000} s, was not there at the end")
                ),
        ];

    /// <summary>Whether all of them came.</summary>
    public bool HasAll => _written.All(write => write.Value.Acknowledged == 0 || _came.Contains(write.Key));

    /// <summary>Whether its node has acknowledged that everything is cleared.</summary>
    public bool IsCleared => _isClearing && _unacknowledged.Count == 0;

    /// <summary>Begins to connect.</summary>
    public void Connect()
    {
        if (mesh.IsOver)
            return;
        _isReady = false;
        _attempt++;
        _connection = mesh.Wire.Connect(mesh.EndpointOf(node), this);
        mesh.Wire.Schedule(this, mesh.Wire.NowNanoseconds + PatienceNanoseconds, PatienceTag + _attempt);
    }

    /// <summary>Begins to write.</summary>
    /// <param name="start">The time of the first message.</param>
    /// <param name="end">The time after the last one.</param>
    public void Begin(long start, long end)
    {
        (_start, _end) = (start, end);
        mesh.Wire.Schedule(this, start, SendTag);
    }

    /// <summary>Asks the node for the retained messages that have not come, now or when it is connected.</summary>
    public void Ask()
    {
        _isAsking = true;
        // At QoS 0: a cluster of NATS makes a consumer for each subscription of QoS 1, and may refuse many of them.
        // Some brokers hand out retained messages for whole topics only, and not for a wildcard.
        foreach (var topics in _isReady ? _written.Keys.Except(_came).Chunk(TopicsOfSubscribe) : [])
            _connection!.Send(
                PacketEncoder.Encode(
                    new SubscribePacket(
                        1,
                        [
                            .. topics.Select(number => new SubscriptionRequest(
                                topicOf(number),
                                QualityOfService.AtMostOnce
                            )),
                        ]
                    ),
                    Version
                )
            );
    }

    /// <summary>Clears the retained messages, where it is connected.</summary>
    public void Clear()
    {
        (_isAsking, _isClearing) = (false, true);
        _unacknowledged.Clear();
        foreach (var number in _isReady ? _written.Keys : Enumerable.Empty<int>())
            Publish(number, []);
    }

    /// <summary>Ends the connection in order.</summary>
    public void Leave()
    {
        if (_isReady)
            _connection!.Send(Disconnect);
        _connection?.Close();
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (tag == SendTag)
            Send(dueNanoseconds);
        else if (tag == ConnectTag)
            Connect();
        else if (tag == PatienceTag + _attempt && !_isReady)
            _connection?.Abort();
    }

    /// <inheritdoc/>
    public override void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
        connection.Send(ConnectOf(name, mesh.CredentialsOf(node), isClean: true));

    /// <inheritdoc/>
    public override void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (connection != _connection)
            return;
        (_connection, _isReady) = (null, false);
        _unacknowledged.Clear();
        if (!mesh.IsOver)
            mesh.Wire.Schedule(this, mesh.Wire.NowNanoseconds + ReconnectNanoseconds, ConnectTag);
    }

    /// <inheritdoc/>
    protected override void Take(WireConnection connection, PacketType type, ReadOnlySpan<byte> packet, long at)
    {
        switch (type)
        {
            case PacketType.Connack:
                _isReady = WasReady = true;
                mesh.Ready();
                if (_isAsking)
                    Ask();
                break;
            case PacketType.Puback when packet.Length >= 4:
                if (
                    _unacknowledged.Remove(BinaryPrimitives.ReadUInt16BigEndian(packet[2..]), out var number)
                    && !_isClearing
                )
                    _written[number] = _written[number] with { Acknowledged = at };
                break;
            case PacketType.Publish when PublishView.TryParse(Version, packet, out var message, PacketOrigin.Server):
                Deliver(connection, message);
                break;
        }
    }

    // A message counts if it has the number of its topic.
    private void Deliver(WireConnection connection, in PublishView message)
    {
        if (message.Qos == QualityOfService.AtLeastOnce)
        {
            Span<byte> ack = stackalloc byte[PacketWriter.MaximumAckBytes];
            connection.Send(ack[..PacketWriter.WriteAck(ack, PacketType.Puback, message.PacketId, Version)]);
        }
        if (message.Payload.Length != sizeof(int) || _isClearing)
            return;
        var number = BinaryPrimitives.ReadInt32BigEndian(message.Payload);
        if (Encoding.UTF8.GetString(message.Topic) == topicOf(number))
            _came.Add(number);
    }

    private void Send(long due)
    {
        if (_isAsking || _isClearing || mesh.Wire.NowNanoseconds >= _end)
            return;
        if (_isReady)
        {
            var payload = new byte[sizeof(int)];
            BinaryPrimitives.WriteInt32BigEndian(payload, _count);
            _written[_count] = (mesh.Wire.NowNanoseconds, 0);
            Publish(_count++, payload);
        }
        mesh.Wire.Schedule(this, due + IntervalNanoseconds, SendTag);
    }

    private void Publish(int number, byte[] payload)
    {
        var topic = Encoding.UTF8.GetBytes(topicOf(number));
        var packet = new byte[
            PacketWriter.PublishLength(Version, topic.Length, payload.Length, QualityOfService.AtLeastOnce)
        ];
        _packetId = _packetId == ushort.MaxValue ? (ushort)1 : (ushort)(_packetId + 1);
        _unacknowledged[_packetId] = number;
        PacketWriter.WritePublish(
            packet,
            Version,
            topic,
            payload,
            QualityOfService.AtLeastOnce,
            retain: true,
            duplicate: false,
            _packetId
        );
        _connection!.Send(packet);
    }

    private double Seconds(long nanoseconds) => (nanoseconds - _start) / 1e9;
}
