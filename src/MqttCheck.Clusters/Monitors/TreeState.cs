using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.Clusters.Monitors;

/// <summary>The tree as the nodes report it, and which nodes and links can be used.</summary>
internal sealed class TreeState
{
    private readonly Topology _topology;
    private readonly bool[] _isDown;
    private readonly bool[] _isFrozen;
    private readonly int[] _outages;
    private readonly int[] _linkBetween;
    private readonly int[] _roles;
    private readonly int[] _component;

    /// <param name="topology">The cluster.</param>
    /// <param name="absent">Nodes that do not run from the start; null for none.</param>
    public TreeState(Topology topology, IReadOnlySet<int>? absent = null)
    {
        _topology = topology;
        var count = topology.Nodes.Count;
        (_isDown, _isFrozen, _component) = (new bool[count], new bool[count], new int[count]);
        (Roots, Parents, Costs) = (new int[count], new int[count], new long[count]);
        _outages = new int[topology.Links.Count];
        _roles = new int[count * count];
        _linkBetween = new int[count * count];
        Array.Fill(_linkBetween, -1);
        for (var link = 0; link < topology.Links.Count; link++)
        {
            var (from, to) = (topology.Links[link].From, topology.Links[link].To);
            _linkBetween[(from * count) + to] = _linkBetween[(to * count) + from] = link;
        }
        foreach (var node in absent ?? new HashSet<int>())
            _isDown[node] = true;
        Array.Fill(Roots, -1);
        Array.Fill(Parents, -1);
    }

    public int[] Roots { get; }

    public int[] Parents { get; }

    /// <summary>The path costs in nanoseconds.</summary>
    public long[] Costs { get; }

    public int Count => Roots.Length;

    public bool IsMember(int node) => !_isDown[node] && !_isFrozen[node];

    /// <summary>Whether some link takes nothing at present.</summary>
    public bool HasOutage => Array.Exists(_outages, outages => outages > 0);

    public int Role(int node, int peer) => _roles[(node * Count) + peer];

    public int ComponentOf(int node) => _component[node];

    public void Observe(in ClusterEvent e)
    {
        switch (e.Kind)
        {
            case ClusterEventKind.RootChanged:
                Roots[e.Node] = e.Peer;
                break;
            case ClusterEventKind.ParentChanged:
                (Parents[e.Node], Costs[e.Node]) = (e.Peer, e.Value);
                break;
            case ClusterEventKind.RoleChanged:
                _roles[(e.Node * Count) + e.Peer] = (int)e.Value;
                break;
            case ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded:
                TakeFault(e, e.Kind == ClusterEventKind.FaultBegan);
                break;
        }
    }

    private void TakeFault(in ClusterEvent e, bool begins)
    {
        if (e.Peer >= 0)
        {
            if (e.Fault != FaultKind.Slow)
                _outages[_linkBetween[(e.Node * Count) + e.Peer]] += begins ? 1 : -1;
        }
        else if (e.Fault == FaultKind.Freeze)
            _isFrozen[e.Node] = begins;
        else
        {
            (_isDown[e.Node], _isFrozen[e.Node]) = (begins, false);
            Array.Clear(_roles, e.Node * Count, Count);
        }
    }

    /// <summary>Numbers the parts of the cluster whose members reach each other.</summary>
    /// <param name="counts">Which members count; null for all.</param>
    public void FindComponents(Func<int, bool>? counts = null)
    {
        Array.Fill(_component, -1);
        var open = new Stack<int>();
        for (var first = 0; first < Count; first++)
        {
            if (_component[first] >= 0 || !Counts(first))
                continue;
            open.Push(first);
            _component[first] = first;
            while (open.TryPop(out var node))
                for (var other = 0; other < Count; other++)
                    if (_component[other] < 0 && Counts(other) && AreLinked(node, other))
                    {
                        _component[other] = first;
                        open.Push(other);
                    }
        }

        bool Counts(int node) => IsMember(node) && counts?.Invoke(node) != false;
    }

    public bool AreLinked(int a, int b) => _linkBetween[(a * Count) + b] is >= 0 and var link && _outages[link] == 0;

    /// <summary>The cheapest paths from a root within its component, in milliseconds of round trip.</summary>
    public double[] ShortestPaths(int root)
    {
        var costs = new double[Count];
        Array.Fill(costs, double.PositiveInfinity);
        costs[root] = 0;
        // Bellman and Ford: graphs are small.
        for (var round = 0; round < Count; round++)
        for (var a = 0; a < Count; a++)
        for (var b = 0; b < Count; b++)
            if (_component[a] >= 0 && _component[a] == _component[b] && AreLinked(a, b))
                costs[b] = Math.Min(
                    costs[b],
                    costs[a] + (2 * _topology.Links[_linkBetween[(a * Count) + b]].DelayMilliseconds.Mean)
                );
        return costs;
    }
}
