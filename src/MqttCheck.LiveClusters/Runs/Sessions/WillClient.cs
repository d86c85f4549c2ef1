using System.Buffers.Binary;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.Runs.Sessions;

/// <summary>
/// A client that connects again and again, each time with a will of its own. Its connection breaks one time, and ends
/// in order the next time. Wills have QoS 1, which may not be lost, and QoS 0, which may not come twice, in turn.
/// </summary>
/// <param name="mesh">All clients of sessions.</param>
/// <param name="name">The client identifier.</param>
/// <param name="node">The node.</param>
/// <param name="client">The index of the client among all.</param>
/// <param name="topic">The topic of its wills.</param>
internal sealed class WillClient(SessionMesh mesh, string name, int node, int client, string topic)
    : PacketClient,
        ITimerHandler
{
    private const int ConnectTag = 0,
        EndTag = 1;
    private const long LifeNanoseconds = 1_000_000_000 / SessionLoad.ConnectionsPerSecond / 2;

    private WireConnection? _connection;
    private bool _isConnected;
    private long _will;
    private QualityOfService _qos;
    private int _ended;

    /// <summary>Begins to connect.</summary>
    /// <param name="at">When.</param>
    public void Begin(long at) => mesh.Wire.Schedule(this, at, ConnectTag);

    /// <summary>Ends the connection in order.</summary>
    public void Forget() => EndInOrder();

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (tag == ConnectTag && !mesh.HasPublished)
            _connection = mesh.Wire.Connect(mesh.EndpointOf(node), this);
        // A connection that the node has ended is another one, or none.
        else if (tag == EndTag && _isConnected)
            End(nowNanoseconds);
    }

    /// <inheritdoc/>
    public override void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        _will = mesh.NextNumber();
        var payload = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(payload, _will);
        _qos = _ended / 2 % 2 == 0 ? QualityOfService.AtLeastOnce : QualityOfService.AtMostOnce;
        var will = new WillMessage(topic, new Bytes(payload), _qos);
        connection.Send(ConnectOf(name, mesh.CredentialsOf(node), isClean: true, will));
    }

    /// <inheritdoc/>
    public override void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (connection != _connection)
            return;
        // A connection that the node ended owes a will too, unless the node has died: nobody judges it.
        (_connection, _isConnected) = (null, false);
        mesh.Wire.Schedule(this, mesh.Wire.NowNanoseconds + LifeNanoseconds, ConnectTag);
    }

    /// <inheritdoc/>
    protected override void Take(WireConnection connection, PacketType type, ReadOnlySpan<byte> packet, long at)
    {
        if (type != PacketType.Connack)
            return;
        _isConnected = true;
        mesh.Wire.Schedule(this, at + LifeNanoseconds, EndTag);
    }

    private void End(long now)
    {
        var breaks = _ended++ % 2 == 0;
        Note(breaks ? ClusterEventKind.WillOwed : ClusterEventKind.WillDiscarded, now);
        if (!breaks)
        {
            EndInOrder();
            return;
        }
        _isConnected = false;
        _connection!.Abort();
    }

    private void EndInOrder()
    {
        _connection?.Send(_isConnected ? Disconnect : []);
        _connection?.Close();
        _isConnected = false;
    }

    private void Note(ClusterEventKind kind, long at) =>
        mesh.Note(
            new ClusterEvent
            {
                Nanoseconds = at,
                Kind = kind,
                Node = node,
                Client = client,
                Message = _will,
                Topic = topic,
                Qos = (int)_qos,
            }
        );
}
