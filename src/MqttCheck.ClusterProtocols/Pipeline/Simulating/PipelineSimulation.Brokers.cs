using MqttCheck.Clusters.Events;

namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <content>Brokers, with the clients of the log that they hold.</content>
internal sealed partial class PipelineSimulation
{
    private sealed class BrokerSide(PipelineSimulation simulation, int index, int number)
        : PipelineNode(index),
            IPipelineOutput
    {
        private readonly Dictionary<LogPartition, List<(LogRecord Record, long Token)>> _batches = [];
        private readonly SortedDictionary<long, Action> _unanswered = [];
        private long _lastRequest;
        private long _lastBatch;
        private long _lastOutput;
        private long _timer = long.MaxValue;

        public PipelineBroker Core { get; private set; } = null!;

        public int Number => number;

        /// <summary>When the last request of this broker reaches the log, and the last one the store.</summary>
        public long LastAtLog { get; set; }

        public long LastAtStore { get; set; }

        /// <summary>When the log is done with the last batch of this broker.</summary>
        public long LastApplied { get; set; }

        /// <summary>When the last answer reaches this broker.</summary>
        public long LastAnswer { get; set; }

        public void Start()
        {
            var plan = simulation._plan;
            Core = new PipelineBroker(number, simulation._brokers.Length, plan.Options, this);
            Core.Start();
        }

        public void Stop()
        {
            _batches.Clear();
            _unanswered.Clear();
            _lastBatch = 0;
            _timer = long.MaxValue;
            Core = null!;
        }

        /// <summary>The log is back.</summary>
        public void SendAgain()
        {
            foreach (var send in _unanswered.Values.ToList())
                send();
        }

        public void ArmTimer()
        {
            var due = Core.NextDue;
            if (due >= _timer)
                return;
            _timer = due;
            simulation.ScheduleAt(
                this,
                due,
                () =>
                {
                    _timer = long.MaxValue;
                    Core.Tick(simulation._now);
                    ArmTimer();
                }
            );
        }

        // Outputs leave one after the other.
        private void Emit(Action action)
        {
            _lastOutput = Math.Max(simulation._now, _lastOutput) + simulation._plan.Times.StepNanoseconds;
            simulation.ScheduleAt(this, _lastOutput, action);
        }

        public void Append(LogPartition partition, in LogRecord record, long token)
        {
            var entry = (record, token);
            Emit(() => Gather(partition, entry));
        }

        private void Gather(LogPartition partition, (LogRecord Record, long Token) entry)
        {
            var times = simulation._plan.Times;
            if (!_batches.TryGetValue(partition, out var batch))
            {
                _batches.Add(partition, batch = []);
                simulation.ScheduleAt(this, simulation._now + times.LingerNanoseconds, () => Flush(partition, batch));
            }
            batch.Add(entry);
            if (batch.Count == times.BatchSize)
                Flush(partition, batch);
        }

        private void Flush(LogPartition partition, List<(LogRecord Record, long Token)> batch)
        {
            if (_batches.GetValueOrDefault(partition) != batch)
                return;
            _batches.Remove(partition);
            var (request, batchNumber, producer) = (++_lastRequest, ++_lastBatch, (number, Incarnation));
            Request(request, () => simulation.AppendAtLog(this, request, producer, batchNumber, partition, batch));
        }

        public void Poll(LogPartition partition, int most, long token) =>
            Emit(() =>
            {
                var (request, incarnation) = (++_lastRequest, Incarnation);
                var poll = new WaitingPoll(this, incarnation, request, most, token);
                Request(request, () => simulation.AnswerPoll(partition, poll));
            });

        public void Commit(LogPartition partition, long next, long token) =>
            Emit(() =>
            {
                var request = ++_lastRequest;
                Request(request, () => simulation.CommitAtLog(this, request, partition, next, token));
            });

        private void Request(long request, Action atLog)
        {
            void Send() => simulation.ToLog(this, atLog);
            _unanswered.Add(request, Send);
            Send();
        }

        /// <summary>An answer of the log.</summary>
        public void Answer(long request, Action<PipelineBroker> answer)
        {
            if (_unanswered.Remove(request))
                answer(Core);
            ArmTimer();
        }

        public void Add(int client, IReadOnlyList<PipelineMessage> messages, long token) =>
            Emit(() =>
                simulation.ToStore(
                    this,
                    client,
                    messages.Sum(message => message.Topic.Length + RecordBytes),
                    () => simulation._kept.Add(client, messages, simulation._now),
                    (isDone, stored) => Core.Added(token, isDone, stored, simulation._now)
                )
            );

        public void Receive(int client, ushort packetId, long token) =>
            Emit(() =>
                simulation.ToStore(
                    this,
                    client,
                    RecordBytes,
                    () =>
                    {
                        simulation._kept.Receive(client, packetId);
                        return [];
                    },
                    (isDone, _) => Core.Received(token, isDone, simulation._now)
                )
            );

        public void Remove(int client, ushort packetId) =>
            Emit(() =>
                simulation.ToStore(
                    this,
                    client,
                    RecordBytes,
                    () =>
                    {
                        simulation._kept.Remove(client, packetId);
                        return [];
                    },
                    (_, _) => { }
                )
            );

        public void Get(int client, long token) =>
            Emit(() =>
            {
                StoredSession? session = null;
                simulation.ToStore(
                    this,
                    client,
                    RecordBytes,
                    () => (session = simulation._kept.Read(client, simulation._now)).Messages,
                    (isDone, _) => Core.Got(token, isDone ? session : null, simulation._now)
                );
            });

        public void AcknowledgePublication(int client, long message) =>
            Emit(() => simulation.Observe(ClusterEventKind.Acknowledged, Index, client, message, "", 0));

        public void Deliver(int client, in StoredMessage stored)
        {
            var sent = stored;
            var connection = simulation._clients.GetValueOrDefault(client)?.Connection;
            Emit(() => simulation.DeliverTo(this, client, connection, sent));
        }

        public void Release(int client, ushort packetId)
        {
            var connection = simulation._clients.GetValueOrDefault(client)?.Connection;
            Emit(() => simulation.ReleaseTo(this, client, connection, packetId));
        }

        public int NodeOf(int client) =>
            simulation._clients.TryGetValue(client, out var known) && known.Node >= 0
                ? simulation._byNode[known.Node].Number
                : -1;

        public IReadOnlyList<PipelineSubscriber> SubscribersOf(in PipelineMessage message) =>
            simulation.SubscribersOf(message.Topic);
    }

