using System.Net;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.Nodes.Pipeline;

/// <summary>
/// Carries a broker of a pipeline on a wire: clients of MQTT in front, log and store behind. All of it runs on the
/// wire's thread; the state machine is that of simulations.
/// </summary>
internal sealed class PipelineBrokerHost : PipelineRequests, ITimerHandler
{
    // Tag 0 belongs to the core's timer.
    private const int SilenceTag = 1;
    private const int BeginTag = 2;
    private const int WatchTag = 3;
    private const long SilenceNanoseconds = 1_000_000_000;

    // The broker waits this long before it tries again to reach a store that is away.
    private const long PauseNanoseconds = 50_000_000;

    private readonly IWire _wire;
    private readonly IPipelineStore _store;
    private readonly int _self;
    private readonly SessionBook _book = new();
    private readonly HashSet<ClientConnection> _connections = [];
    private readonly Dictionary<int, ClientConnection> _clients = [];
    private readonly Dictionary<long, (ClientConnection From, ushort PacketId, QualityOfService Qos)> _publications =
    [];
    private (int Client, int Node) _found = (-1, -1);
    private int _repeatedTo = -1;
    private bool _isReady;
    private long _toRead = long.MaxValue;
    private long _lastMessage;
    private readonly EarliestTimer _timer;

    /// <summary>A broker that does not serve yet.</summary>
    /// <param name="wire">The wire that carries it.</param>
    /// <param name="self">Its number among the brokers.</param>
    /// <param name="brokers">How many there are.</param>
    /// <param name="options">How it uses log and store.</param>
    /// <param name="log">The log.</param>
    /// <param name="store">The store.</param>
    /// <param name="incarnation">A random number that tells its process from those before it.</param>
    /// <param name="stop">Cancelled when requests are to be answered no more.</param>
    public PipelineBrokerHost(
        IWire wire,
        int self,
        int brokers,
        PipelineOptions options,
        IMessageLog log,
        IPipelineStore store,
        ulong incarnation,
        CancellationToken stop
    )
        : base(log, store, stop)
    {
        (_wire, _self, _store, _timer) = (wire, self, store, new EarliestTimer(wire, this));
        Core = new PipelineBroker(self, brokers, options, this);
        // The upper half is unique to the process, so that no two messages have the same number.
        _lastMessage = (long)(incarnation >> 33) << 32;
    }

    /// <inheritdoc/>
    protected override PipelineBroker Core { get; }

    /// <inheritdoc/>
    protected override long Now => _wire.NowNanoseconds;

    /// <summary>
    /// Listens, and begins to read the log when all sessions are known. Records that are routed before would miss
    /// subscribers. Clients are turned away until then.
    /// </summary>
    public IPEndPoint Start(IPEndPoint address)
    {
        var served = _wire.Listen(address, () => _isReady ? new ClientConnection(this) : null);
        Begin();
        _wire.Schedule(this, Now + SilenceNanoseconds, SilenceTag);
        return served;
    }

    /// <summary>Ends all connections.</summary>
    public void Shutdown()
    {
        foreach (var connection in _connections.ToList())
            connection.Abort();
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        switch (tag)
        {
            case SilenceTag:
                foreach (var connection in _connections.ToList())
                    connection.CheckSilence(nowNanoseconds);
                _wire.Schedule(this, nowNanoseconds + SilenceNanoseconds, SilenceTag);
                break;
            case BeginTag:
                Begin();
                break;
            case WatchTag:
                Watch();
                break;
            default:
                _timer.Fired();
                Core.Tick(nowNanoseconds);
                Arm();
                break;
        }
    }

    /// <summary>A connection is made.</summary>
    public void Entered(ClientConnection connection) => _connections.Add(connection);

    /// <summary>A client wants its session.</summary>
    public void Open(ClientConnection from, string clientId) =>
        Follow(
            _store.OpenAsync(clientId.Length > 0 ? clientId : OwnName(), _self, from.IsPersistent),
            (isDone, session) =>
            {
                if (from.HasEnded)
                {
                    if (isDone)
                        _ = _store.CloseAsync(session);
                    return;
                }
                if (isDone)
                    Replace(session.Client, from);
                from.Opened(isDone ? session : null);
                if (isDone)
                    Core.Connect(session.Client, from.IsPersistent);
            }
        );

    /// <summary>A client subscribes.</summary>
    public void Subscribe(ClientConnection from, SubscribePacket packet)
    {
        var client = from.Session!.Value.Client;
        Answer(
            from,
            packet.Subscriptions.Select(one => _store.SubscribeAsync(client, one.Filter, (int)one.Qos)),
            new SubackPacket(
                packet.PacketId,
                [.. packet.Subscriptions.Select(subscription => (ReasonCode)subscription.Qos)]
            )
        );
    }

    /// <summary>A client ends subscriptions.</summary>
    public void Unsubscribe(ClientConnection from, UnsubscribePacket packet)
    {
        var client = from.Session!.Value.Client;
        Answer(
            from,
            packet.Filters.Select(filter => _store.UnsubscribeAsync(client, filter)),
            new UnsubackPacket(packet.PacketId)
        );
    }

    /// <summary>A client publishes.</summary>
    public void Publish(
        ClientConnection from,
        string topic,
        ReadOnlySpan<byte> payload,
        QualityOfService qos,
        ushort packetId
    )
    {
        var message = MessageOf(topic, payload, qos);
        if (qos != QualityOfService.AtMostOnce)
            _publications.Add(message.Id, (from, packetId, qos));
        Core.Publish(from.Session!.Value.Client, message);
    }

