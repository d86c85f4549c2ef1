using System.Diagnostics;
using MqttCheck.Brokers.Fleets.Requests;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// Runs one client model on one connection at a time. The model chooses the next exchange; this class sends it, awaits
/// the answers, and logs it. This part holds the client and its connection. The other parts run the exchanges and read
/// the broker's packets.
/// </summary>
internal sealed partial class FleetClient : IWireHandler, ITimerHandler
{
    private const int WaitTag = 0;
    private const int NothingAwaitedTag = 1;
    private const int PingTag = 2;
    private const double LongestWaitMilliseconds = 86_400_000;

    // A broker should close the connection after DISCONNECT, but need not. The client must, and does so after this
    // time.
    private const long DisconnectGraceNanoseconds = 1_000_000_000;
    private const long EndStepNanoseconds = 200_000;
    private const long FirstBackoffNanoseconds = 100_000_000;
    private const long LongestBackoffNanoseconds = 2_000_000_000;

    private readonly Fleet _fleet;
    private readonly ClientModel _model;
    private readonly GroupPackets _packets;
    private readonly TopicAliases? _aliases;
    private readonly ulong[] _subscribed;
    private readonly int _rank;
    private RandomStream _random;
    private ClientState _state;
    private OpenSequence _sequence;
    private OpenExchange _exchange;
    private HeldAnswers.Connection _requests;

    private WireConnection? _connection;
    private Stage _stage;
    private long _ticket,
        _pingTicket,
        _pingNanoseconds;
    private bool _paced,
        _online;
    private int _failures,
        _moves;
    private bool _mayResume,
        _mustResume,
        _resumed;
    private ushort _lastPacketId,
        _abandonedPacketId;

    /// <summary>A client that has not begun.</summary>
    public FleetClient(Fleet fleet, int index, ClientModel model, GroupPackets packets, RandomStream random)
    {
        (_fleet, Index, _model, _packets, _random) = (fleet, index, model, packets, random);
        _rank = fleet.Packets.Names.Space.RankOf(index);
        if (model.Profile.TopicAliases > 0)
            _aliases = new(model.FirstTopic(_rank), model.Profile.Topics, model.Profile.TopicAliases);
        _subscribed = new ulong[model.Words];
    }

    private enum Stage : byte
    {
        // Between two exchanges.
        Waiting,

        // An exchange has just ended, and its effect on the client is being handled without interference.
        Ending,

        // The connection for a CONNECT is being made.
        Connecting,

        // The request waits to be handed to the socket.
        Queued,

        // The request was sent.
        Open,

        // The run was cancelled; the session is being dropped.
        Cleaning,

        Finished,
    }

    /// <summary>Number of the client.</summary>
    public int Index { get; }

    /// <summary>Whether the broker may still hold a session of this client.</summary>
    public bool SessionMayRemain { get; private set; }

    private MessageKind Kind => _exchange.Action.Kind;

    /// <summary>The run begins.</summary>
    /// <param name="nowNanoseconds">When.</param>
    /// <param name="connectAfterNanoseconds">
    /// How much later this client connects; null where it waits first, as its profile says.
    /// </param>
    public void Begin(long nowNanoseconds, long? connectAfterNanoseconds)
    {
        _state = _model.Begin(ref _random, _rank);
        if (connectAfterNanoseconds is not { } after)
        {
            Advance(nowNanoseconds);
            return;
        }
        _stage = Stage.Waiting;
        _exchange.Intended = nowNanoseconds + after;
        _ticket = _fleet.Wire.Schedule(this, _exchange.Intended, WaitTag);
    }

    /// <summary>
    /// No further sequence begins: a client that waits drops its session now, others when their exchange is over.
    /// </summary>
    public void EndSoon(long nowNanoseconds)
    {
        if (_stage != Stage.Waiting)
            return;
        CancelTimer();
        // The clients leave one after the other, so that thousands of them do not fill the broker's queue of
        // connections at once.
        Advance(nowNanoseconds, Index * EndStepNanoseconds);
    }