    // A client gets a message if it still has the connection, and acknowledges it at once: one of QoS 2 in two steps.
    private void DeliverTo(BrokerSide broker, int number, int? connection, StoredMessage stored)
    {
        if (Find(number, connection) is not { } client)
            return;
        var qos = Math.Min(client.Qos, stored.Message.Qos);
        var isInTwoSteps = stored.PacketId > 0 && qos == 2;
        Schedule(
            _now + _plan.Times.ClientNanoseconds,
            () =>
            {
                if (!isInTwoSteps || IsNew(client, stored))
                    Observe(
                        ClusterEventKind.Delivered,
                        broker.Index,
                        number,
                        stored.Message.Id,
                        stored.Message.Topic,
                        qos
                    );
                if (isInTwoSteps)
                    Answer(broker, client, connection, core => core.Receive(number, stored.PacketId));
                else if (stored.PacketId > 0)
                    Answer(broker, client, connection, core => core.Acknowledge(number, stored.PacketId));
            }
        );
    }

    private static bool IsNew(PipelineClient client, in StoredMessage stored)
    {
        if (client.Unreleased.TryGetValue(stored.PacketId, out var message) && message == stored.Message.Id)
            return false;
        client.Unreleased[stored.PacketId] = stored.Message.Id;
        return true;
    }

    private void ReleaseTo(BrokerSide broker, int number, int? connection, ushort packetId)
    {
        if (Find(number, connection) is not { } client)
            return;
        Schedule(
            _now + _plan.Times.ClientNanoseconds,
            () =>
            {
                client.Unreleased.Remove(packetId);
                Answer(broker, client, connection, core => core.Acknowledge(number, packetId));
            }
        );
    }

    private PipelineClient? Find(int number, int? connection) =>
        _clients.TryGetValue(number, out var client) && client.Connection == connection && client.Node >= 0
            ? client
            : null;

    private void Answer(BrokerSide broker, PipelineClient client, int? connection, Action<PipelineBroker> answer) =>
        ScheduleAt(
            broker,
            _now + _plan.Times.ClientNanoseconds,
            () =>
            {
                if (client.Connection != connection)
                    return;
                answer(broker.Core);
                broker.ArmTimer();
            }
        );
}
