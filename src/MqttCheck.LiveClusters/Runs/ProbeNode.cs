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

namespace MqttCheck.LiveClusters.Runs;

/// <summary>
/// The probe client of a node. It sends to the client of every other node at fixed times, even if the node does not
/// answer, and takes their messages. It replaces a lost connection at once, and never goes to another node.
/// </summary>
/// <param name="mesh">All probes.</param>
/// <param name="node">Its node.</param>
internal sealed class ProbeNode(ProbeMesh mesh, int node) : PacketClient, ITimerHandler
{
    private const int SendTag = 0,
        ReconnectTag = 1,
        PatienceTag = 2;
    internal const int ProbesPerRetained = 10;
    private const long ReconnectNanoseconds = 100_000_000;
    private const long PatienceNanoseconds = 2_000_000_000;

    private readonly byte[] _connect = ConnectOf(
        string.Create(CultureInfo.InvariantCulture, $"{mesh.ClientPrefix}probe{node}"),
        mesh.CredentialsOf(node),
        isClean: true
    );

    // Overlays learn topics without wildcards from subscriptions, and others only from publications.
    private readonly byte[] _subscribe = SubscribeTo(
        mesh,
        [
            .. mesh
                .Nodes.Where(other => other != node && mesh.CanReach(other, node))
                .DefaultIfEmpty(node)
                .Select(other => ClusterTopics.Probe(mesh.Prefix, other, node)),
        ]
    );

    private readonly byte[] _ask = SubscribeTo(mesh, ClusterTopics.Retained(mesh.Prefix, null));
    private readonly byte[] _retainedTopic = Encoding.UTF8.GetBytes(ClusterTopics.Retained(mesh.Prefix, node));
    private readonly (int Node, string Text, byte[] Topic)[] _others =
    [
        .. mesh
            .Nodes.Where(other => other != node && mesh.CanReach(node, other))
            .Select(other => (Node: other, Text: ClusterTopics.Probe(mesh.Prefix, node, other)))
            .Select(other => (other.Node, other.Text, Encoding.UTF8.GetBytes(other.Text))),
    ];

    private WireConnection? _connection;
    private bool _isReady;
    private int _rounds;
    private int _attempt;
    private ushort _packetId = 1;

