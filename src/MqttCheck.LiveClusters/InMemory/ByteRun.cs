using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Nodes;
using MqttCheck.Statistics;

namespace MqttCheck.LiveClusters.InMemory;

/// <summary>One run of a cluster at the level of bytes.</summary>
internal sealed partial class ByteRun : IDisposable
{
    private readonly SimulationPlan _plan;
    private readonly IClusterEventSink? _observer;
    private readonly Topology _topology;
    private readonly SubscriptionTable _subscriptions;
    private readonly (int Node, int Client)[] _clientPlaces;
    private readonly MemoryWire _wire = new(new WireOptions(), latency: default, pieces: null);
    private readonly ByteLinks _links;
    private readonly ByteAgenda _agenda;
    private readonly NodeState[] _nodes;
    private readonly Queue<ByteProcess> _continuing = new();
    private long _nextNumber;
    private int _nextStep;
    private SimulationTotals _totals;

    /// <summary>A run that has not begun.</summary>
    public ByteRun(SimulationPlan plan, IClusterEventSink? observer, ulong seed, ulong replication)
    {
        (_plan, _observer, _topology) = (plan, observer, plan.Topology);
        _subscriptions = new SubscriptionTable(plan.Steps, _topology.Nodes.Count);
        _clientPlaces =
        [
            .. plan
                .Steps.Where(step =>
                    step.Kind
                        is SimulationStepKind.Publish
                            or SimulationStepKind.Subscribe
                            or SimulationStepKind.Unsubscribe
                )
                .Select(step => (step.Node, step.Client))
                .Distinct(),
        ];
        _links = new ByteLinks(
            _wire,
            _topology,
            node => _nodes![node].Process is not null,
            Arrived,
            (link, time) => _agenda!.Arm(link, time)
        );
        _agenda = new ByteAgenda(_wire, _links.Count + 1, Happen);
        _links.Reset(seed, replication);
        _nodes =
        [
            .. Enumerable
                .Range(0, _topology.Nodes.Count)
                .Select(node => new NodeState(RandomStream.For(seed, replication, (ulong)(_links.Count + node)))),
        ];
    }

    /// <summary>Runs from its start to its end.</summary>
    public SimulationTotals Run()
    {
        for (var node = 0; node < _nodes.Length; node++)
            if (!_plan.Absent.Contains(node))
                StartNode(node);
        if (_plan.Steps.Count > 0)
            _agenda.Arm(_links.Count, _plan.Steps[0].AtNanoseconds);
        _wire.At(_plan.DurationNanoseconds, _wire.Stop);
        _wire.Run();
        return _totals;
    }

    public void Dispose() => _wire.Dispose();

    /// <summary>A node's protocol has decided something.</summary>
    public void Note(int node, in ClusterNote note)
    {
        if (note.Kind == ClusterNoteKind.Drop)
            _totals.Dropped++;
        _observer?.Add(NodeNote.ToEvent(node, note, _wire.NowNanoseconds));
    }

    /// <summary>A message was given to a link, or has come over one.</summary>
    public void Pass(ClusterEventKind kind, int node, int peer, in RoutedMessage message)
    {
        if (kind == ClusterEventKind.Sent)
            _totals.DataPublishes++;
        Observe(
            kind,
            node,
            peer,
            message: ByteClient.NumberOf(message.Content!.Payload),
            topic: message.Topic,
            qos: (int)message.Qos
        );
    }

    // Links have the first slots, and the plan has the last one.
    private bool Happen(int slot)
    {
        if (slot < _links.Count)
            return _links.Happen(slot);
        Take(_plan.Steps[_nextStep++]);
        // All steps of one instant come before the events that wait on links and at nodes.
        if (_nextStep < _plan.Steps.Count && _plan.Steps[_nextStep].AtNanoseconds <= _wire.NowNanoseconds)
            return true;
        while (_continuing.TryDequeue(out var process))
            process.Continue();
        if (_nextStep < _plan.Steps.Count)
            _agenda.Arm(slot, _plan.Steps[_nextStep].AtNanoseconds);
        return false;
    }

    private void Arrived()
    {
        _totals.Packets++;
        if (_totals.Packets <= _plan.MostPackets)
            return;
        _totals.IsCutShort = true;
        _wire.Stop();
    }