    /// <summary>Gives up an exchange whose deadline has passed.</summary>
    public void CheckDeadline(long nowNanoseconds)
    {
        if (_stage is not (Stage.Connecting or Stage.Queued or Stage.Open) || nowNanoseconds < _exchange.Deadline)
            return;
        if (Kind == MessageKind.Disconnect && _stage == Stage.Open && !_exchange.IsClosing)
        {
            // The wire ends the connection within a second even if the broker does not close it.
            _exchange.IsClosing = true;
            _exchange.Deadline = nowNanoseconds + _fleet.TimeoutNanoseconds;
            _connection!.Close();
        }
        else if (Kind == MessageKind.Connect || _stage != Stage.Open || _exchange.IsClosing)
        {
            Break(ExchangeOutcome.Timeout, nowNanoseconds, BrokerAnswers.Silence);
        }
        else
        {
            _abandonedPacketId = _exchange.PacketId;
            Fail(ExchangeOutcome.Timeout, nowNanoseconds, BrokerAnswers.Silence);
            Advance(nowNanoseconds);
        }
    }

    /// <summary>Cancels the client: an open exchange and the sequence end here without the broker's answer.</summary>
    public void Cancel(long nowNanoseconds)
    {
        CancelTimer();
        if (_stage is Stage.Connecting or Stage.Queued)
            Start(new SendStamp(_stage == Stage.Connecting ? _exchange.Attempted : nowNanoseconds, 0));
        if (_stage is Stage.Connecting or Stage.Queued or Stage.Open)
            End(ExchangeOutcome.Cancelled, nowNanoseconds);
        EndSequence(OutcomeStatus.Unfinished);
        Abort();
        _stage = Stage.Finished;
    }

    /// <summary>Drops the session after <see cref="Cancel"/> by a clean connect, which is not logged.</summary>
    /// <returns>Whether there is something to wait for.</returns>
    public bool CleanUp()
    {
        if (!SessionMayRemain)
            return false;
        _stage = Stage.Cleaning;
        _connection = _fleet.Wire.Connect(_fleet.EndpointOf(Index, _moves), this);
        return true;
    }

    /// <summary>
    /// The start of the request under way, which may end as an exchange; <see cref="long.MaxValue"/> if there is none.
    /// </summary>
    public long UnderWaySince =>
        _stage switch
        {
            Stage.Connecting => _exchange.Attempted,
            Stage.Queued when Kind == MessageKind.Connect => _exchange.Attempted,
            Stage.Open => _exchange.Sent,
            Stage.Waiting or Stage.Ending or Stage.Queued or Stage.Cleaning or Stage.Finished => long.MaxValue,
            _ => throw new UnreachableException(),
        };

    /// <summary>A message of this client's open publication reached a subscriber.</summary>
    /// <param name="atNanoseconds">When.</param>
    /// <param name="last">Whether no further one is awaited.</param>
    /// <param name="isElsewhere">Whether it was seen by another part of the fleet.</param>
    public void OnDelivered(long atNanoseconds, bool last, bool isElsewhere)
    {
        if (isElsewhere)
            _exchange.DeliverElsewhere(atNanoseconds, _fleet.ClockBoundNanoseconds);
        else
            _exchange.Deliver(atNanoseconds);
        if (last)
            TryComplete();
    }

    /// <summary>An awaited message reached this client.</summary>
    /// <param name="sentNanoseconds">When its publisher sent it.</param>
    /// <param name="atNanoseconds">When it came.</param>
    public void OnReceived(long sentNanoseconds, long atNanoseconds) =>
        _fleet.Diagnosis.Held.Arrived(ref _requests, sentNanoseconds, atNanoseconds);

