namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <content>The log and the stores.</content>
internal sealed partial class PipelineSimulation
{
    // Key, headers and a payload of 62 bytes, as in the article, beside the topic.
    private const int RecordBytes = 90;

    // A Redis Cluster notices after cluster-node-timeout, 2 s here, that a primary is gone, and then votes.
    private const long TakeOverNanoseconds = 3_000_000_000;

    private readonly SimulatedLog _records = new();
    private readonly SessionStoreModel _kept;
    private readonly PipelineNode _log;
    private readonly StorePart[] _storeParts;
    private readonly Dictionary<LogPartition, WaitingPoll> _waitingPolls = [];
    private readonly List<StoreRequest> _storeRequests = [];

    // A log that is not there loses the request; its client sends it again.
    private void ToLog(BrokerSide broker, Action atLog)
    {
        ObserveRequest(broker.Index, _log, RecordBytes);
        broker.LastAtLog = Math.Max(broker.LastAtLog, _now + Draw(_plan.Times.WayMilliseconds));
        // Requests of a broker arrive although it may have ended since.
        Schedule(
            broker.LastAtLog,
            () =>
            {
                if (_log.IsAlive)
                    ScheduleAt(_log, _now, atLog);
            }
        );
    }

    private void AppendAtLog(
        BrokerSide broker,
        long request,
        (int Broker, int Incarnation) producer,
        long batchNumber,
        LogPartition partition,
        List<(LogRecord Record, long Token)> batch
    )
    {
        broker.LastApplied = Math.Max(broker.LastApplied, _now + Draw(_plan.Times.AppendMilliseconds));
        ScheduleAt(
            _log,
            broker.LastApplied,
            () =>
            {
                _records.Append(producer, batchNumber, partition, batch.Select(entry => entry.Record));
                FromLog(
                    broker,
                    request,
                    core =>
                    {
                        foreach (var entry in batch)
                            core.Appended(entry.Token, succeeded: true, _now);
                    }
                );
                if (_waitingPolls.TryGetValue(partition, out var waiting))
                    AnswerPoll(partition, waiting);
            }
        );
    }

    private void AnswerPoll(LogPartition partition, WaitingPoll poll)
    {
        var (pack, next) = _records.Read(partition, poll.Most);
        if (pack.Count == 0)
        {
            _waitingPolls[partition] = poll;
            return;
        }
        _waitingPolls.Remove(partition);
        if (poll.Broker.Incarnation == poll.Incarnation)
            FromLog(poll.Broker, poll.Request, core => core.Polled(poll.Token, pack, next, _now));
    }

    private void CommitAtLog(BrokerSide broker, long request, LogPartition partition, long next, long token) =>
        ScheduleAt(
            _log,
            _now + Draw(_plan.Times.CommitMilliseconds),
            () =>
            {
                _records.Commit(partition, next);
                FromLog(broker, request, core => core.Committed(token, _now));
            }
        );

    // Between the log's work and its answer there is a step, in which it may end.
    private void FromLog(BrokerSide broker, long request, Action<PipelineBroker> answer) =>
        ScheduleAt(
            _log,
            _now + _plan.Times.StepNanoseconds,
            () =>
            {
                broker.LastAnswer = Math.Max(broker.LastAnswer, _now + Draw(_plan.Times.WayMilliseconds));
                ScheduleAt(broker, broker.LastAnswer, () => broker.Answer(request, answer));
            }
        );

    private void ToStore(
        BrokerSide broker,
        int client,
        int bytes,
        Func<IReadOnlyList<StoredMessage>> work,
        Action<bool, IReadOnlyList<StoredMessage>> answer
    )
    {
        var part = _storeParts[client % _storeParts.Length];
        ObserveRequest(broker.Index, part.Serving, bytes);
        broker.LastAtStore = Math.Max(broker.LastAtStore, _now + Draw(_plan.Times.WayMilliseconds));
        var request = new StoreRequest(broker, broker.Incarnation, part, answer);
        _storeRequests.Add(request);
        Schedule(
            broker.LastAtStore,
            () =>
            {
                if (!part.Serving.IsAlive)
                    Fail(request);
                else if (!request.IsAnswered)
                    Work(request, work);
            }
        );
    }

    private void Work(StoreRequest request, Func<IReadOnlyList<StoredMessage>> work)
    {
        var (part, server) = (request.Part, request.Part.Serving);
        part.Free = Math.Max(part.Free, _now) + Draw(_plan.Times.StoreMilliseconds);
        ScheduleAt(
            server,
            part.Free,
            () =>
            {
                var stored = work();
                // Between the work and its answer there is a step, in which the store may end.
                ScheduleAt(server, _now + _plan.Times.StepNanoseconds, () => Answer(request, isDone: true, stored));
            }
        );
    }

    // A replica has what its primary has answered, and takes over from it after a while.
    private void KillStore(PipelineNode server)
    {
        if (Array.Find(_storeParts, part => part.Serving == server) is not { } part)
            return;
        part.Free = 0;
        foreach (var request in _storeRequests.Where(request => request.Part == part).ToList())
            Fail(request);
        if (part.Servers.Count == 1)
            return;
        Schedule(
            _now + TakeOverNanoseconds,
            () =>
            {
                if (!part.Serving.IsAlive)
                    part.Serving = part.Servers.FirstOrDefault(other => other.IsAlive) ?? part.Serving;
            }
        );
    }

    private void Fail(StoreRequest request) => Answer(request, isDone: false, []);

    private void Answer(StoreRequest request, bool isDone, IReadOnlyList<StoredMessage> stored)
    {
        if (request.IsAnswered)
            return;
        request.IsAnswered = true;
        _storeRequests.Remove(request);
        var broker = request.Broker;
        if (broker.Incarnation != request.Incarnation)
            return;
        ScheduleAt(
            broker,
            _now + Draw(_plan.Times.WayMilliseconds),
            () =>
            {
                request.Answer(isDone, stored);
                broker.ArmTimer();
            }
        );
    }

    private sealed record WaitingPoll(BrokerSide Broker, int Incarnation, long Request, int Most, long Token);

    // Some of the sessions, with the server that has them and those that may take over from it.
    private sealed class StorePart(IReadOnlyList<PipelineNode> servers)
    {
        public IReadOnlyList<PipelineNode> Servers => servers;

        public PipelineNode Serving { get; set; } = servers[0];

        /// <summary>When the server has done what it was asked for.</summary>
        public long Free { get; set; }
    }

    private sealed class StoreRequest(
        BrokerSide broker,
        int incarnation,
        StorePart part,
        Action<bool, IReadOnlyList<StoredMessage>> answer
    )
    {
        public BrokerSide Broker => broker;

        public int Incarnation => incarnation;

        public StorePart Part => part;

        public Action<bool, IReadOnlyList<StoredMessage>> Answer => answer;

        public bool IsAnswered { get; set; }
    }
}