    /// <summary>A client has acknowledged a message.</summary>
    public void Acknowledge(ClientConnection from, ushort packetId)
    {
        if (IsPresent(from))
            Core.Acknowledge(from.Session!.Value.Client, packetId);
    }

    /// <summary>A client whose session outlives its connection has a message of QoS 2.</summary>
    public void Receive(ClientConnection from, ushort packetId)
    {
        if (IsPresent(from))
            Core.Receive(from.Session!.Value.Client, packetId);
    }

    /// <summary>A connection is over.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="will">The client's will, to be published now; null for none.</param>
    public void Left(ClientConnection connection, WillMessage? will)
    {
        _connections.Remove(connection);
        if (connection.Session is not { } session)
            return;
        if (will is not null)
            Core.Publish(session.Client, MessageOf(will.Topic, will.Payload.Span, will.Qos));
        if (!IsPresent(connection))
            return;
        _clients.Remove(session.Client);
        Core.Disconnect(session.Client);
        _ = _store.CloseAsync(session);
    }

    /// <inheritdoc/>
    public override void Add(int client, IReadOnlyList<PipelineMessage> messages, long token) =>
        Follow(
            _store.AddAndFindAsync(client, messages),
            (isDone, added) =>
            {
                // The client may have moved to another broker, which then asks the store.
                _found = (client, added?.Node ?? -1);
                Core.Added(token, isDone, added?.Messages ?? [], Now);
                _found = (-1, -1);
            }
        );

    /// <inheritdoc/>
    public override void Receive(int client, ushort packetId, long token) =>
        Follow(_store.ReceiveAsync(client, packetId), (isDone, _) => Core.Received(token, isDone, Now));

    /// <inheritdoc/>
    public override void Release(int client, ushort packetId)
    {
        if (_clients.TryGetValue(client, out var connection))
            connection.Release(packetId);
    }

    /// <inheritdoc/>
    public override void AcknowledgePublication(int client, long message)
    {
        if (_publications.Remove(message, out var publication) && !publication.From.HasEnded)
            publication.From.Acknowledge(publication.PacketId, publication.Qos);
    }

    /// <inheritdoc/>
    public override void Deliver(int client, in StoredMessage stored)
    {
        if (!_clients.TryGetValue(client, out var connection))
            return;
        var qos = Math.Min(stored.Message.Qos, _book.QosOf(client, stored.Message.Topic));
        // A stored message needs an acknowledgement, so that the store can remove it.
        if (stored.PacketId > 0)
            qos = Math.Max(1, qos);
        connection.Deliver(stored, (QualityOfService)qos, isRepeated: client == _repeatedTo);
    }

    /// <inheritdoc/>
    public override int NodeOf(int client) => client == _found.Client ? _found.Node : _book.NodeOf(client);

    /// <inheritdoc/>
    public override IReadOnlyList<PipelineSubscriber> SubscribersOf(in PipelineMessage message) =>
        _book.SubscribersOf(message);

    /// <inheritdoc/>
    protected override void Got(int client, long token, StoredSession? stored)
    {
        _repeatedTo = client;
        base.Got(client, token, stored);
        _repeatedTo = -1;
    }

    /// <inheritdoc/>
    protected override void Post(Action input) =>
        _wire.Post(() =>
        {
            input();
            Arm();
        });

    // The client gets its answer when the store has carried out the requests.
    private void Answer(ClientConnection to, IEnumerable<Task<bool>> requests, Packet answer) =>
        Follow(
            Task.WhenAll(requests),
            (isDone, _) =>
            {
                if (!to.HasEnded)
                    to.Answer(isDone ? answer : null);
            }
        );

    private PipelineMessage MessageOf(string topic, ReadOnlySpan<byte> payload, QualityOfService qos) =>
        new(++_lastMessage, topic, (int)qos) { Payload = payload.IsEmpty ? default : payload.ToArray() };

    // A client without an identifier gets a unique one.
    private string OwnName() => FormattableString.Invariant($"\u0001{++_lastMessage}");

    private bool IsPresent(ClientConnection connection) =>
        connection.Session is { } session && _clients.GetValueOrDefault(session.Client) == connection;

    // A client has one connection: a second one ends the first (MQTT-3.1.4-2).
    private void Replace(int client, ClientConnection connection)
    {
        var former = _clients.GetValueOrDefault(client);
        _clients[client] = connection;
        former?.Abort();
    }

    // The connections of an earlier process of this broker are gone, and so are its sessions that end with their
    // connection.
    private void Begin() =>
        Follow(
            _store.StartAsync(_self),
            (isDone, changes) =>
            {
                if (!isDone)
                {
                    _wire.Schedule(this, Now + PauseNanoseconds, BeginTag);
                    return;
                }
                _toRead = changes;
                BeReady();
                Watch();
            }
        );

    private void Watch() =>
        Follow(
            _store.WatchAsync(_book.Read),
            (isDone, changes) =>
            {
                foreach (var change in isDone ? changes! : [])
                    Read(change);
                BeReady();
                if (isDone)
                    Watch();
                else
                    _wire.Schedule(this, Now + PauseNanoseconds, WatchTag);
            }
        );

    private void Read(in SessionChange change)
    {
        var number = _book.Read;
        _book.Apply(change);
        // A session that is not persistent has no successor: it ends when its client connects elsewhere.
        if (
            change.Kind is SessionChangeKind.Opened or SessionChangeKind.Ended
            && _clients.TryGetValue(change.Client, out var connection)
            && number > connection.Session!.Value.Change
        )
            connection.Abort();
    }

    private void BeReady()
    {
        if (_isReady || _book.Read < _toRead)
            return;
        _isReady = true;
        Core.Start();
    }

    private void Arm() => _timer.Arm(Core.NextDue);
}
