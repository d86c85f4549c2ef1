using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Simulation;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>
/// A cluster in virtual time at the level of packets: the protocols of its nodes, links with delay, rate, loss and
/// faults, and a table of the clients' subscriptions.
/// </summary>
/// <remarks>
/// Not thread-safe: each thread has its own. A run depends on the plan, the seed and the replication alone, so its
/// trace is the same on any number of threads. After the first runs nothing is allocated.
/// </remarks>
internal sealed partial class ClusterSimulator
{
    private const long BroadcastNanoseconds = 1_000_000;

    private readonly SimulationPlan _plan;
    private readonly IClusterEventSink? _observer;
    private readonly SimulatedNode[] _nodes;
    private readonly SimulatedLink[] _links;
    private readonly int[] _linkBetween;
    private readonly SubscriptionTable _subscriptions;
    private readonly Dictionary<(int Origin, ulong Incarnation, long Counter), long> _numbers = [];
    private readonly Queue<(long At, int Sender, PeerMessage Message)> _broadcasts = new();
    private readonly long[] _armed;
    private EventHeap _heap = new(64);
    private long _now;
    private int _nextStep;
    private long _nextNumber;
    private bool _isOver;
    private IReadOnlyList<SimulationStep> _steps;
    private SimulationTotals _totals;

