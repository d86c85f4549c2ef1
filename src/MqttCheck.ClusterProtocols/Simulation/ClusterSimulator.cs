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
internal sealed partial class ClusterSimulator : SimulatedRun<SimulatedNode>
{
    private const long BroadcastNanoseconds = 1_000_000;

    private readonly SimulatedLink[] _links;
    private readonly int[] _linkBetween;
    private readonly Dictionary<(int Origin, ulong Incarnation, long Counter), long> _numbers = [];
    private readonly Queue<(long At, int Sender, PeerMessage Message)> _broadcasts = new();
    private readonly long[] _armed;
    private readonly int[] _clients;
    private EventHeap _heap = new(64);
    private long _now;
    private int _nextStep;
    private bool _isOver;
    private IReadOnlyList<SimulationStep> _steps;

    /// <summary>A simulator of one plan.</summary>
    /// <param name="plan">The plan of the simulation.</param>
    /// <param name="observer">Who is told; null for nobody, which is faster.</param>
    /// <exception cref="ArgumentException">The steps are not in order of time.</exception>
    public ClusterSimulator(SimulationPlan plan, IClusterEventSink? observer = null)
        : base(plan, observer)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(plan.DurationNanoseconds, nameof(plan));
        for (var i = 1; i < plan.Steps.Count; i++)
            if (plan.Steps[i].AtNanoseconds < plan.Steps[i - 1].AtNanoseconds)
                throw new ArgumentException($"Step {i} happens before the one that comes before it.", nameof(plan));
        _steps = plan.Steps;
        var topology = plan.Topology;
        var count = topology.Nodes.Count;
        _clients = new int[count];
        Nodes = [.. topology.Nodes.Select((node, index) => new SimulatedNode(this, index, node.ServiceMilliseconds))];
        _links = new SimulatedLink[2 * topology.Links.Count];
        _linkBetween = new int[count * count];
        Array.Fill(_linkBetween, -1);
        for (var i = 0; i < topology.Links.Count; i++)
        {
            var link = topology.Links[i];
            AddLink(2 * i, link.From, link.To, link);
            AddLink((2 * i) + 1, link.To, link.From, link);
        }
        foreach (var node in Nodes)
        {
            node.Links = [.. Enumerable.Range(0, _links.Length).Where(link => _links[link].Source == node.Index)];
            node.Core = plan.Core(node.Index, [.. node.Links.Select(link => _links[link].Target)], node);
        }
        _armed = new long[(2 * _links.Length) + (2 * count) + 2];
    }

    /// <summary>The traffic of the last run.</summary>
    public SimulationTotals Totals => Traffic;

    protected override long Now => _now;

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
            if (time > Plan.DurationNanoseconds)
                break;
            _heap.RemoveFirst();
            if (_armed[first.Client] != time)
                continue;
            _armed[first.Client] = long.MaxValue;
            _now = time;
            Happen(first.Client);
        }
        return Traffic;
    }

    private void Begin(ulong seed, long replication, IReadOnlyList<SimulationStep>? steps)
    {
        _steps = steps ?? Plan.Steps;
        if (Plan.CountsClients)
            SimulationPlan.CountClients(_steps, _clients);
        _heap.Clear();
        Array.Fill(_armed, long.MaxValue);
        (_now, _nextStep, _isOver) = (0, 0, false);
        (NextNumber, Traffic) = (0, default);
        _numbers.Clear();
        _broadcasts.Clear();
        Subscriptions.Clear();
        for (var i = 0; i < _links.Length; i++)
            _links[i].Reset(seed, (ulong)replication, (ulong)i);
        foreach (var node in Nodes)
        {
            node.Random = RandomStream.For(seed, (ulong)replication, (ulong)(_links.Length + node.Index));
            node.Tasks.Clear();
            (node.IsAlive, node.IsFrozen) = (false, false);
            (node.IsLeaving, node.StartsAgain) = (false, false);
        }
        foreach (var node in Nodes)
            if (!Plan.Absent.Contains(node.Index))
                StartNode(node);
        if (_steps.Count > 0)
            Arm(StepSlot, _steps[0].AtNanoseconds);
    }

    // Each thing that can happen next has a slot. At most one entry of the heap counts: the one with its armed time.
    private int TimerSlot(int node) => _links.Length + node;

    private int ServiceSlot(int node) => _links.Length + Nodes.Length + node;

    private int NoticeSlot(int link) => _links.Length + (2 * Nodes.Length) + link;

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
        else if ((slot -= _links.Length) < Nodes.Length)
            TickNode(Nodes[slot]);
        else if ((slot -= Nodes.Length) < Nodes.Length)
            FinishTask(Nodes[slot]);
        else if ((slot -= Nodes.Length) < _links.Length)
            Notice(slot);
        else if (slot == _links.Length)
            HearBroadcasts();
        else
            TakeSteps();
    }

    private void AddLink(int index, int source, int target, TopologyLink link)
    {
        var added = new SimulatedLink(source, target, link);
        added.Hop = new PeerHop(target, Plan.Hop, Nodes[source]);
        _links[index] = added;
        _linkBetween[(source * Nodes.Length) + target] = index;
    }

    private int LinkIndex(SimulatedNode from, int peer) => _linkBetween[(from.Index * Nodes.Length) + peer];

    private void ObserveMessage(ClusterEventKind kind, int node, int peer, in RoutedMessage message, int bytes)
    {
        if (Observer is not null)
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
