using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Statistics.Laws;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors.Cases;

/// <summary>
/// I4 in time: where a link or a process ends in a calm cluster, all members that still reach each other name one root
/// of them as soon as the messages have passed the links, and not only when timers have run out.
/// </summary>
/// <remarks>
/// <para>
/// Each end of a lost link raises the epoch, and states that to its neighbours. It has noticed the loss after the time
/// of one link (D). The last epoch has come to all members after their diameter (d) times D. It holds nothing that was
/// heard over the lost link, so the statement of the best root has passed from member to member after d more. So (2 d +
/// 1) D are enough.
/// </para>
/// <para>
/// With a normal law D is the mean and seven standard deviations. One of 7e11 packets takes longer, and hundreds of
/// packets count after a fault; that one of them is late does not even delay the root. So less than one in 1e9 cases is
/// a false alarm. Laws of other kinds, rates, losses and service times are not judged. Nor is a repair during which
/// something else happens.
/// </para>
/// </remarks>
/// <param name="topology">The cluster; its rules are <see cref="TreeRules.Safe"/>.</param>
/// <param name="boundNanoseconds">How long after a fault the tree may be wrong: after that it is calm.</param>
/// <param name="absent">Nodes that do not run from the start.</param>
internal sealed class RepairMonitor(Topology topology, long boundNanoseconds, IReadOnlySet<int> absent) : ClusterMonitor
{
    private const double Deviations = 7;

    private readonly TreeState _state = new(topology, absent);
    private readonly double _slowest = topology.Links.Select(Slowest).DefaultIfEmpty(double.NaN).Max();
    private long _lastFault;
    private (long At, long Due)? _repair;
    private string _what = "";

    /// <inheritdoc/>
    public override string Name => "repair in time";

    /// <summary>Whether a bound is known: the cluster builds a tree by epochs, and its links have such laws.</summary>
    /// <param name="topology">The cluster.</param>
    public static bool Judges(Topology topology) =>
        topology is { System: ClusterSystem.SpanningTree, Rules: TreeRules.Safe }
        && topology.Nodes.All(node => node.ServiceMilliseconds is null)
        && topology.Links.All(link => !double.IsNaN(Slowest(link)));

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        ref readonly var e = ref clusterEvent;
        if (_repair is { } repair && e.Nanoseconds > repair.Due)
            Judge(repair.At, repair.Due);
        if (e.Kind is ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded)
        {
            _state.Observe(e);
            var isCalm = e.Nanoseconds >= _lastFault + boundNanoseconds;
            _lastFault = e.Nanoseconds;
            _repair = null;
            // Another delay is not noticed by an epoch, and one that begins or ends makes the bound another one.
            if (e.Kind == ClusterEventKind.FaultBegan && isCalm && e.Fault is FaultKind.Cut or FaultKind.Kill)
                Expect(e);
        }
        else
            _state.Observe(e);
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        if (_repair is { } repair && nanoseconds > repair.Due)
            Judge(repair.At, repair.Due);
    }

    private static double Slowest(TopologyLink link) =>
        link switch
        {
            { BitsPerSecond: not null } or { Loss: > 0 } => double.NaN,
            { DelayMilliseconds: ConstantLaw law } => law.Value,
            { DelayMilliseconds: NormalLaw law } => law.Location + (Deviations * law.Sigma),
            _ => double.NaN,
        };

    private void Expect(in ClusterEvent fault)
    {
        if (_state.IsSlowed)
            return;
        _state.FindComponents();
        var diameter = _state.LongestDistance();
        _what = fault.Peer >= 0 ? $"the link {Of(fault.Node)}-{Of(fault.Peer)}" : Of(fault.Node);
        _repair = (fault.Nanoseconds, fault.Nanoseconds + (long)(((2 * diameter) + 1) * _slowest * 1e6));
    }

    private void Judge(long at, long due)
    {
        _repair = null;
        _state.FindComponents();
        for (var node = 0; node < _state.Count; node++)
        {
            var component = _state.ComponentOf(node);
            if (component < 0)
                continue;
            var root = _state.Roots[node];
            if (root >= 0 && _state.ComponentOf(root) == component && root == _state.Roots[component])
                continue;
            Report(
                due,
                Invariant(
                    $"{(due - at) / 1e6:0.#} ms after {_what} was lost {Of(node)} takes {Of(root)} for the root; "
                ) + "by then the messages have told every node of the new one"
            );
            return;
        }
    }

    private string Of(int node) => node < 0 ? "nobody" : topology.Nodes[node].Name;
}
