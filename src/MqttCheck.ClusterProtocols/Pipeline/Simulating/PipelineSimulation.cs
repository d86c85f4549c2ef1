using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Protocol.Topics;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <summary>
/// One simulated run of brokers with a log and a store, in virtual time. Any of them may end at any time and start
/// again: a broker without what it knew, the log and the store with what they have acknowledged.
/// </summary>
/// <remarks>
/// Every output of a broker, every request at the log or the store and every answer is an event of its own, so that a
/// crash can come between any two. Requests of one broker keep their order. The log's client sends again what is not
/// answered when the log is back; the store's client reports a failure.
/// </remarks>
internal sealed partial class PipelineSimulation
{
    private const ulong TimeStream = 0x706970656C696E65;

    private readonly PipelinePlan _plan;
    private readonly IClusterEventSink _observer;
    private readonly PriorityQueue<Action, (long At, long Order)> _events = new();
    private readonly List<PipelineStepTime> _stepTimes = [];
    private readonly SortedDictionary<int, PipelineClient> _clients = [];
    private readonly Dictionary<string, IReadOnlyList<PipelineSubscriber>> _subscribers = new(StringComparer.Ordinal);
    private readonly BrokerSide[] _brokers;
    private readonly Dictionary<int, BrokerSide> _byNode;
    private readonly Dictionary<int, PipelineNode> _processes;
    private RandomStream _random;
    private long _order;
    private long _now;
    private long _messages;

    private PipelineSimulation(PipelinePlan plan, ulong seed, ulong replication, IClusterEventSink observer)
    {
        (_plan, _observer) = (plan, observer);
        _random = RandomStream.For(seed, TimeStream, replication);
        var nodes = plan.Topology.Nodes;
        _log = new PipelineNode(Enumerable.Range(0, nodes.Count).First(node => nodes[node].Kind == NodeKind.Log));
        PipelineNode[] stores = [.. PipelineNodes.StoresOf(plan.Topology).Select(node => new PipelineNode(node))];
        var primaries = PipelineNodes.PrimariesOf(plan.Topology).Count;
        // The replicas of a primary come behind all primaries, in the same order.
        _storeParts =
        [
            .. Enumerable
                .Range(0, primaries)
                .Select(part => new StorePart([.. stores.Where((_, place) => place % primaries == part)])),
        ];
        _kept = new SessionStoreModel(plan.Store, plan.Options.Mutant);
        _brokers = [.. plan.Topology.Brokers.Select((node, number) => new BrokerSide(this, node, number))];
        _byNode = _brokers.ToDictionary(broker => broker.Index);
        _processes = _brokers.Concat(stores).Append(_log).ToDictionary(process => process.Index);
    }

    /// <summary>Runs one simulation.</summary>
    /// <param name="plan">The plan of the simulation.</param>
    /// <param name="seed">The seed of all random numbers.</param>
    /// <param name="replication">Which replication; each has random numbers of its own.</param>
    /// <param name="observer">Sees what clients publish and get.</param>
    /// <returns>When something happened at which node, in order of time: where a crash can make a difference.</returns>
    public static IReadOnlyList<PipelineStepTime> Run(
        PipelinePlan plan,
        ulong seed,
        ulong replication,
        IClusterEventSink observer
    )
    {
        var simulation = new PipelineSimulation(plan, seed, replication, observer);
        foreach (var broker in simulation._brokers)
            broker.Start();
        foreach (var step in plan.Steps)
            simulation.Schedule(step.AtNanoseconds, () => simulation.Do(step));
        simulation.Go();
        return simulation._stepTimes;
    }

    private void Go()
    {
        while (_events.TryDequeue(out var next, out var key) && key.At <= _plan.DurationNanoseconds)
        {
            _now = key.At;
            next();
        }
    }

    private void Schedule(long at, Action action) => _events.Enqueue(action, (at, _order++));

    // The plans of a process end with it.
    private void ScheduleAt(PipelineNode node, long at, Action action)
    {
        var incarnation = node.Incarnation;
        Schedule(
            at,
            () =>
            {
                if (!node.IsAlive || node.Incarnation != incarnation)
                    return;
                _stepTimes.Add(new PipelineStepTime(node.Index, _now));
                action();
            }
        );
    }

    private long Draw(Law milliseconds) => (long)Math.Round(1e6 * milliseconds.Draw(ref _random));

    private void Do(in SimulationStep step)
    {
        switch (step.Kind)
        {
            case SimulationStepKind.Publish when _byNode[step.Node] is { IsAlive: true } broker:
                var message = new PipelineMessage(_messages++, step.Topic, (int)step.Qos);
                Observe(ClusterEventKind.Published, step.Node, step.Client, message.Id, step.Topic, message.Qos);
                broker.Core.Publish(step.Client, message);
                break;
            case SimulationStepKind.Subscribe:
                Subscribe(step);
                break;
            case SimulationStepKind.Unsubscribe:
                Unsubscribe(step);
                break;
            case SimulationStepKind.Leave when _clients.TryGetValue(step.Client, out var leaving):
                Leave(leaving);
                break;
            case SimulationStepKind.Return when _clients.TryGetValue(step.Client, out var returning):
                returning.IsAway = false;
                Connect(returning);
                break;
            case SimulationStepKind.FaultBegins or SimulationStepKind.FaultEnds:
                if (step.EndsProcess)
                    Kill(step.Node);
                else
                    Restart(step.Node);
                break;
        }
    }

