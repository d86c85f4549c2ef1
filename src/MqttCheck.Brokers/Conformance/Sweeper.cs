using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Conformance;

/// <summary>
/// Removes what a run left on the broker: sessions, by a clean connection of each client, and retained messages, by
/// empty ones. It trusts nothing and waits for little.
/// </summary>
internal sealed class Sweeper(
    IWire wire,
    CheckTarget target,
    ProtocolVersion version,
    string ownId,
    IReadOnlyList<string> clients,
    IReadOnlyList<string> topics,
    Action done
) : ITimerHandler
{
    private const long PatienceNanoseconds = 1_000_000_000;

    private readonly List<WireConnection> _open = [];
    private int _left;
    private long _ticket;
    private bool _isDone;

    public void Start()
    {
        List<string> identities = topics.Count > 0 ? [.. clients, ownId] : [.. clients];
        _left = identities.Count;
        _ticket = wire.Schedule(this, wire.NowNanoseconds + PatienceNanoseconds, 0);
        foreach (var identity in identities)
            _open.Add(
                wire.Connect(
                    target.Endpoint with
                    {
                        ConnectTimeout = TimeSpan.FromSeconds(1),
                    },
                    new Visit(this, identity)
                )
            );
    }

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        _ticket = 0;
        foreach (var connection in _open.ToArray())
            connection.Abort();
        End();
    }

    private void VisitEnded(WireConnection connection)
    {
        _open.Remove(connection);
        if (--_left == 0)
            End();
    }

    private void End()
    {
        if (_isDone)
            return;
        _isDone = true;
        if (_ticket != 0)
            wire.Cancel(_ticket);
        done();
    }

    private byte[] Connect(string identity) =>
        PacketEncoder.Encode(
            new ConnectPacket
            {
                ProtocolVersion = version,
                ProtocolName = version == ProtocolVersion.V31 ? "MQIsdp" : "MQTT",
                ClientId = identity,
                UserName = target.Credentials?.UserName,
                Password = target.Credentials is { } credentials
                    ? Bytes.FromText(credentials.Password)
                    : default(Bytes?),
            },
            version
        );

    private void Farewell(WireConnection connection, string identity)
    {
        if (identity == ownId)
        {
            ushort packetId = 0;
            foreach (var topic in topics)
                connection.Send(
                    PacketEncoder.Encode(
                        new PublishPacket
                        {
                            Topic = topic,
                            Retain = true,
                            Qos = QualityOfService.AtLeastOnce,
                            PacketId = ++packetId,
                        },
                        version
                    )
                );
        }
        connection.Send(PacketEncoder.Encode(new DisconnectPacket(), version));
        connection.Close();
    }

    private sealed class Visit(Sweeper sweeper, string identity) : IWireHandler
    {
        private bool _answered;

        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
            connection.Send(sweeper.Connect(identity));

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            // Whatever the answer is, there is nothing to learn from it here.
            if (!_answered)
                sweeper.Farewell(connection, identity);
            _answered = true;
            return bytes.Length;
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
            sweeper.VisitEnded(connection);
    }
}
