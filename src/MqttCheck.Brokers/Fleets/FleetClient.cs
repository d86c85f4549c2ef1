using MqttCheck.Brokers.Wire;
using MqttCheck.Checking;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// One client model on one connection at a time. The model says what comes next; this class sends it, waits for what answers it, and logs the exchange.
/// This half keeps the course of exchanges; the other reads the broker's packets.
/// </summary>
internal sealed partial class FleetClient : IWireHandler
{
    private const int WaitTag = 0;
    private const int NothingAwaitedTag = 1;
    private const long None = long.MinValue;
    private const double LongestWaitMilliseconds = 86_400_000;

    // A broker should close the connection after DISCONNECT, but need not: after this long the client does it, as it must.
    private const long DisconnectGraceNanoseconds = 1_000_000_000;
    private const long FirstBackoffNanoseconds = 100_000_000;
    private const long LongestBackoffNanoseconds = 2_000_000_000;

    private readonly Fleet _fleet;
    private readonly ClientModel _model;
    private readonly QualityOfService _qos;
    private readonly ulong[] _subscribed;
    private RandomStream _random;
    private ClientState _state;
    private OpenSequence _sequence;

    private WireConnection? _connection;
    private Stage _stage;
    private long _ticket;
    private bool _paced, _closing, _online;
    private int _failures;
    private long _connectFailingSince = None;
    private bool _resumed;
    private ushort _lastPacketId, _abandonedPacketId;

    // The open exchange.
    private ClientAction _action;
    private ushort _packetId;
    private ulong _messageNumber;
    private long _intended, _attempted, _sent, _sendBound, _acknowledged, _lastDelivery, _released, _deadline;
    private long _issueIndex;
    private int _entry, _subscribers, _receivers;
    private bool _sessionExpected;

    /// <summary>A client that has not begun.</summary>
    public FleetClient(Fleet fleet, int index, ClientModel model, RandomStream random)
    {
        (_fleet, Index, _model, _random) = (fleet, index, model, random);
        _qos = model.Profile.Qos;
        _subscribed = new ulong[model.Words];
    }

    private enum Stage : byte
    {
        // Between two exchanges.
        Waiting,

        // An exchange has just ended; what it means for the client is being worked out, and others must not interfere.
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

    /// <summary>The run begins.</summary>
    public void Begin(long nowNanoseconds)
    {
        _state = _model.Begin(ref _random);
        Advance(nowNanoseconds);
    }

    /// <summary>No further sequence begins: a client that waits drops its session now, others when their exchange is over.</summary>
    public void EndSoon(long nowNanoseconds)
    {
        if (_stage != Stage.Waiting) return;
        CancelTimer();
        Advance(nowNanoseconds);
    }

    /// <summary>Gives up an exchange whose deadline has passed.</summary>
    public void CheckDeadline(long nowNanoseconds)
    {
        if (_stage is not (Stage.Connecting or Stage.Queued or Stage.Open) || nowNanoseconds < _deadline) return;
        if (_action.Kind == MessageKind.Disconnect && _stage == Stage.Open && !_closing)
        {
            // The wire ends the connection within a second now, whatever the broker does.
            _closing = true;
            _deadline = nowNanoseconds + _fleet.TimeoutNanoseconds;
            _connection!.Close();
        }
        else if (_action.Kind == MessageKind.Connect || _stage != Stage.Open || _closing)
        {
            Break(ExchangeOutcome.Timeout, nowNanoseconds, BrokerAnswers.None);
        }
        else
        {
            _abandonedPacketId = _packetId;
            Fail(ExchangeOutcome.Timeout, nowNanoseconds, BrokerAnswers.None);
            Advance(nowNanoseconds);
        }
    }

    /// <summary>The run is cancelled: an open exchange and the sequence end here, whatever the broker would have answered.</summary>
    public void Cancel(long nowNanoseconds)
    {
        CancelTimer();
        if (_stage is Stage.Connecting or Stage.Queued) Start(_stage == Stage.Connecting ? _attempted : nowNanoseconds, 0);
        if (_stage is Stage.Connecting or Stage.Queued or Stage.Open) End(ExchangeOutcome.Cancelled, nowNanoseconds);
        EndSequence(OutcomeStatus.Unfinished);
        Abort();
        _stage = Stage.Finished;
    }

    /// <summary>After <see cref="Cancel"/>: drops the session by a clean connect, which nobody logs.</summary>
    /// <returns>Whether there is something to wait for.</returns>
    public bool CleanUp()
    {
        if (!SessionMayRemain) return false;
        _stage = Stage.Cleaning;
        _connection = _fleet.Wire.Connect(_fleet.Endpoint, this);
        return true;
    }