    // Messages that a node held may come long after it has answered, and then they answer an earlier question.
    private long _asked,
        _askedBefore;
    private readonly Dictionary<ushort, long> _retained = [];

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
        _asked = _askedBefore = mesh.Wire.NowNanoseconds;
        _connection!.Send(_ask);
    }

    /// <summary>Clears the retained messages of all probe clients at its node, if it is connected.</summary>
    public void ClearRetained()
    {
        foreach (var other in _isReady ? mesh.Nodes : [])
            Publish(Encoding.UTF8.GetBytes(ClusterTopics.Retained(mesh.Prefix, other)), [], isRetained: true);
    }

    /// <summary>Begins to connect.</summary>
    public void Connect()
    {
        if (mesh.IsOver)
            return;
        _isReady = false;
        _retained.Clear();
        _attempt++;
        _connection = mesh.Wire.Connect(mesh.EndpointOf(node), this);
        mesh.Wire.Schedule(this, mesh.Wire.NowNanoseconds + PatienceNanoseconds, PatienceTag + _attempt);
    }

    /// <summary>Begins to send.</summary>
    /// <param name="at">The time of the first probe.</param>
    public void Begin(long at) => mesh.Wire.Schedule(this, at, SendTag);

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
    public override void OnConnected(WireConnection connection, in ArrivalStamp stamp) => connection.Send(_connect);

    /// <inheritdoc/>
    public override void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (connection != _connection)
            return;
        (_connection, _isReady) = (null, false);
        if (IsAsking == true)
        {
            IsAsking = false;
            mesh.Asked();
        }
        if (!mesh.IsOver)
            mesh.Wire.Schedule(this, mesh.Wire.NowNanoseconds + ReconnectNanoseconds, ReconnectTag);
    }

    /// <inheritdoc/>
    protected override void Take(WireConnection connection, PacketType type, ReadOnlySpan<byte> packet, long at)
    {
        switch (type)
        {
            case PacketType.Connack:
                connection.Send(_subscribe);
                break;
            case PacketType.Suback when IsAsking == true:
                IsAsking = false;
                var filter = ClusterTopics.Retained(mesh.Prefix, null);
                mesh.Note(ClusterEventKind.Subscribed, node, -1, -1, filter, at, isRetained: true, _asked);
                mesh.Asked();
                break;
            case PacketType.Suback:
                _isReady = WasReady = true;
                mesh.Ready();
                break;
            case PacketType.Puback
                when AckView.TryParse(Version, packet, out var ack, PacketOrigin.Server)
                    && _retained.Remove(ack.PacketId, out var number):
                mesh.Note(
                    ClusterEventKind.Acknowledged,
                    node,
                    -1,
                    number,
                    ClusterTopics.Retained(mesh.Prefix, node),
                    at,
                    isRetained: true
                );
                break;
            case PacketType.Publish when PublishView.TryParse(Version, packet, out var message, PacketOrigin.Server):
                Deliver(connection, message, at);
                break;
        }
    }

    private void Deliver(WireConnection connection, in PublishView message, long at)
    {
        if (message.Qos == QualityOfService.AtLeastOnce)
        {
            Span<byte> ack = stackalloc byte[PacketWriter.MaximumAckBytes];
            connection.Send(ack[..PacketWriter.WriteAck(ack, PacketType.Puback, message.PacketId, Version)]);
        }
        var topic = Encoding.UTF8.GetString(message.Topic);
        if (message.Payload.Length < sizeof(long))
            return;
        if (message.Retain)
            mesh.Note(
                ClusterEventKind.Delivered,
                node,
                -1,
                BinaryPrimitives.ReadInt64BigEndian(message.Payload),
                topic,
                at,
                isRetained: true,
                _askedBefore
            );
        else if (ClusterTopics.TryReadProbe(mesh.Prefix, topic, out var from, out var to) && to == node)
            mesh.Note(
                ClusterEventKind.Delivered,
                node,
                from,
                BinaryPrimitives.ReadInt64BigEndian(message.Payload),
                topic,
                at
            );
    }

    // The loop is open: send times do not depend on answers.
    private void Send(long due)
    {
        if (mesh.IsOver)
            return;
        var now = mesh.Wire.NowNanoseconds;
        foreach (var (other, text, topic) in _others)
        {
            var number = mesh.NextNumber();
            mesh.Note(ClusterEventKind.Published, node, other, number, text, now);
            if (_isReady)
                Publish(topic, Payload(number), isRetained: false);
        }
        if (_isReady && _rounds++ % ProbesPerRetained == 0 && (_rounds == 1 || now < mesh.RetainedUntil))
        {
            var number = mesh.NextNumber();
            mesh.Note(
                ClusterEventKind.Published,
                node,
                -1,
                number,
                ClusterTopics.Retained(mesh.Prefix, node),
                now,
                isRetained: true
            );
            Publish(_retainedTopic, Payload(number), isRetained: true);
            _retained[_packetId] = number;
            if (mesh.ReadsRetained)
            {
                _askedBefore = _asked == 0 ? now : _asked;
                _asked = now;
                _connection!.Send(_ask);
            }
        }
        mesh.Wire.Schedule(this, due + mesh.IntervalNanoseconds, SendTag);
    }

    private static byte[] SubscribeTo(ProbeMesh mesh, params IReadOnlyList<string> filters) =>
        PacketEncoder.Encode(
            new SubscribePacket(1, [.. filters.Select(filter => new SubscriptionRequest(filter, mesh.Qos))]),
            Version
        );

    private static byte[] Payload(long number)
    {
        var payload = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(payload, number);
        return payload;
    }

    private void Publish(byte[] topic, byte[] payload, bool isRetained)
    {
        var packet = new byte[PacketWriter.PublishLength(Version, topic.Length, payload.Length, mesh.Qos)];
        // Packet identifiers wrap around; those of probes that were never answered may be used again after minutes.
        _packetId = _packetId == ushort.MaxValue ? (ushort)1 : (ushort)(_packetId + 1);
        PacketWriter.WritePublish(
            packet,
            Version,
            topic,
            payload,
            mesh.Qos,
            retain: isRetained,
            duplicate: false,
            _packetId
        );
        _connection!.Send(packet);
    }
}