    private void StartNode(int node)
    {
        var state = _nodes[node];
        if (state.Process is not null)
            return;
        var process = new ByteProcess(_wire);
        (state.Process, state.IsFrozen, state.IsLeaving, state.StartsAgain) = (process, false, false, false);
        state.Host = new ByteNode(
            process,
            new NodeOptions
            {
                Topology = _topology,
                Node = node,
                Address = ByteLinks.AddressOfNode(node),
                Peers = _links.PeersOf(node),
                Incarnation = state.Random.NextUInt64(),
            },
            _plan.Core,
            this
        );
        state.Host.Start();
        foreach (var (_, number) in _clientPlaces.Where(place => place.Node == node))
        {
            var client = new ByteClient(
                number,
                (kind, message, topic, qos) => See(node, number, kind, message, topic, qos)
            );
            state.Clients[number] = client;
            _wire.Connect(new WireEndpoint(ByteLinks.AddressOfNode(node)), client);
        }
        for (var place = 0; place < _subscriptions.All.Length; place++)
            if (_subscriptions.All[place].Node == node && _subscriptions.IsWanted(place))
                Subscribe(place);
    }

    private void Leave(int node)
    {
        var state = _nodes[node];
        state.IsLeaving = true;
        DropClients(node);
        var (wasFrozen, hasLeft) = (state.IsFrozen, false);
        state.IsFrozen = false;
        state.Host!.Leave(() =>
        {
            hasLeft = true;
            // The last packets of the node need a round of the wire to reach the links.
            _wire.At(0, () => _wire.At(0, () => End(node)));
        });
        // SIGTERM wakes a process that is suspended.
        if (wasFrozen && !hasLeft)
            _continuing.Enqueue(state.Process!);
    }

    private void End(int node)
    {
        var startsAgain = _nodes[node].StartsAgain;
        KillNode(node);
        if (startsAgain)
            Restart(node);
    }

    private void Restart(int node)
    {
        Observe(ClusterEventKind.FaultEnded, node, fault: FaultKind.Kill);
        StartNode(node);
    }

    private void DropClients(int node)
    {
        for (var place = 0; place < _subscriptions.All.Length; place++)
            if (_subscriptions.All[place].Node == node && _subscriptions.IsActive(place))
                EndSubscription(place);
        foreach (var client in _nodes[node].Clients.Values)
            client.Drop();
        _nodes[node].Clients.Clear();
    }

    private void KillNode(int node)
    {
        var state = _nodes[node];
        DropClients(node);
        (state.IsLeaving, state.StartsAgain) = (false, false);
        var process = state.Process!;
        state.Process = null;
        _links.ProcessEnded(node);
        process.Kill();
    }

    private void Subscribe(int place)
    {
        ref readonly var subscriber = ref _subscriptions.All[place];
        _nodes[subscriber.Node].Clients[subscriber.Client].Subscribe(subscriber.Filter, subscriber.Qos);
    }

    private void EndSubscription(int place)
    {
        ref readonly var subscriber = ref _subscriptions.All[place];
        _subscriptions.IsActive(place) = false;
        Observe(
            ClusterEventKind.Unsubscribed,
            subscriber.Node,
            client: subscriber.Client,
            topic: subscriber.Filter,
            qos: (int)subscriber.Qos
        );
    }

    private void See(int node, int client, ClusterEventKind kind, long message, string topic, int qos)
    {
        var place = topic.Length > 0 ? _subscriptions.Find(client, topic) : -1;
        switch (kind)
        {
            case ClusterEventKind.Subscribed:
                _subscriptions.IsActive(place) = true;
                break;
            case ClusterEventKind.Unsubscribed:
                EndSubscription(place);
                return;
            case ClusterEventKind.Delivered:
                _totals.Delivered++;
                break;
        }
        Observe(kind, node, client: client, message: message, topic: topic, qos: qos);
    }

    private void Observe(
        ClusterEventKind kind,
        int node,
        int peer = -1,
        int client = -1,
        long message = -1,
        string topic = "",
        int qos = 0,
        FaultKind fault = FaultKind.None
    ) =>
        _observer?.Add(
            new ClusterEvent
            {
                Nanoseconds = _wire.NowNanoseconds,
                Kind = kind,
                Node = node,
                Peer = peer,
                Client = client,
                Message = message,
                Topic = topic,
                Qos = qos,
                Fault = fault,
            }
        );

    private sealed class NodeState(RandomStream random)
    {
        /// <summary>The stream of its incarnations.</summary>
        public RandomStream Random = random;

        /// <summary>The present process; null while none runs.</summary>
        public ByteProcess? Process { get; set; }

        /// <summary>The host of the node, which acts only while the process lives.</summary>
        public NodeHost? Host { get; set; }

        public bool IsFrozen { get; set; }

        /// <summary>Whether it has dismissed its clients and its process ends soon.</summary>
        public bool IsLeaving { get; set; }

        /// <summary>Whether its process is to start again as soon as it has ended.</summary>
        public bool StartsAgain { get; set; }

        /// <summary>Whether clients are served.</summary>
        public bool Serves => Process is not null && !IsLeaving;

        /// <summary>Its clients by their numbers.</summary>
        public Dictionary<int, ByteClient> Clients { get; } = [];
    }
}