    /// <summary>A simulator of one plan.</summary>
    /// <param name="plan">The plan of the simulation.</param>
    /// <param name="observer">Who is told; null for nobody, which is faster.</param>
    /// <exception cref="ArgumentException">The steps are not in order of time.</exception>
    public ClusterSimulator(SimulationPlan plan, IClusterEventSink? observer = null)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(plan.DurationNanoseconds, nameof(plan));
        for (var i = 1; i < plan.Steps.Count; i++)
            if (plan.Steps[i].AtNanoseconds < plan.Steps[i - 1].AtNanoseconds)
                throw new ArgumentException($"Step {i} happens before the one that comes before it.", nameof(plan));
        (_plan, _observer, _steps) = (plan, observer, plan.Steps);
        var topology = plan.Topology;
        var count = topology.Nodes.Count;
        _nodes = [.. topology.Nodes.Select((node, index) => new SimulatedNode(this, index, node.ServiceMilliseconds))];
        _links = new SimulatedLink[2 * topology.Links.Count];
        _linkBetween = new int[count * count];
        Array.Fill(_linkBetween, -1);
        for (var i = 0; i < topology.Links.Count; i++)
        {
            var link = topology.Links[i];
            AddLink(2 * i, link.From, link.To, link);
            AddLink((2 * i) + 1, link.To, link.From, link);
        }
        foreach (var node in _nodes)
        {
            node.Links = [.. Enumerable.Range(0, _links.Length).Where(link => _links[link].Source == node.Index)];
            node.Core = plan.Core(node.Index, [.. node.Links.Select(link => _links[link].Target)], node);
        }
        _subscriptions = new SubscriptionTable(plan.Steps, count);
        _armed = new long[(2 * _links.Length) + (2 * count) + 2];
    }

    /// <summary>How many packets have arrived, and what they were, in the run so far.</summary>
    public SimulationTotals Totals => _totals;

    /// <summary>When a root, a parent or a role changed last, in nanoseconds.</summary>
    public long LastChangeNanoseconds { get; private set; }

    /// <summary>Whether a node's process runs.</summary>
    /// <param name="node">The index of the node.</param>
    public bool IsAlive(int node) => _nodes[node].IsAlive;

    /// <summary>The node that a node takes for the root; -1 while it does not run.</summary>
    /// <param name="node">The index of the node.</param>
    public int RootOf(int node) => _nodes[node].Root;

    /// <summary>The parent of a node; -1 for none.</summary>
    /// <param name="node">The index of the node.</param>
    public int ParentOf(int node) => _nodes[node].Parent;

    /// <summary>The cost of a node's path to the root, in nanoseconds.</summary>
    /// <param name="node">The index of the node.</param>
    public long PathCostOf(int node) => _nodes[node].PathCost;

    /// <summary>The number of the role that a node has given its link to a neighbour.</summary>
    internal int RoleOf(int node, int neighbour) => _links[_linkBetween[(node * _nodes.Length) + neighbour]].Role;

    /// <summary>Simulates one replication from its start to its end.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="replication">The number of the replication, from 0.</param>
    /// <param name="steps">
    /// The steps of this replication; null for the plan's steps. They subscribe and publish as the plan does.
    /// </param>
    /// <returns>The traffic that passed the links.</returns>
    public SimulationTotals Run(ulong seed, long replication, IReadOnlyList<SimulationStep>? steps = null)
    {
        Begin(seed, replication, steps);
        while (!_isOver && _heap.Count > 0)
        {
            var first = _heap.First;
            var time = (long)first.Time;
            if (time > _plan.DurationNanoseconds)
                break;
            _heap.RemoveFirst();
            if (_armed[first.Client] != time)
                continue;
            _armed[first.Client] = long.MaxValue;
            _now = time;
            Happen(first.Client);
        }
        return _totals;
    }

    private void Begin(ulong seed, long replication, IReadOnlyList<SimulationStep>? steps)
    {
        _steps = steps ?? _plan.Steps;
        _heap.Clear();
        Array.Fill(_armed, long.MaxValue);
        (_now, _nextStep, _nextNumber, _isOver, _totals) = (0, 0, 0, false, default);
        _numbers.Clear();
        _broadcasts.Clear();
        _subscriptions.Clear();
        LastChangeNanoseconds = 0;
        for (var i = 0; i < _links.Length; i++)
            _links[i].Reset(seed, (ulong)replication, (ulong)i);
        foreach (var node in _nodes)
        {
            node.Random = RandomStream.For(seed, (ulong)replication, (ulong)(_links.Length + node.Index));
            node.Tasks.Clear();
            (node.IsAlive, node.IsFrozen, node.Root) = (false, false, -1);
            (node.IsLeaving, node.StartsAgain) = (false, false);
        }
        foreach (var node in _nodes)
            if (!_plan.Absent.Contains(node.Index))
                StartNode(node);
        if (_steps.Count > 0)
            Arm(StepSlot, _steps[0].AtNanoseconds);
    }

    // Each thing that can happen next has a slot. At most one entry of the heap counts: the one with its armed time.
    private int TimerSlot(int node) => _links.Length + node;

    private int ServiceSlot(int node) => _links.Length + _nodes.Length + node;

    private int NoticeSlot(int link) => _links.Length + (2 * _nodes.Length) + link;

    private int StepSlot => _armed.Length - 1;

    private int BroadcastSlot => _armed.Length - 2;

    private void Arm(int slot, long time)
    {
        // Packets that a partition held up are long due when it ends.
        time = Math.Max(time, _now);
        if (time >= _armed[slot])
            return;
        _armed[slot] = time;
        _heap.Add(time, slot);
    }

    private void Happen(int slot)
    {
        if (slot < _links.Length)
            ArriveAll(slot);
        else if ((slot -= _links.Length) < _nodes.Length)
            TickNode(_nodes[slot]);
        else if ((slot -= _nodes.Length) < _nodes.Length)
            FinishTask(_nodes[slot]);
        else if ((slot -= _nodes.Length) < _links.Length)
            Notice(slot);
        else if (slot == _links.Length)
            HearBroadcasts();
        else
            TakeSteps();
    }

    private void AddLink(int index, int source, int target, TopologyLink link)
    {
        var added = new SimulatedLink(source, target, link);
        added.Hop = new PeerHop(target, _plan.Hop, _nodes[source]);
        _links[index] = added;
        _linkBetween[(source * _nodes.Length) + target] = index;
    }

    private int LinkIndex(SimulatedNode from, int peer) => _linkBetween[(from.Index * _nodes.Length) + peer];

    private void Observe(
        ClusterEventKind kind,
        int node,
        int peer = -1,
        int client = -1,
        long message = -1,
        string topic = "",
        int qos = 0,
        int bytes = 0,
        long value = 0,
        FaultKind fault = FaultKind.None
    ) =>
        _observer?.Add(
            new ClusterEvent
            {
                Nanoseconds = _now,
                Kind = kind,
                Node = node,
                Peer = peer,
                Client = client,
                Message = message,
                Topic = topic,
                Qos = qos,
                Bytes = bytes,
                Value = value,
                Fault = fault,
            }
        );

    private void ObserveMessage(ClusterEventKind kind, int node, int peer, in RoutedMessage message, int bytes)
    {
        if (_observer is not null)
            Observe(
                kind,
                node,
                peer,
                message: NumberOf(message),
                topic: message.Topic,
                qos: (int)message.Qos,
                bytes: bytes
            );
    }

    private long NumberOf(in RoutedMessage message) =>
        _numbers.GetValueOrDefault((message.Origin, message.Incarnation, message.Counter), -1);
}
