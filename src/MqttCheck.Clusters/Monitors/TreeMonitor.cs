using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Statistics.Laws;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// Judges the tree of a cluster from the notes of its nodes. I4: some time after the last fault the members that reach
/// each other name one live root, and the links in use form a tree of them. I5: the root is the fittest member, and no
/// path costs much more than the cheapest. I7: the root changes only after a fault.
/// </summary>
/// <remarks>
/// Events come in order of time. Each node on the cheapest path may be content with a tenth, or a millisecond, more
/// than the best, since nodes leave small differences alone. After a fault they may also measure each link a tenth
/// wrong. This is judged while delays are constant, so that costs are known: those that links have at the time, and not
/// those that they had once.
/// </remarks>
/// <param name="topology">The cluster.</param>
/// <param name="boundNanoseconds">How long after a fault the tree may be wrong (B), positive.</param>
/// <param name="absent">Nodes that do not run from the start; null for none.</param>
/// <param name="startNanoseconds">When the run begins; the tree may be wrong for B after that, too.</param>
/// <param name="judgesCosts">
/// Whether paths are compared with the delays of links: not where nodes measure what processes take, too.
/// </param>
/// <param name="judgesFitness">
/// Whether the root must be the fittest node and stay: not where machines decide how fit nodes are.
/// </param>
/// <param name="decides">Whether a violation counts: not where only the state of the tree is asked for.</param>
internal sealed class TreeMonitor(
    Topology topology,
    long boundNanoseconds,
    IReadOnlySet<int>? absent = null,
    long startNanoseconds = 0,
    bool judgesCosts = true,
    bool judgesFitness = true,
    bool decides = true
) : ClusterMonitor(int.MaxValue)
{
    private const int Root = 1;
    private const int Designated = 2;
    private const long Millisecond = 1_000_000;
    private const long CalmNanoseconds = 1_000_000_000;
    private const int CostPeriods = 24;

    private long _lastFault = startNanoseconds;
    private long _lastChange;
    private bool _hadFault;

    /// <inheritdoc/>
    public override string Name => "tree links";

    /// <inheritdoc/>
    public override bool Decides { get; } = decides;

    /// <summary>
    /// How long after a fault nodes may still measure other costs than links have, in nanoseconds: 24 T_k.
    /// </summary>
    /// <remarks>
    /// A round trip that began before a change of the delay and ended after it lies between both. A node may take it
    /// for the new one. It then is wrong by a factor of two at most, because another outlier would correct it. Each
    /// later round trip takes an eighth of the error away, so that 18 bring it below a tenth. Until the second outlier
    /// four have passed.
    /// </remarks>
    /// <param name="topology">The cluster.</param>
    internal static long CostBound(Topology topology) => (long)(CostPeriods * 1e9 * topology.KeepAliveSeconds);

    /// <summary>The tree as the nodes have reported it last.</summary>
    internal TreeState State { get; } = new TreeState(topology, absent);

    /// <summary>Whether so much time has passed since the last fault that the tree must be right.</summary>
    /// <param name="nanoseconds">The time.</param>
    public bool IsSettled(long nanoseconds) => nanoseconds >= _lastFault + boundNanoseconds;

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        ref readonly var e = ref clusterEvent;
        switch (e.Kind)
        {
            case ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded:
                if (IsSettled(e.Nanoseconds))
                    Judge(e.Nanoseconds);
                (_lastFault, _hadFault) = (e.Nanoseconds, true);
                break;
            case ClusterEventKind.RootChanged when judgesFitness && IsSettled(e.Nanoseconds) && State.IsMember(e.Node):
                Report(
                    e.Nanoseconds,
                    $"{NameOf(e.Node)} takes {NameOf(e.Peer)} for the root, long after the last fault",
                    "stable root"
                );
                _lastChange = e.Nanoseconds;
                break;
            case ClusterEventKind.RootChanged or ClusterEventKind.ParentChanged or ClusterEventKind.RoleChanged:
                _lastChange = e.Nanoseconds;
                break;
            default:
                return;
        }
        State.Observe(e);
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        if (IsSettled(nanoseconds))
            Judge(nanoseconds);
    }

    private void Judge(long now)
    {
        State.FindComponents();
        for (var first = 0; first < State.Count; first++)
        {
            if (State.ComponentOf(first) != first)
                continue;
            int[] members = [.. Enumerable.Range(0, State.Count).Where(node => State.ComponentOf(node) == first)];
            // A node on its way to another parent is in no order for a moment.
            if (JudgeRoot(members, now) && now - _lastChange >= CalmNanoseconds)
                JudgeTree(members, now);
        }
    }

    private bool JudgeRoot(int[] members, long now)
    {
        foreach (var node in members)
        {
            var root = State.Roots[node];
            if (root < 0 || !State.IsMember(root))
                return Report(
                    now,
                    $"{NameOf(node)} takes {NameOf(root)} for the root, which does not run",
                    "root agreement"
                );
            if (!members.Contains(root))
                return Report(
                    now,
                    $"{NameOf(node)} takes {NameOf(root)} for the root, which it cannot reach",
                    "root agreement"
                );
            if (root != State.Roots[members[0]])
                return Report(
                    now,
                    $"{NameOf(members[0])} takes {NameOf(State.Roots[members[0]])} for the root, "
                        + $"{NameOf(node)} takes {NameOf(root)}",
                    "root agreement"
                );
        }
        var best = members.OrderByDescending(node => topology.Nodes[node].Capability).ThenBy(node => node).First();
        var named = State.Roots[members[0]];
        return named == best
            || !judgesFitness
            || Report(now, $"the root is {NameOf(named)}, and {NameOf(best)} is fitter", "fittest root");
    }

    private void JudgeTree(int[] members, long now)
    {
        var root = State.Roots[members[0]];
        foreach (var node in members)
        {
            var parent = State.Parents[node];
            if (node == root)
            {
                if (parent >= 0)
                    Report(now, $"the root {NameOf(node)} has the parent {NameOf(parent)}");
                continue;
            }
            if (parent < 0 || !members.Contains(parent) || !State.AreLinked(node, parent))
            {
                Report(now, $"{NameOf(node)} has the parent {NameOf(parent)}, which is no neighbour that it reaches");
                return;
            }
            if (State.Role(node, parent) != Root || State.Role(parent, node) != Designated)
                Report(now, $"{NameOf(node)} has the parent {NameOf(parent)}, which does not send to it");
        }
        var used = (
            from a in members
            from b in members
            where a < b && State.AreLinked(a, b) && State.Role(a, b) != 0 && State.Role(b, a) != 0
            select (a, b)
        ).Count();
        if (used != members.Length - 1)
            Report(now, Invariant($"{used} links are in use among {members.Length} nodes, which is no tree"));
        JudgePaths(members, root, now);
    }

    private void JudgePaths(int[] members, int root, long now)
    {
        var knowsCosts = judgesCosts && State.KnowsCosts && now >= _lastFault + CostBound(topology);
        var shortest = knowsCosts ? State.ShortestPaths(root, cost => cost, cost => cost) : [];
        var kept = knowsCosts ? State.ShortestPaths(root, Measured, Kept) : [];
        foreach (var node in members)
        {
            var (hops, used) = (0, 0.0);
            for (var at = node; at != root; at = State.Parents[at])
            {
                if (++hops > members.Length)
                {
                    Report(now, $"the parents of {NameOf(node)} form a loop");
                    return;
                }
                used += knowsCosts ? State.RoundTrip(at, State.Parents[at]) : 0;
            }
            if (!knowsCosts)
                continue;
            var allowed = Allowed(kept[node], hops);
            // The tolerance of 0.01 ms exceeds the time for which packets queue on a link.
            if (Math.Max(used, State.Costs[node] / (double)Millisecond) > allowed + 0.01)
                Report(
                    now,
                    Invariant($"the path of {NameOf(node)} costs {used:0.###} ms, ")
                        + Invariant($"{State.Costs[node] / 1e6:0.###} ms by its own measure; ")
                        + Invariant(
                            $"the cheapest costs {shortest[node]:0.###} ms, so at most {allowed:0.###} is right"
                        ),
                    "path cost"
                );
        }
    }

    // A cost that was measured stays until a round trip is a tenth of it, or a millisecond, away. Before the first
    // fault costs are exact.
    private double Measured(double roundTrip) => _hadFault ? Math.Max(roundTrip / 0.9, roundTrip + 1) : roundTrip;

    // A node keeps a parent as long as the path is a tenth, or a millisecond, above the best one.
    private static double Kept(double cost) => Math.Max(cost / 0.9, cost + 1);

    private double Allowed(double measured, int hops) =>
        _hadFault ? Math.Max(1.1 * measured, measured + hops) : measured;

    private string NameOf(int node) => node < 0 ? "nobody" : topology.Nodes[node].Name;
}
