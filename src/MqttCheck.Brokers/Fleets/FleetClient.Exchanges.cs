using MqttCheck.Brokers.Fleets.Requests;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Fleets;

// This part runs the exchanges: it chooses the next one, sends it, and handles its end.
internal sealed partial class FleetClient
{
    private void Advance(long nowNanoseconds, long delayNanoseconds = 0)
    {
        if (_fleet.IsOver)
            return;
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
            Plan(nowNanoseconds + delayNanoseconds + Backoff(), nowNanoseconds);
            return;
        }
        var wait = Math.Min(
            _model.NextWaitMilliseconds(_state, ref _random, _fleet.RunMilliseconds(nowNanoseconds)),
            LongestWaitMilliseconds
        );
        if (_state.Reset == ResetStage.None)
            _fleet.Diagnosis.Waits(wait);
        Plan(nowNanoseconds + (long)(wait * 1e6) + Backoff(), nowNanoseconds);
    }

    // The time before the next attempt to connect, once something has failed.
    private long Backoff() =>
        _failures == 0 || _state.Reset != ResetStage.CleanConnect
            ? 0
            : Math.Min(FirstBackoffNanoseconds << Math.Min(_failures - 1, 10), LongestBackoffNanoseconds);

    private void Plan(long dueNanoseconds, long nowNanoseconds)
    {
        _exchange.Intended = dueNanoseconds;
        if (dueNanoseconds <= nowNanoseconds)
            Act(nowNanoseconds);
        else
            _ticket = _fleet.Wire.Schedule(this, dueNanoseconds, WaitTag);
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
        _exchange.IsClosing = false;
        _exchange.Action = _model.Next(_state, _subscribed, _fleet.CountedSequences, ref _random);
        _exchange.Deadline = nowNanoseconds + _fleet.TimeoutNanoseconds;
        _exchange.Attempted = nowNanoseconds;
        if (Kind == MessageKind.Connect)
        {
            _abandonedPacketId = 0;
            _exchange.Attempted = _fleet.Wire.NowNanoseconds;
            _fleet.Diagnosis.Lag.Add(_exchange.Attempted - _exchange.Intended);
            _stage = Stage.Connecting;
            _connection = _fleet.Wire.Connect(_fleet.EndpointOf(Index, _moves), this);
            return;
        }
        _stage = Stage.Queued;
        _connection!.Send(Request());
    }

    private ReadOnlySpan<byte> Request()
    {
        if (Kind == MessageKind.Disconnect)
            return _packets.Disconnect;
        // The packet identifier is in 1 .. 65535, because 0 is none.
        _exchange.PacketId = _lastPacketId = _lastPacketId == ushort.MaxValue ? (ushort)1 : (ushort)(_lastPacketId + 1);
        if (Kind == MessageKind.Subscribe)
            return _packets.Subscribe(_exchange.Action.Topic, _exchange.PacketId);
        if (Kind == MessageKind.Unsubscribe)
            return _packets.Unsubscribe(_exchange.Action.Topic, _exchange.PacketId);
        _exchange.MessageNumber = _fleet.Deliveries.Ledger.NextNumber(Index);
        return _fleet.Packets.Publish(
            _exchange.Action,
            _exchange.PacketId,
            _exchange.MessageNumber,
            _packets,
            _aliases
        );
    }

    // The request was sent, or failed before it could be sent.
    private void Start(in SendStamp sent)
    {
        var sentNanoseconds = sent.Nanoseconds;
        _stage = Stage.Open;
        if (Kind == MessageKind.Connect)
            _requests = HeldAnswers.Connection.Begin(sentNanoseconds);
        else
            _requests.Sends(sentNanoseconds, sent.EarliestNanoseconds);
        _exchange.Deadline =
            sentNanoseconds + (Kind == MessageKind.Disconnect ? DisconnectGraceNanoseconds : _fleet.TimeoutNanoseconds);
        var issueIndex = _fleet.NextIssueIndex();
        var subscribers = _fleet.Started(Index, _exchange.Action, sentNanoseconds);
        var entry = _fleet.Books.Timeline.Start(Index, _exchange.Action, issueIndex, sentNanoseconds);
        _exchange.Start(sent, issueIndex, subscribers, entry);
        if (_exchange.Action.Phase != ExchangePhase.Reset && !_sequence.IsOpen)
        {
            var counted = _exchange.Action.Phase == ExchangePhase.Counted;
            _sequence.Begin(_state.Sequence, counted, counted ? _fleet.NextSequenceIndex(sentNanoseconds) : 0);
        }

        if (Kind == MessageKind.Publish)
            _fleet.Deliveries.Ledger.Open(
                Index,
                _exchange.Action.Topic,
                _exchange.MessageNumber,
                subscribers,
                _fleet.Fold
            );
        else if (Kind == MessageKind.Disconnect)
            _fleet.Deliveries.Release(Index, -1, sentNanoseconds);
        else if (Kind == MessageKind.Unsubscribe)
            _fleet.Deliveries.Release(Index, _exchange.Action.Topic, sentNanoseconds);
    }

    private void TryComplete()
    {
        if (
            Kind == MessageKind.Publish
            && (
                _fleet.Deliveries.Ledger.Remaining(Index) > 0
                || (_exchange.Acknowledged == OpenExchange.None && _exchange.Action.Qos != QualityOfService.AtMostOnce)
            )
        )
            return;
        var end = _exchange.End;
        End(ExchangeOutcome.Success, end);
        var now = _fleet.RunMilliseconds(end);
        var sequenceOver = _model.Complete(ref _state, _subscribed, _exchange.Action, success: true, now);
        if (Kind is not (MessageKind.Connect or MessageKind.Disconnect))
            _failures = 0;
        if (sequenceOver)
        {
            _failures = 0;
            EndSequence(OutcomeStatus.Completed);
        }
        Advance(end);
    }

    private void Fail(ExchangeOutcome outcome, long nowNanoseconds, string detail)
    {
        _fleet.Books.NoteFailure(Index, Kind, outcome, nowNanoseconds, detail);
        End(outcome, nowNanoseconds);
        var now = _fleet.RunMilliseconds(nowNanoseconds);
        _model.Complete(ref _state, _subscribed, _exchange.Action, success: false, now);
        _failures++;
        EndSequence(OutcomeStatus.Failed);
        if (Kind == MessageKind.Connect)
            _fleet.ConnectFailed(Index, nowNanoseconds, detail);
    }

    // The connection is gone, or was never made. The exchange fails, the model is informed, and the client connects
    // again.
    private void Break(ExchangeOutcome outcome, long nowNanoseconds, string detail)
    {
        CancelTimer();
        Abort();
        var inExchange = _stage is Stage.Connecting or Stage.Queued or Stage.Open;
        // A request may be sent after the connection was lost but before the loss is reported.
        if (inExchange)
            nowNanoseconds = Math.Max(nowNanoseconds, _stage == Stage.Open ? _exchange.Sent : _exchange.Attempted);
        if (_stage is Stage.Connecting or Stage.Queued)
            Start(new SendStamp(_stage == Stage.Connecting ? _exchange.Attempted : nowNanoseconds, 0));
        if (inExchange)
        {
            Fail(outcome, nowNanoseconds, detail);
        }
        else
        {
            _stage = Stage.Ending;
            _fleet.Books.NoteFailure(Index, null, outcome, nowNanoseconds, detail);
            _failures++;
            EndSequence(OutcomeStatus.Failed);
        }
        _fleet.Disconnected(Index, nowNanoseconds);
        if (_fleet.Setup.Failover)
            _moves++;
        // A failed disconnect has already moved the model to the disconnected state, and perhaps to its next sequence.
        if (!inExchange || Kind != MessageKind.Disconnect)
            ClientModel.ConnectionLost(ref _state);
        Advance(nowNanoseconds);
    }

    private void End(ExchangeOutcome outcome, long endNanoseconds)
    {
        _stage = Stage.Ending;
        var success = outcome == ExchangeOutcome.Success;
        _fleet.Ended(Index, _exchange.Action, _exchange.Subscribers, success, endNanoseconds);
        var publish = Kind == MessageKind.Publish;
        if (publish)
        {
            var missing = _fleet.Deliveries.Ledger.Close(Index);
            if (outcome == ExchangeOutcome.Timeout)
                _fleet.Deliveries.Lost += missing;
        }
        var record = _exchange.ToRecord(_fleet, Index, _state.Sequence, outcome, endNanoseconds);
        if (success && record.Phase != ExchangePhase.Reset)
            _sequence.Add(record.LatencyMilliseconds, publish, _exchange.AcknowledgementMilliseconds);
        _fleet.Books.Append(_exchange.Entry, record, endNanoseconds);
    }

    private void EndSequence(OutcomeStatus status)
    {
        if (!_sequence.IsOpen)
            return;
        var sequence = _sequence;
        _sequence.End();
        if (sequence.IsCounted)
            _fleet.SequenceEnded(
                new(_fleet.Setup.Run, Index, sequence.Number, sequence.IssueIndex, sequence.Latencies, status)
            );
    }
}