    /// <summary>A message of this client's open publication reached somebody who was to get it.</summary>
    public void OnDelivered(long atNanoseconds, bool last)
    {
        Narrow(atNanoseconds);
        _receivers++;
        _lastDelivery = Math.Max(_lastDelivery, atNanoseconds);
        if (last) TryComplete();
    }

    /// <summary>The last delivery that this client's open publication awaited is not to be expected any more.</summary>
    public void OnReleased(long atNanoseconds)
    {
        _released = atNanoseconds;
        TryComplete();
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        _ticket = 0;
        if (tag == NothingAwaitedTag && _stage == Stage.Open) TryComplete();
        else if (tag == WaitTag && _stage == Stage.Waiting) Act(nowNanoseconds);
    }

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        if (connection != _connection) return;
        if (_stage == Stage.Cleaning)
        {
            connection.Send(_fleet.Packets.Connect(Index, clean: true));
            return;
        }
        _stage = Stage.Queued;
        connection.Send(_fleet.Packets.Connect(Index, _action.Clean));
    }

    /// <inheritdoc/>
    public void OnSent(WireConnection connection, in SendStamp stamp)
    {
        if (connection != _connection || _stage != Stage.Queued) return;
        if (_action.Kind != MessageKind.Connect) _fleet.Lag.Add(stamp.Nanoseconds - _intended);
        Start(stamp.Nanoseconds, stamp.BoundNanoseconds);
        if (_action.Kind == MessageKind.Connect)
        {
            _sessionExpected = SessionMayRemain && !_action.Clean;
            SessionMayRemain |= !_action.Clean;
        }
        else if (_action.Kind == MessageKind.Publish && _qos == QualityOfService.AtMostOnce && _fleet.Ledger.Remaining(Index) == 0)
        {
            // Over as soon as it is sent; by way of a timer, so that a client that only does this leaves the loop time for others.
            _ticket = _fleet.Wire.Schedule(this, stamp.Nanoseconds, NothingAwaitedTag);
        }
    }

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (connection != _connection) return;
        GoOffline();
        if (_stage == Stage.Cleaning)
        {
            _stage = Stage.Finished;
            _fleet.Finished();
        }
        else if (_stage == Stage.Open && _action.Kind == MessageKind.Disconnect)
        {
            SetAcknowledged(stamp.Nanoseconds);
            TryComplete();
        }
        else
        {
            var outcome = reason == CloseReason.ConnectTimeout ? ExchangeOutcome.Timeout
                : reason == CloseReason.Refused ? ExchangeOutcome.Refused
                : ExchangeOutcome.ConnectionLost;
            Break(outcome, stamp.Nanoseconds, BrokerAnswers.Describe(reason, detail));
        }
    }

    private void Advance(long nowNanoseconds)
    {
        if (_fleet.IsOver) return;
        _stage = Stage.Waiting;
        if (_fleet.IsEnding)
        {
            if (_state.Reset == ResetStage.None)
            {
                EndSequence(OutcomeStatus.Unfinished);
                if (!_state.Connected && !SessionMayRemain)
                {
                    _stage = Stage.Finished;
                    _fleet.Finished();
                    return;
                }
                _state.Reset = _state.Connected ? ResetStage.Leave : ResetStage.CleanConnect;
            }
            Plan(nowNanoseconds + Backoff(), nowNanoseconds);
            return;
        }
        var wait = Math.Min(_model.NextWaitMilliseconds(_state, ref _random), LongestWaitMilliseconds);
        Plan(nowNanoseconds + (long)(wait * 1e6) + Backoff(), nowNanoseconds);
    }

    // The time before the next attempt to connect, once something has failed.
    private long Backoff() =>
        _failures == 0 || _state.Reset != ResetStage.CleanConnect ? 0
        : Math.Min(FirstBackoffNanoseconds << Math.Min(_failures - 1, 10), LongestBackoffNanoseconds);

    private void Plan(long dueNanoseconds, long nowNanoseconds)
    {
        _intended = dueNanoseconds;
        if (dueNanoseconds <= nowNanoseconds) Act(nowNanoseconds);
        else _ticket = _fleet.Wire.Schedule(this, dueNanoseconds, WaitTag);
    }

    private void Act(long nowNanoseconds)
    {
        if (!_paced)
        {
            var slot = _fleet.NextSlot(nowNanoseconds);
            if (slot > nowNanoseconds)
            {
                _paced = true;
                Plan(slot, nowNanoseconds);
                return;
            }
        }
        _paced = false;
        _closing = false;
        _action = _model.Next(_state, _subscribed, _fleet.CountedSequences, ref _random);
        _deadline = nowNanoseconds + _fleet.TimeoutNanoseconds;
        if (_action.Kind == MessageKind.Connect)
        {
            _abandonedPacketId = 0;
            _attempted = _fleet.Wire.NowNanoseconds;
            _fleet.Lag.Add(_attempted - _intended);
            _stage = Stage.Connecting;
            _connection = _fleet.Wire.Connect(_fleet.Endpoint, this);
            return;
        }
        _stage = Stage.Queued;
        _connection!.Send(Request());
    }

    private ReadOnlySpan<byte> Request()
    {
        if (_action.Kind == MessageKind.Disconnect) return RequestPackets.Disconnect;
        // 1 .. 65535: 0 is no packet identifier.
        _packetId = _lastPacketId = _lastPacketId == ushort.MaxValue ? (ushort)1 : (ushort)(_lastPacketId + 1);
        if (_action.Kind == MessageKind.Subscribe) return _fleet.Packets.Subscribe(_action.Topic, _qos, _packetId);
        if (_action.Kind == MessageKind.Unsubscribe) return _fleet.Packets.Unsubscribe(_action.Topic, _packetId);
        _messageNumber = _fleet.Ledger.NextNumber(Index);
        return _fleet.Packets.Publish(_action.Topic, _qos, _packetId, _messageNumber, _action.PayloadBytes);
    }

    // The request is on its way, or failed before it could be.
    private void Start(long sentNanoseconds, long boundNanoseconds)
    {
        _stage = Stage.Open;
        (_sent, _sendBound) = (sentNanoseconds, boundNanoseconds);
        (_acknowledged, _lastDelivery, _released, _receivers) = (None, None, None, 0);
        _deadline = sentNanoseconds + (_action.Kind == MessageKind.Disconnect ? DisconnectGraceNanoseconds : _fleet.TimeoutNanoseconds);
        _issueIndex = _fleet.NextIssueIndex();
        _subscribers = _fleet.Fold.Start(Index, _action, _fleet.FoldTime(sentNanoseconds)).Subscribers;
        _entry = _fleet.Timeline.Start(Index, _action, _issueIndex, sentNanoseconds);
        if (_action.Phase != ExchangePhase.Reset && !_sequence.IsOpen)
        {
            var counted = _action.Phase == ExchangePhase.Counted;
            _sequence.Begin(_state.Sequence, counted, counted ? _fleet.NextSequenceIndex() : 0);
        }

        if (_action.Kind == MessageKind.Publish) _fleet.Ledger.Open(Index, _action.Topic, _messageNumber, _subscribers, _fleet.Fold);
        else if (_action.Kind == MessageKind.Disconnect) _fleet.Release(Index, -1, sentNanoseconds);
        else if (_action.Kind == MessageKind.Unsubscribe) _fleet.Release(Index, _action.Topic, sentNanoseconds);
    }

    private void SetAcknowledged(long atNanoseconds)
    {
        Narrow(atNanoseconds);
        _acknowledged = atNanoseconds;
    }

    // An answer that came before the call that sent the request had returned says that the bytes left earlier than its middle.
    private void Narrow(long answerNanoseconds)
    {
        if (answerNanoseconds >= _sent + _sendBound) return;
        var earliest = _sent - _sendBound;
        _sendBound = Math.Max(0, answerNanoseconds - earliest) / 2;
        _sent = earliest + _sendBound;
    }

    private void TryComplete()
    {
        var end = Math.Max(_sent, _acknowledged);
        if (_action.Kind == MessageKind.Publish)
        {
            if (_fleet.Ledger.Remaining(Index) > 0 || (_acknowledged == None && _qos != QualityOfService.AtMostOnce)) return;
            end = Math.Max(end, Math.Max(_lastDelivery, _released));
        }
        End(ExchangeOutcome.Success, end);
        var sequenceOver = _model.Complete(ref _state, _subscribed, _action, success: true);
        if (_action.Kind is not (MessageKind.Connect or MessageKind.Disconnect)) _failures = 0;
        if (sequenceOver)
        {
            _failures = 0;
            EndSequence(OutcomeStatus.Completed);
        }
        Advance(end);
    }

    private void Fail(ExchangeOutcome outcome, long nowNanoseconds, string detail)
    {
        _fleet.NoteFailure(Index, _action.Kind, outcome, nowNanoseconds, detail);
        End(outcome, nowNanoseconds);
        _model.Complete(ref _state, _subscribed, _action, success: false);
        _failures++;
        EndSequence(OutcomeStatus.Failed);
        if (_action.Kind != MessageKind.Connect) return;
        var first = _connectFailingSince == None;
        if (first) _connectFailingSince = nowNanoseconds;
        _fleet.ConnectFailed(Index, first, nowNanoseconds - _connectFailingSince, nowNanoseconds, detail);
    }

    // The connection is gone, or was never made: the exchange fails, the model hears of it, and the client connects anew.
    private void Break(ExchangeOutcome outcome, long nowNanoseconds, string detail)
    {
        CancelTimer();
        Abort();
        var inExchange = _stage is Stage.Connecting or Stage.Queued or Stage.Open;
        if (_stage is Stage.Connecting or Stage.Queued) Start(_stage == Stage.Connecting ? _attempted : nowNanoseconds, 0);
        if (inExchange)
        {
            Fail(outcome, nowNanoseconds, detail);
        }
        else
        {
            _stage = Stage.Ending;
            _fleet.NoteFailure(Index, null, outcome, nowNanoseconds, detail);
            _failures++;
            EndSequence(OutcomeStatus.Failed);
        }
        _fleet.Disconnected(Index, nowNanoseconds);
        // A disconnect that went wrong has left the model disconnected already, and perhaps in its next sequence.
        if (!inExchange || _action.Kind != MessageKind.Disconnect) ClientModel.ConnectionLost(ref _state);
        Advance(nowNanoseconds);
    }

    private void End(ExchangeOutcome outcome, long endNanoseconds)
    {
        _stage = Stage.Ending;
        var success = outcome == ExchangeOutcome.Success;
        _fleet.Fold.End(Index, _action, _subscribers, success, _fleet.FoldTime(endNanoseconds));
        var publish = _action.Kind == MessageKind.Publish;
        if (publish)
        {
            var missing = _fleet.Ledger.Close(Index);
            if (outcome == ExchangeOutcome.Timeout) _fleet.Lost += missing;
        }
        var latency = success ? (endNanoseconds - _sent) / 1e6 : double.NaN;
        if (success && _action.Phase != ExchangePhase.Reset)
            _sequence.Add(latency, publish, _acknowledged == None ? double.NaN : Math.Max(0, _acknowledged - _sent) / 1e6);
        var exchange = new Exchange
        {
            Message = _action.Kind,
            TopicSize = _action.Topic >= 0 ? _fleet.Packets.Topic(_action.Topic).Length : 0,
            MessageSize = _action.PayloadBytes,
            Subscribers = _subscribers,
            Receivers = _receivers,
            LatencyMilliseconds = latency,
            Run = _fleet.RunNumber,
            Client = Index,
            Sequence = _state.Sequence,
            IssueIndex = _issueIndex,
            IntendedMicroseconds = Microseconds(_intended),
            SentMicroseconds = Microseconds(_sent),
            SendBoundMicroseconds = _sendBound / 1e3,
            AcknowledgedMicroseconds = Microseconds(_acknowledged),
            LastDeliveryMicroseconds = Microseconds(_lastDelivery),
            Qos = publish || _action.Kind == MessageKind.Subscribe ? _qos : QualityOfService.AtMostOnce,
            Topic = _action.Topic,
            Phase = _action.Phase,
            Outcome = outcome,
            EndMicroseconds = Microseconds(endNanoseconds),
        };
        _fleet.Append(_entry, exchange, endNanoseconds);
    }

    private void EndSequence(OutcomeStatus status)
    {
        if (!_sequence.IsOpen) return;
        var sequence = _sequence;
        _sequence.End();
        if (sequence.IsCounted) _fleet.SequenceEnded(new(_fleet.RunNumber, Index, sequence.Number, sequence.IssueIndex, sequence.Latencies, status));
    }

    private void Abort()
    {
        var connection = _connection;
        GoOffline();
        connection?.Abort();
    }

    private void GoOnline()
    {
        _online = true;
        _connectFailingSince = None;
        _fleet.ConnectSucceeded();
    }

    private void GoOffline()
    {
        _connection = null;
        if (_online) _fleet.Online--;
        _online = false;
    }

    private void CancelTimer()
    {
        if (_ticket != 0) _fleet.Wire.Cancel(_ticket);
        _ticket = 0;
        _paced = false;
    }

    private double Microseconds(long nanoseconds) => nanoseconds == None ? double.NaN : (nanoseconds - _fleet.StartNanoseconds) / 1e3;
}