    private void Subscribe(in SimulationStep step)
    {
        // A client that subscribes again keeps what it has.
        if (_clients.ContainsKey(step.Client))
            return;
        var client = _clients[step.Client] = new PipelineClient(step.Client, step.Node, step.Topic, (int)step.Qos);
        _kept.SetLast(client.Number, _plan.LastPacketId);
        _subscribers.Clear();
        Observe(ClusterEventKind.Subscribed, step.Node, step.Client, -1, step.Topic, client.Qos);
        Connect(client);
    }

    private void Unsubscribe(in SimulationStep step)
    {
        if (!_clients.Remove(step.Client, out var client))
            return;
        _subscribers.Clear();
        if (client.Node >= 0)
            _byNode[client.Node].Core.Disconnect(client.Number);
        Observe(ClusterEventKind.Unsubscribed, step.Node, step.Client, -1, step.Topic, 0);
    }

    private void Leave(PipelineClient client)
    {
        client.IsAway = true;
        if (client.Node < 0)
            return;
        _byNode[client.Node].Core.Disconnect(client.Number);
        client.Node = -1;
    }

    // A client whose broker is gone waits for it, or takes the next one that runs.
    private void Connect(PipelineClient client)
    {
        if (client.Node >= 0 || client.IsAway)
            return;
        var from = Array.FindIndex(_brokers, broker => broker.Index == client.Home);
        var tried = _plan.Return == ClientReturn.Next ? _brokers.Length : 1;
        for (var step = 0; step < tried; step++)
        {
            var broker = _brokers[(from + step) % _brokers.Length];
            if (!broker.IsAlive)
                continue;
            client.Node = broker.Index;
            client.Connection++;
            broker.Core.Connect(client.Number, _plan.ArePersistent);
            broker.ArmTimer();
            return;
        }
    }

    private void ConnectLater(IEnumerable<PipelineClient> clients)
    {
        foreach (var client in clients.ToList())
            Schedule(
                _now + _plan.Times.ReturnNanoseconds,
                () =>
                {
                    if (_clients.GetValueOrDefault(client.Number) == client)
                        Connect(client);
                }
            );
    }

    private IReadOnlyList<PipelineSubscriber> SubscribersOf(string topic)
    {
        if (!_subscribers.TryGetValue(topic, out var list))
            _subscribers[topic] = list = [
                .. _clients
                    .Values.Where(client => TopicFilter.Matches(client.Filter, topic))
                    .Select(client => new PipelineSubscriber(client.Number, _plan.ArePersistent, client.Qos)),
            ];
        return list;
    }

    private void Kill(int node)
    {
        var process = _processes[node];
        if (!process.IsAlive)
            return;
        process.IsAlive = false;
        process.Incarnation++;
        ObserveKill(ClusterEventKind.FaultBegan, node);
        KillStore(process);
        if (process == _log)
            _waitingPolls.Clear();
        if (process is not BrokerSide broker)
            return;
        broker.Stop();
        var gone = _clients.Values.Where(client => client.Node == node).ToList();
        foreach (var client in gone)
            client.Node = -1;
        if (_plan.Return == ClientReturn.Next)
            ConnectLater(gone);
    }

    private void Restart(int node)
    {
        var process = _processes[node];
        if (process.IsAlive)
            return;
        process.IsAlive = true;
        ObserveKill(ClusterEventKind.FaultEnded, node);
        if (process == _log)
        {
            foreach (var broker in _brokers.Where(broker => broker.IsAlive))
                broker.SendAgain();
        }
        if (process is not BrokerSide restarted)
            return;
        restarted.Start();
        ConnectLater(_clients.Values.Where(client => client.Node < 0));
    }

    private void Observe(ClusterEventKind kind, int node, int client, long message, string topic, int qos) =>
        _observer.Add(
            new ClusterEvent
            {
                Nanoseconds = _now,
                Kind = kind,
                Node = node,
                Client = client,
                Message = message,
                Topic = topic,
                Qos = qos,
            }
        );

    private void ObserveKill(ClusterEventKind kind, int node) =>
        _observer.Add(
            new ClusterEvent
            {
                Nanoseconds = _now,
                Kind = kind,
                Node = node,
                Fault = FaultKind.Kill,
            }
        );

    private void ObserveRequest(int node, PipelineNode to, int bytes) =>
        _observer.Add(
            new ClusterEvent
            {
                Nanoseconds = _now,
                Kind = ClusterEventKind.Sent,
                Node = node,
                Peer = to.Index,
                Bytes = bytes,
            }
        );
}
