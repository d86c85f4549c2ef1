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
internal sealed partial class ByteRun : SimulatedRun<ByteRun.NodeState>, IDisposable
{
    private readonly Topology _topology;
    private readonly (int Node, int Client)[] _clientPlaces;
    private readonly MemoryWire _wire = new(new WireOptions(), latency: default, pieces: null);
    private readonly ByteLinks _links;
    private readonly ByteAgenda _agenda;
    private readonly Queue<ByteProcess> _continuing = new();
    private int _nextStep;

    /// <summary>A run that has not begun.</summary>
    public ByteRun(SimulationPlan plan, IClusterEventSink? observer, ulong seed, ulong replication)
        : base(plan, observer)
    {
        _topology = plan.Topology;
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
            node => Nodes[node].IsAlive,
            Arrived,
            (link, time) => _agenda!.Arm(link, time)
        );
        _agenda = new ByteAgenda(_wire, _links.Count + 1, Happen);
        _links.Reset(seed, replication);
        Nodes =
        [
            .. Enumerable
                .Range(0, _topology.Nodes.Count)
                .Select(node => new NodeState(node, RandomStream.For(seed, replication, (ulong)(_links.Count + node)))),
        ];
    }

    /// <summary>Runs from its start to its end.</summary>
    public SimulationTotals Run()
    {
        for (var node = 0; node < Nodes.Length; node++)
            if (!Plan.Absent.Contains(node))
                StartNode(Nodes[node]);
        if (Plan.Steps.Count > 0)
            _agenda.Arm(_links.Count, Plan.Steps[0].AtNanoseconds);
        _wire.At(Plan.DurationNanoseconds, _wire.Stop);
        _wire.Run();
        return Traffic;
    }

    public void Dispose() => _wire.Dispose();

    protected override long Now => _wire.NowNanoseconds;

    /// <summary>A message was given to a link, or has come over one.</summary>
    public void Pass(ClusterEventKind kind, int node, int peer, in RoutedMessage message)
    {
        if (kind == ClusterEventKind.Sent)
            Traffic.DataPublishes++;
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
        Take(Plan.Steps[_nextStep++]);
        // All steps of one instant come before the events that wait on links and at nodes.
        if (_nextStep < Plan.Steps.Count && Plan.Steps[_nextStep].AtNanoseconds <= _wire.NowNanoseconds)
            return true;
        while (_continuing.TryDequeue(out var process))
            process.Continue();
        if (_nextStep < Plan.Steps.Count)
            _agenda.Arm(slot, Plan.Steps[_nextStep].AtNanoseconds);
        return false;
    }

    private void Arrived()
    {
        Traffic.Packets++;
        if (Traffic.Packets <= Plan.MostPackets)
            return;
        Traffic.IsCutShort = true;
        _wire.Stop();
    }

    protected override void StartNode(NodeState node)
    {
        if (node.IsAlive)
            return;
        var process = new ByteProcess(_wire);
        (node.Process, node.IsAlive, node.IsFrozen) = (process, true, false);
        (node.IsLeaving, node.StartsAgain) = (false, false);
        node.Host = new ByteNode(
            process,
            new NodeOptions
            {
                Topology = _topology,
                Node = node.Index,
                Address = ByteLinks.AddressOfNode(node.Index),
                Peers = _links.PeersOf(node.Index),
                Incarnation = node.Random.NextUInt64(),
            },
            Plan.Core,
            this
        );
        node.Host.Start();
        foreach (var (_, number) in _clientPlaces.Where(place => place.Node == node.Index))
        {
            var client = new ByteClient(
                number,
                (kind, message, topic, qos) => See(node.Index, number, kind, message, topic, qos)
            );
            node.Clients[number] = client;
            _wire.Connect(new WireEndpoint(ByteLinks.AddressOfNode(node.Index)), client);
        }
        for (var place = 0; place < Subscriptions.All.Length; place++)
            if (Subscriptions.All[place].Node == node.Index && Subscriptions.IsWanted(place))
                Subscribe(node, place);
    }

    protected override void Leave(NodeState node)
    {
        var wasFrozen = node.IsFrozen;
        if (wasFrozen)
            Wake(node);
        Observe(ClusterEventKind.FaultBegan, node.Index, fault: FaultKind.Stop);
        node.IsLeaving = true;
        DropClients(node);
        var hasLeft = false;
        node.Host!.Leave(() =>
        {
            hasLeft = true;
            // The last packets of the node need a round of the wire to reach the links.
            _wire.At(0, () => _wire.At(0, () => End(node)));
        });
        // SIGTERM wakes a process that is suspended.
        if (wasFrozen && !hasLeft)
            CatchUp(node);
    }

    protected override void KillNode(NodeState node)
    {
        DropClients(node);
        (node.IsAlive, node.IsLeaving, node.StartsAgain) = (false, false, false);
        _links.ProcessEnded(node.Index);
        node.Process!.Kill();
    }

    private void DropClients(NodeState node)
    {
        for (var place = 0; place < Subscriptions.All.Length; place++)
            if (Subscriptions.All[place].Node == node.Index && Subscriptions.IsActive(place))
                EndSubscription(place);
        foreach (var client in node.Clients.Values)
            client.Drop();
        node.Clients.Clear();
    }

    private void See(int node, int client, ClusterEventKind kind, long message, string topic, int qos)
    {
        var place = topic.Length > 0 ? Subscriptions.Find(client, topic) : -1;
        switch (kind)
        {
            case ClusterEventKind.Subscribed:
                Subscriptions.IsActive(place) = true;
                break;
            case ClusterEventKind.Unsubscribed:
                EndSubscription(place);
                return;
            case ClusterEventKind.Delivered:
                Traffic.Delivered++;
                break;
        }
        Observe(kind, node, client: client, message: message, topic: topic, qos: qos);
    }

    /// <summary>A node with its process and its clients.</summary>
    internal sealed class NodeState : RunNode
    {
        public NodeState(int index, RandomStream random)
            : base(index) => Random = random;

        public ByteProcess? Process { get; set; }

        public NodeHost? Host { get; set; }

        public Dictionary<int, ByteClient> Clients { get; } = [];
    }
}
