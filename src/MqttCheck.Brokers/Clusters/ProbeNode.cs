using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Clusters.Events;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Clusters;

/// <summary>
/// The probe client of a node: sends a message to that of every other node at fixed times, whether the node answers or
/// not, and takes those of the others. It makes a lost connection again at once, and never goes elsewhere.
/// </summary>
internal sealed class ProbeNode : IWireHandler, ITimerHandler
{
    private const int SendTag = 0,
        ReconnectTag = 1,
        PatienceTag = 2;
    private const int LargestPacketBytes = 1 << 20;
    private const int ProbesPerRetained = 10;
    private const long ReconnectNanoseconds = 100_000_000;
    private const long PatienceNanoseconds = 2_000_000_000;

    private readonly ProbeMesh _mesh;
    private readonly int _node;
    private readonly byte[] _connect;
    private readonly byte[] _subscribe;
    private readonly (int Node, string Text, byte[] Topic)[] _others;
    private readonly byte[] _ask;
    private readonly byte[] _retainedTopic;
    private WireConnection? _connection;
    private bool _isReady;
    private int _rounds;
    private int _attempt;
    private ushort _packetId = 1;

    /// <summary>A probe client that does not connect yet.</summary>
    /// <param name="mesh">All probes.</param>
    /// <param name="node">Its node.</param>
    public ProbeNode(ProbeMesh mesh, int node)
    {
        (_mesh, _node) = (mesh, node);
        var credentials = mesh.Credentials;
        _connect = PacketEncoder.Encode(
            new ConnectPacket
            {
                ProtocolVersion = ProtocolVersion.V311,
                ClientId = string.Create(
                    CultureInfo.InvariantCulture,
                    $"{mesh.Prefix.Replace("/", "", StringComparison.Ordinal)}probe{node}"
                ),
                CleanStart = true,
                KeepAliveSeconds = 0,
                UserName = credentials?.UserName,
                Password = credentials is null ? default(Bytes?) : Bytes.FromText(credentials.Password),
            },
            ProtocolVersion.V311
        );
        var filter = ClusterTopics.Probe(mesh.Prefix, 0, node).Replace("/0/", "/+/", StringComparison.Ordinal);
        _subscribe = PacketEncoder.Encode(
            new SubscribePacket(1, [new SubscriptionRequest(filter, mesh.Qos)]),
            ProtocolVersion.V311
        );
        _ask = PacketEncoder.Encode(
            new SubscribePacket(1, [new SubscriptionRequest(ClusterTopics.Retained(mesh.Prefix, null), mesh.Qos)]),
            ProtocolVersion.V311
        );
        _retainedTopic = Encoding.UTF8.GetBytes(ClusterTopics.Retained(mesh.Prefix, node));
        _others =
        [
            .. mesh
                .Nodes.Where(other => other != node)
                .Select(other =>
                {
                    var topic = ClusterTopics.Probe(mesh.Prefix, node, other);
                    return (other, topic, Encoding.UTF8.GetBytes(topic));
                }),
        ];
    }

    private string RetainedFilter => ClusterTopics.Retained(_mesh.Prefix, null);

    /// <summary>Whether it has ever been ready.</summary>
    public bool WasReady { get; private set; }

    /// <summary>Whether its node was asked for retained messages and has not answered; null before.</summary>
    public bool? IsAsking { get; private set; }

    /// <summary>Asks its node for the retained messages of all probe clients, if it is connected.</summary>
    public void AskRetained()
    {
        if (!_isReady)
            return;
        IsAsking = true;
        _connection!.Send(_ask);
    }

    /// <summary>Clears the retained messages of all probe clients at its node, if it is connected.</summary>
    public void ClearRetained()
    {
        foreach (var node in _isReady ? _mesh.Nodes : [])
            Publish(Encoding.UTF8.GetBytes(ClusterTopics.Retained(_mesh.Prefix, node)), [], isRetained: true);
    }

    /// <summary>Begins to connect.</summary>
    public void Connect()
    {
        if (_mesh.IsOver)
            return;
        _isReady = false;
        _attempt++;
        _connection = _mesh.Wire.Connect(_mesh.EndpointOf(_node), this);
        _mesh.Wire.Schedule(this, _mesh.Wire.NowNanoseconds + PatienceNanoseconds, PatienceTag + _attempt);
    }

