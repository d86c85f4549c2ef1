using System.Globalization;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Checking;

/// <summary>
/// Removes the remains of a run from the broker: sessions by a clean connection of each client, and retained messages
/// by empty ones. In a cluster it visits each client's own node, and clears retained messages at every node, because
/// some clusters do not replicate them. It ignores answers and waits only briefly.
/// </summary>
/// <param name="wire">The event loop.</param>
/// <param name="target">The broker.</param>
/// <param name="version">The version of MQTT.</param>
/// <param name="names">The names of the run.</param>
/// <param name="traffic">Takes note of what it publishes.</param>
/// <param name="clients">The clients whose sessions may be left, with their identifiers and versions.</param>
/// <param name="topics">The topics whose retained messages may be left.</param>
/// <param name="done">Called at the end.</param>
internal sealed class Sweeper(
    IWire wire,
    CheckTarget target,
    ProtocolVersion version,
    ScenarioNames names,
    Traffic traffic,
    IReadOnlyList<(int Client, string ClientId, ProtocolVersion Version)> clients,
    IReadOnlyList<string> topics,
    Action done
) : ITimerHandler
{
    // No scenario has so many clients.
    private const int OwnClient = 25;

    private const long PatienceNanoseconds = 1_000_000_000;

    private readonly List<WireConnection> _open = [];
    private int _left;
    private long _ticket;
    private bool _isDone;

    public void Start()
    {
        List<Visit> visits =
        [
            .. clients.Select(left => new Visit(
                this,
                target.EndpointOf(left.Client),
                left.ClientId,
                left.Version,
                clears: false
            )),
        ];
        if (topics.Count > 0)
            visits.AddRange(
                Enumerable
                    .Range(0, Math.Max(1, target.Nodes.Count))
                    .Select(node => new Visit(this, target.EndpointOf(node), OwnId(node), version, clears: true))
            );
        _left = visits.Count;
        _ticket = wire.Schedule(this, wire.NowNanoseconds + PatienceNanoseconds, 0);
        foreach (var visit in visits)
            _open.Add(wire.Connect(visit.Endpoint with { ConnectTimeout = TimeSpan.FromSeconds(1) }, visit));
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

    // Each node has its own client identifier, because nodes that share sessions would take over from each other.
    private string OwnId(int node) =>
        names.ClientId(OwnClient) + (node == 0 ? "" : node.ToString(CultureInfo.InvariantCulture));

    private byte[] Connect(string identity, ProtocolVersion version) =>
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

    private void Farewell(WireConnection connection, ProtocolVersion version, bool clears)
    {
        if (clears)
        {
            ushort packetId = 0;
            foreach (var topic in topics)
            {
                var empty = new PublishPacket
                {
                    Topic = topic,
                    Retain = true,
                    Qos = QualityOfService.AtLeastOnce,
                    PacketId = ++packetId,
                };
                traffic.Sent(names, empty, wire.NowNanoseconds);
                connection.Send(PacketEncoder.Encode(empty, version));
            }
        }
        connection.Send(PacketEncoder.Encode(new DisconnectPacket(), version));
        connection.Close();
    }

    private sealed class Visit(
        Sweeper sweeper,
        WireEndpoint endpoint,
        string identity,
        ProtocolVersion version,
        bool clears
    ) : IWireHandler
    {
        public WireEndpoint Endpoint => endpoint;

        private bool _answered;

        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
            connection.Send(sweeper.Connect(identity, version));

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            // The content of the answer does not matter here.
            if (!_answered)
                sweeper.Farewell(connection, version, clears);
            _answered = true;
            return bytes.Length;
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
            sweeper.VisitEnded(connection);
    }
}
