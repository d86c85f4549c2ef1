using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>A small broker on any wire, MQTT 3.1.1 or 5, which commits the faults a test asks for.</summary>
internal sealed class ScriptedBroker
{
    private readonly Dictionary<string, Session> _sessions = [];
    private readonly IWire _wire;

    public ScriptedBroker(IWire wire, IPEndPoint address)
    {
        _wire = wire;
        Address = wire.Listen(address, () => new Connection(this));
    }

    public IPEndPoint Address { get; }

    public ProtocolVersion Version { get; set; } = ProtocolVersion.V311;

    /// <summary>The kept messages by topic.</summary>
    public Dictionary<string, Bytes> Retained { get; } = [];

    /// <summary>Whether every member of a share gets a message, which is wrong.</summary>
    public bool ServesWholeShares { get; set; }

    /// <summary>Whether PINGREQ is answered.</summary>
    public bool AnswersPings { get; set; }

    /// <summary>What CONNACK says beside the reason; MQTT 5 only.</summary>
    public PacketProperties ConnackProperties { get; set; } = PacketProperties.Empty;

    /// <summary>Decides, for a client identifier and a packet of it, what goes wrong.</summary>
    public Func<string, Packet, Fault> Script { get; set; } = (_, _) => Fault.None;

    /// <summary>Sessions that would survive their connection, or are connected.</summary>
    public int Sessions => _sessions.Count;

    /// <summary>CONNECT packets that arrived.</summary>
    public int Connects { get; private set; }

    /// <summary>Everything that clients sent, with who sent it.</summary>
    public List<(string Client, Packet Packet)> Received { get; } = [];

    /// <summary>Breaks the connection of every connected client.</summary>
    public void DropAll()
    {
        foreach (var session in _sessions.Values.ToArray())
            session.Connection?.Drop();
    }

    /// <summary>Reads nothing for a while.</summary>
    public void Stall(TimeSpan time)
    {
        var connections = _sessions.Values.Select(session => session.Connection).OfType<Connection>().ToArray();
        foreach (var connection in connections)
            connection.IsPaused = true;
        ((MemoryWire)_wire).At(
            time.Ticks * TimeSpan.NanosecondsPerTick,
            () =>
            {
                foreach (var connection in connections)
                    connection.IsPaused = false;
            }
        );
    }

    /// <summary>Drops a client's session if it has subscriptions.</summary>
    /// <returns>Whether it had some.</returns>
    public bool Forget(string client) =>
        _sessions.TryGetValue(client, out var session) && session.Subscriptions.Count > 0 && _sessions.Remove(client);

    /// <summary>Listens again, without any session.</summary>
    public void Restart()
    {
        _sessions.Clear();
        _wire.Listen(Address, () => new Connection(this));
    }

    private sealed class Session
    {
        public Dictionary<string, QualityOfService> Subscriptions { get; } = [];
        public List<(string Topic, Bytes Payload, QualityOfService Qos)> Queued { get; } = [];
        public Connection? Connection { get; set; }
        public bool Clean { get; set; }
    }