    /// <summary>Begins to send.</summary>
    /// <param name="at">When.</param>
    public void Begin(long at) => _mesh.Wire.Schedule(this, at, SendTag);

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (tag == SendTag)
            Send(dueNanoseconds);
        else if (tag == ReconnectTag)
            Connect();
        else if (tag == PatienceTag + _attempt && !_isReady)
            _connection?.Abort();
    }

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp) => connection.Send(_connect);

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
            Take(connection, frame.Type, bytes.Slice(consumed, frame.TotalLength), stamp.Nanoseconds);
            consumed += frame.TotalLength;
        }
        connection.Abort();
        return bytes.Length;
    }

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (connection != _connection)
            return;
        (_connection, _isReady) = (null, false);
        if (IsAsking == true)
        {
            IsAsking = false;
            _mesh.Asked();
        }
        if (!_mesh.IsOver)
            _mesh.Wire.Schedule(this, _mesh.Wire.NowNanoseconds + ReconnectNanoseconds, ReconnectTag);
    }

    private void Take(WireConnection connection, PacketType type, ReadOnlySpan<byte> packet, long at)
    {
        switch (type)
        {
            case PacketType.Connack
                when PacketDecoder.Observe(packet, ProtocolVersion.V311, PacketOrigin.Server).Packet
                    is ConnackPacket { ReasonCode: ReasonCode.Success }:
                connection.Send(_subscribe);
                break;
            case PacketType.Connack:
                connection.Abort();
                break;
            case PacketType.Suback when IsAsking == true:
                IsAsking = false;
                _mesh.Note(ClusterEventKind.Subscribed, _node, -1, -1, RetainedFilter, at, isRetained: true);
                _mesh.Asked();
                break;
            case PacketType.Suback:
                _isReady = WasReady = true;
                _mesh.Ready();
                break;
            case PacketType.Publish
                when PublishView.TryParse(ProtocolVersion.V311, packet, out var message, PacketOrigin.Server):
                Deliver(connection, message, at);
                break;
        }
    }

    private void Deliver(WireConnection connection, in PublishView message, long at)
    {
        if (message.Qos == QualityOfService.AtLeastOnce)
        {
            Span<byte> ack = stackalloc byte[PacketWriter.MaximumAckBytes];
            connection.Send(
                ack[..PacketWriter.WriteAck(ack, PacketType.Puback, message.PacketId, ProtocolVersion.V311)]
            );
        }
        var topic = Encoding.UTF8.GetString(message.Topic);
        if (message.Payload.Length < sizeof(long))
            return;
        if (message.Retain)
            _mesh.Note(
                ClusterEventKind.Delivered,
                _node,
                -1,
                BinaryPrimitives.ReadInt64BigEndian(message.Payload),
                topic,
                at,
                isRetained: true
            );
        else if (ClusterTopics.TryReadProbe(_mesh.Prefix, topic, out var from, out var to) && to == _node)
            _mesh.Note(
                ClusterEventKind.Delivered,
                _node,
                from,
                BinaryPrimitives.ReadInt64BigEndian(message.Payload),
                topic,
                at
            );
    }

    // An open loop: the times do not depend on answers.
    private void Send(long due)
    {
        if (_mesh.IsOver)
            return;
        var now = _mesh.Wire.NowNanoseconds;
        foreach (var (other, text, topic) in _others)
        {
            var number = _mesh.NextNumber();
            _mesh.Note(ClusterEventKind.Published, _node, other, number, text, now);
            if (_isReady)
                Publish(topic, Payload(number), isRetained: false);
        }
        if (_isReady && _rounds++ % ProbesPerRetained == 0 && (_rounds == 1 || now < _mesh.RetainedUntil))
            Publish(_retainedTopic, Payload(_mesh.NextNumber()), isRetained: true);
        _mesh.Wire.Schedule(this, due + _mesh.IntervalNanoseconds, SendTag);
    }

    private static byte[] Payload(long number)
    {
        var payload = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(payload, number);
        return payload;
    }

    private void Publish(byte[] topic, byte[] payload, bool isRetained)
    {
        var packet = new byte[
            PacketWriter.PublishLength(ProtocolVersion.V311, topic.Length, payload.Length, _mesh.Qos)
        ];
        // Identifiers go round; the ones of unanswered probes of minutes ago may be taken again.
        _packetId = _packetId == ushort.MaxValue ? (ushort)1 : (ushort)(_packetId + 1);
        PacketWriter.WritePublish(
            packet,
            ProtocolVersion.V311,
            topic,
            payload,
            _mesh.Qos,
            retain: isRetained,
            duplicate: false,
            _packetId
        );
        _connection!.Send(packet);
    }
}
