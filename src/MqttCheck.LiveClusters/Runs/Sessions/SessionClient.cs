using System.Buffers.Binary;
using System.Text;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Clusters.Events;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.Runs.Sessions;

/// <summary>
/// A client of one node: it subscribes, or it publishes where it has no filter. It replaces a lost connection at its
/// node, unless another client has taken over its session.
/// </summary>
/// <param name="mesh">All of these clients.</param>
/// <param name="name">The client identifier.</param>
/// <param name="node">The node.</param>
/// <param name="client">The index of the client among all; two that take over from each other have one.</param>
/// <param name="topic">Its topic.</param>
/// <param name="filter">The filter that it subscribes to; null to publish.</param>
/// <param name="isClean">Whether its session ends with its connection.</param>
internal sealed class SessionClient(
    SessionMesh mesh,
    string name,
    int node,
    int client,
    string topic,
    string? filter,
    bool isClean
) : PacketClient, ITimerHandler
{
    private const int SendTag = 0,
        ConnectTag = 1,
        PatienceTag = 2;
    private const long ReconnectNanoseconds = 100_000_000;
    private const long PatienceNanoseconds = 2_000_000_000;

    private readonly byte[] _topic = Encoding.UTF8.GetBytes(topic);
    private readonly Dictionary<ushort, long> _unacknowledged = [];
    private WireConnection? _connection;
    private SessionClient? _older;
    private bool _isConnected;
    private bool _isReady;
    private bool _isReplaced;
    private bool _isForgotten;
    private int _attempt;
    private ushort _packetId = 1;

    /// <summary>Its node.</summary>
    public int Node => node;

    /// <summary>Whether its node has ever answered what it asked for.</summary>
    public bool WasReady { get; private set; }

    /// <summary>Whether a session that outlives its connection is still to be ended.</summary>
    public bool IsForgetting { get; private set; }

    private bool MayConnect => mesh.IsOver ? IsForgetting : !_isReplaced;

    /// <summary>Begins to connect.</summary>
    public void Connect()
    {
        if (!MayConnect)
            return;
        _isReady = false;
        _attempt++;
        _connection = mesh.Wire.Connect(mesh.EndpointOf(node), this);
        mesh.Wire.Schedule(this, mesh.Wire.NowNanoseconds + PatienceNanoseconds, PatienceTag + _attempt);
    }

    /// <summary>Begins to publish, if it does.</summary>
    /// <param name="at">The time of the first message.</param>
    public void Begin(long at)
    {
        if (filter is null)
            mesh.Wire.Schedule(this, at, SendTag);
    }

    /// <summary>Connects later, and takes over from another client then.</summary>
    /// <param name="older">The client with the same identifier.</param>
    /// <param name="at">When.</param>
    public void TakeOver(SessionClient older, long at)
    {
        _older = older;
        mesh.Wire.Schedule(this, at, ConnectTag);
    }

    /// <summary>Ends the connection, and after it a session that would outlive it.</summary>
    public void Forget()
    {
        IsForgetting = !isClean && WasReady;
        if (_connection is not null)
        {
            _connection.Send(_isConnected ? Disconnect : []);
            _connection.Close();
        }
        else
            Connect();
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (tag == SendTag)
            Send(dueNanoseconds);
        else if (tag == ConnectTag)
        {
            if (_older is not null)
                _older._isReplaced = true;
            Connect();
        }
        else if (tag == PatienceTag + _attempt && !_isReady)
            _connection?.Abort();
    }

    /// <inheritdoc/>
    public override void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
        connection.Send(ConnectOf(name, mesh.CredentialsOf(node), isClean || IsForgetting));

    /// <inheritdoc/>
    public override void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (connection != _connection)
            return;
        if (_isConnected && !mesh.IsOver)
            Note(ClusterEventKind.Disconnected, stamp.Nanoseconds);
        (_connection, _isReady) = (null, false);
        _unacknowledged.Clear();
        // A node that closes the connection instead of granting the subscription has answered, too.
        if (_isConnected)
            Answered();
        _isConnected = false;
        IsForgetting &= !_isForgotten;
        if (MayConnect)
            mesh.Wire.Schedule(this, mesh.Wire.NowNanoseconds + ReconnectNanoseconds, ConnectTag);
    }

    /// <inheritdoc/>
    protected override void Take(WireConnection connection, PacketType type, ReadOnlySpan<byte> packet, long at)
    {
        switch (type)
        {
            case PacketType.Connack:
                Accepted(connection, at);
                break;
            case PacketType.Suback
                when PacketDecoder.Observe(packet, Version, PacketOrigin.Server).Packet is SubackPacket granted:
                if (granted.ReasonCodes.All(code => code <= ReasonCode.GrantedQos2))
                    Note(ClusterEventKind.Subscribed, at);
                _isReady = true;
                Answered();
                break;
            case PacketType.Puback when packet.Length >= 4:
                if (_unacknowledged.Remove(BinaryPrimitives.ReadUInt16BigEndian(packet[2..]), out var number))
                    Note(ClusterEventKind.Acknowledged, at, number);
                break;
            case PacketType.Publish when PublishView.TryParse(Version, packet, out var message, PacketOrigin.Server):
                Deliver(connection, message, at);
                break;
        }
    }

    private void Accepted(WireConnection connection, long at)
    {
        _isConnected = true;
        if (IsForgetting)
        {
            // The clean session that has just begun ends with this connection, and nothing is left.
            _isForgotten = true;
            connection.Send(Disconnect);
            connection.Close();
            return;
        }
        Note(ClusterEventKind.Connected, at);
        if (filter is not null)
        {
            var request = new SubscriptionRequest(filter, QualityOfService.AtLeastOnce);
            connection.Send(PacketEncoder.Encode(new SubscribePacket(1, [request]), Version));
            return;
        }
        _isReady = true;
        Answered();
    }

    private void Answered()
    {
        WasReady = true;
        mesh.Ready();
    }

    private void Deliver(WireConnection connection, in PublishView message, long at)
    {
        if (message.Qos == QualityOfService.AtLeastOnce)
        {
            Span<byte> ack = stackalloc byte[PacketWriter.MaximumAckBytes];
            connection.Send(ack[..PacketWriter.WriteAck(ack, PacketType.Puback, message.PacketId, Version)]);
        }
        if (message.Payload.Length == sizeof(long))
            Note(ClusterEventKind.Delivered, at, BinaryPrimitives.ReadInt64BigEndian(message.Payload));
    }

    private void Send(long due)
    {
        if (mesh.HasPublished)
            return;
        if (_isReady)
            Publish();
        mesh.Wire.Schedule(this, due + SessionMesh.IntervalNanoseconds, SendTag);
    }

    private void Publish()
    {
        var number = mesh.NextNumber();
        Span<byte> payload = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(payload, number);
        var packet = new byte[
            PacketWriter.PublishLength(Version, _topic.Length, payload.Length, QualityOfService.AtLeastOnce)
        ];
        _packetId = _packetId == ushort.MaxValue ? (ushort)1 : (ushort)(_packetId + 1);
        _unacknowledged[_packetId] = number;
        Note(ClusterEventKind.Published, mesh.Wire.NowNanoseconds, number);
        PacketWriter.WritePublish(
            packet,
            Version,
            _topic,
            payload,
            QualityOfService.AtLeastOnce,
            retain: false,
            duplicate: false,
            _packetId
        );
        _connection!.Send(packet);
    }

    private void Note(ClusterEventKind kind, long at, long message = -1) =>
        mesh.Note(
            new ClusterEvent
            {
                Nanoseconds = at,
                Kind = kind,
                Node = node,
                Client = client,
                Message = message,
                Topic = kind == ClusterEventKind.Subscribed ? filter! : topic,
                Qos = (int)QualityOfService.AtLeastOnce,
            }
        );
}