    /// <summary>The last awaited delivery of this client's open publication is not expected any more.</summary>
    public void OnReleased(long atNanoseconds)
    {
        _exchange.Release(atNanoseconds);
        TryComplete();
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (tag == PingTag)
        {
            Ping(nowNanoseconds);
            return;
        }
        _ticket = 0;
        if (tag == NothingAwaitedTag && _stage == Stage.Open)
            TryComplete();
        else if (tag == WaitTag && _stage == Stage.Waiting)
            Act(nowNanoseconds);
    }

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        if (connection != _connection)
            return;
        if (_stage == Stage.Cleaning)
        {
            connection.Send(_fleet.Packets.Connect(Index, clean: true));
            return;
        }
        _stage = Stage.Queued;
        connection.Send(_fleet.Packets.Connect(Index, _exchange.Action.Clean));
    }

    /// <inheritdoc/>
    public void OnSent(WireConnection connection, in SendStamp stamp)
    {
        if (connection != _connection)
            return;
        if (connection.PendingBytes > 0)
            _fleet.Diagnosis.Pending(connection.PendingBytes);
        if (_stage != Stage.Queued)
            return;
        if (Kind != MessageKind.Connect)
            _fleet.Diagnosis.Lag.Add(stamp.Nanoseconds - _exchange.Intended);
        Start(stamp);
        if (Kind == MessageKind.Connect)
        {
            // A broker need not keep a session without subscriptions.
            _mayResume = SessionMayRemain && !_exchange.Action.Clean;
            _mustResume = _mayResume && _state.Subscriptions > 0;
            SessionMayRemain |= !_exchange.Action.Clean;
        }
        else if (
            Kind == MessageKind.Publish
            && _exchange.Action.Qos == QualityOfService.AtMostOnce
            && _fleet.Deliveries.Ledger.Remaining(Index) == 0
        )
        {
            // A request that nothing answers is over when it is sent. A timer ends it, so that such a client leaves
            // time for others.
            _ticket = _fleet.Wire.Schedule(this, stamp.Nanoseconds, NothingAwaitedTag);
        }
    }

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (connection != _connection)
            return;
        GoOffline();
        if (_stage == Stage.Cleaning)
        {
            _stage = Stage.Finished;
            _fleet.Finished();
        }
        else if (_stage == Stage.Open && Kind == MessageKind.Disconnect)
        {
            _exchange.Acknowledge(stamp.Nanoseconds);
            TryComplete();
        }
        else
        {
            var outcome =
                reason == CloseReason.ConnectTimeout ? ExchangeOutcome.Timeout
                : reason == CloseReason.Refused ? ExchangeOutcome.Refused
                : ExchangeOutcome.ConnectionLost;
            Break(outcome, stamp.Nanoseconds, BrokerAnswers.Describe(reason, detail));
        }
    }

    private void Abort()
    {
        var connection = _connection;
        GoOffline();
        connection?.Abort();
    }

    private void GoOffline()
    {
        _connection = null;
        if (_online)
            _fleet.Connects.Left();
        _online = false;
        _fleet.Wire.Cancel(_pingTicket);
        _pingTicket = 0;
    }

    // A broker of MQTT 5 may ask for another keep alive than the client offered; the client has to obey.
    private void KeepAlive(int asked, long nowNanoseconds)
    {
        var seconds = asked > 0 ? asked : _model.Profile.KeepAliveSeconds;
        if (seconds == 0)
            return;
        _pingNanoseconds = seconds * 750_000_000L;
        _pingTicket = _fleet.Wire.Schedule(this, nowNanoseconds + _pingNanoseconds, PingTag);
    }

    private void Ping(long nowNanoseconds)
    {
        _pingTicket = 0;
        if (!_online || IsLeaving)
            return;
        // A client that has sent something lately needs no ping.
        var due = _exchange.Sent + _pingNanoseconds;
        if (_stage != Stage.Queued && due > nowNanoseconds)
        {
            _pingTicket = _fleet.Wire.Schedule(this, due, PingTag);
            return;
        }
        _connection!.Send([0xC0, 0x00]);
        _pingTicket = _fleet.Wire.Schedule(this, nowNanoseconds + _pingNanoseconds, PingTag);
    }

    private void CancelTimer()
    {
        _fleet.Wire.Cancel(_ticket);
        _ticket = 0;
        _paced = false;
    }
}