    private sealed class Connection(ScriptedBroker broker) : IWireHandler
    {
        private WireConnection _wire = null!;
        private string _client = "";
        private Session? _session;
        private readonly Dictionary<ushort, string> _aliases = [];
        private ushort _packetId;
        private bool _over;

        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) => _wire = connection;

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
            Leave();

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            var consumed = 0;
            while (!_over && PacketFrame.TryRead(bytes[consumed..], 1 << 20, out var frame) == FrameStatus.Complete)
            {
                Receive(
                    PacketDecoder.Decode(bytes.Slice(consumed, frame.TotalLength), broker.Version, PacketOrigin.Client)
                );
                consumed += frame.TotalLength;
            }
            return _over ? bytes.Length : consumed;
        }

        public bool IsPaused
        {
            set => _wire.ReadingPaused = value;
        }

        public void Drop()
        {
            Leave();
            _wire.Abort();
        }

        private void Receive(Packet packet)
        {
            if (packet is ConnectPacket { ClientId: var id })
            {
                _client = id;
                broker.Connects++;
            }
            broker.Received.Add((_client, packet));
            var fault = broker.Script(_client, packet);
            switch (fault)
            {
                case Fault.Ignore:
                    return;
                case Fault.Close:
                    Leave();
                    _wire.Close();
                    return;
                case Fault.Abort:
                    Drop();
                    return;
                case Fault.Garbage:
                    _wire.Send([0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]);
                    return;
                case Fault.Leave:
                    Leave();
                    _wire.Send(
                        PacketEncoder.Encode(new DisconnectPacket(ReasonCode.ServerShuttingDown), broker.Version)
                    );
                    _wire.Close();
                    return;
                case Fault.Unasked:
                    _wire.Send([0x40, 0x02, 0xFF, 0xFE]);
                    return;
            }
            Answer(packet, fault);
        }

        private void Answer(Packet packet, Fault fault)
        {
            switch (packet)
            {
                case ConnectPacket connect:
                    Connect(connect, fault);
                    break;
                case DisconnectPacket:
                    Leave();
                    _wire.Close();
                    break;
                case SubscribePacket subscribe:
                    var filter = subscribe.Subscriptions[0];
                    if (fault != Fault.Refuse)
                        _session!.Subscriptions[filter.Filter] = filter.Qos;
                    if (broker.Retained.TryGetValue(filter.Filter, out var kept))
                        Deliver(filter.Filter, kept, QualityOfService.AtMostOnce, retain: true);
                    Send(
                        new SubackPacket(
                            subscribe.PacketId,
                            [fault == Fault.Refuse ? ReasonCode.UnspecifiedError : (ReasonCode)filter.Qos]
                        )
                    );
                    break;
                case UnsubscribePacket unsubscribe:
                    _session!.Subscriptions.Remove(unsubscribe.Filters[0]);
                    Send(
                        new UnsubackPacket(
                            unsubscribe.PacketId,
                            broker.Version == ProtocolVersion.V5
                                ? [fault == Fault.Refuse ? ReasonCode.NotAuthorized : ReasonCode.Success]
                                : []
                        )
                    );
                    break;
                case PublishPacket publish:
                    Publish(publish, fault);
                    break;
                case PingreqPacket when broker.AnswersPings:
                    Send(new PingrespPacket());
                    break;
                case PubrecPacket pubrec:
                    Send(new PubrelPacket(pubrec.PacketId));
                    break;
                case PubrelPacket pubrel:
                    Send(new PubcompPacket(pubrel.PacketId));
                    break;
            }
        }

        private void Connect(ConnectPacket connect, Fault fault)
        {
            if (fault == Fault.Refuse)
            {
                Send(new ConnackPacket(false, ReasonCode.NotAuthorized));
                _wire.Close();
                return;
            }
            if (broker._sessions.GetValueOrDefault(_client)?.Connection is { } old)
            {
                old.Drop();
            }
            if (connect.CleanStart)
                broker._sessions.Remove(_client);
            var resumed = broker._sessions.TryGetValue(_client, out _session);
            if (!resumed)
                broker._sessions[_client] = _session = new Session();
            _session!.Clean =
                broker.Version == ProtocolVersion.V5
                    ? connect.Properties.SessionExpiryIntervalSeconds is null or 0
                    : connect.CleanStart;
            _session.Connection = this;
            Send(new ConnackPacket(resumed) { Properties = broker.ConnackProperties });
            foreach (var (topic, payload, qos) in _session.Queued)
                Deliver(topic, payload, qos);
            _session.Queued.Clear();
        }

        private void Publish(PublishPacket publish, Fault fault)
        {
            var refused =
                fault == Fault.Refuse && broker.Version == ProtocolVersion.V5
                    ? ReasonCode.QuotaExceeded
                    : ReasonCode.Success;
            if (publish.Qos == QualityOfService.AtLeastOnce)
                Send(new PubackPacket(publish.PacketId, refused));
            else if (publish.Qos == QualityOfService.ExactlyOnce)
                Send(new PubrecPacket(publish.PacketId, refused));
            if (fault is Fault.Lose or Fault.Refuse)
                return;
            if (publish.Properties.TopicAlias is { } alias)
            {
                if (publish.Topic.Length > 0)
                    _aliases[alias] = publish.Topic;
                publish = publish with { Topic = _aliases[alias] };
            }
            if (publish is { Retain: true, Payload.Length: 0 })
                broker.Retained.Remove(publish.Topic);
            else if (publish.Retain)
                broker.Retained[publish.Topic] = publish.Payload;
            var served = new HashSet<string>();
            foreach (var session in broker._sessions.Values)
            {
                var filter = session.Subscriptions.Keys.FirstOrDefault(filter =>
                    filter == publish.Topic || (filter.StartsWith("$share/") && filter.EndsWith('/' + publish.Topic))
                );
                if (filter is null || (filter != publish.Topic && !broker.ServesWholeShares && !served.Add(filter)))
                    continue;
                var granted = session.Subscriptions[filter];
                var qos = (QualityOfService)Math.Min((int)granted, (int)publish.Qos);
                for (var copies = fault == Fault.Duplicate ? 2 : 1; copies > 0; copies--)
                {
                    if (session.Connection is { } connection)
                        connection.Deliver(publish.Topic, publish.Payload, qos);
                    else
                        session.Queued.Add((publish.Topic, publish.Payload, qos));
                }
                if (fault == Fault.Stray)
                    session.Connection?.Deliver(publish.Topic, new byte[20], qos);
            }
        }

        private void Deliver(string topic, Bytes payload, QualityOfService qos, bool retain = false) =>
            Send(
                new PublishPacket
                {
                    Retain = retain,
                    Topic = topic,
                    Payload = payload,
                    Qos = qos,
                    PacketId = qos == QualityOfService.AtMostOnce ? (ushort)0 : ++_packetId,
                }
            );

        private void Send(Packet packet) => _wire.Send(PacketEncoder.Encode(packet, broker.Version));

        private void Leave()
        {
            _over = true;
            if (_session is not { } session || session.Connection != this)
                return;
            session.Connection = null;
            if (session.Clean)
                broker._sessions.Remove(_client);
        }
    }
}
