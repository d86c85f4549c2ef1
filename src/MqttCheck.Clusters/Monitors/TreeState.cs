using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Monitors;

/// <summary>The tree as the nodes report it, and which nodes and links can be used.</summary>
internal sealed class TreeState
{
    private readonly bool[] _isDown;
    private readonly bool[] _isFrozen;
    private readonly int[] _outages;
    private readonly int[] _linkBetween;
    private readonly int[] _roles;
    private readonly int[] _component;
    private readonly double[] _delays;
    private readonly HashSet<int> _slowed = [];

    /// <param name="topology">The cluster.</param>
    /// <param name="absent">Nodes that do not run from the start; null for none.</param>
    public TreeState(Topology topology, IReadOnlySet<int>? absent = null)
    {
        var count = topology.Nodes.Count;
        (_isDown, _isFrozen, _component) = (new bool[count], new bool[count], new int[count]);
        (Roots, Parents, Costs) = (new int[count], new int[count], new long[count]);
        _outages = new int[topology.Links.Count];
        _delays =
        [
            .. topology.Links.Select(link => link.DelayMilliseconds is ConstantLaw law ? law.Value : double.NaN),
        ];
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
            TakeFaultOfLink(_linkBetween[(e.Node * Count) + e.Peer], e, begins);
        }
        else if (e.Fault == FaultKind.Freeze)
            _isFrozen[e.Node] = begins;
        else if (!e.Fault.LeavesProcess())
        {
            (_isDown[e.Node], _isFrozen[e.Node]) = (begins, false);
            Array.Clear(_roles, e.Node * Count, Count);
        }
    }

    private void TakeFaultOfLink(int link, in ClusterEvent e, bool begins)
    {
        if (e.Fault != FaultKind.Slow)
        {
            _outages[link] += begins ? 1 : -1;
            return;
        }
        _delays[link] = e.Value > 0 ? e.Value / 1e6 : double.NaN;
        if (begins)
            _slowed.Add(link);
        else
            _slowed.Remove(link);
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

    /// <summary>Whether some link has another law than its own.</summary>
    public bool IsSlowed => _slowed.Count > 0;

    /// <summary>How many links lie at most between two members of a part that reach each other.</summary>
    public int LongestDistance()
    {
        var longest = 0;
        for (var first = 0; first < Count; first++)
        {
            if (_component[first] < 0)
                continue;
            var distances = new Dictionary<int, int> { [first] = 0 };
            var open = new Queue<int>([first]);
            while (open.TryDequeue(out var node))
            {
                longest = Math.Max(longest, distances[node]);
                for (var other = 0; other < Count; other++)
                    if (
                        _component[other] >= 0
                        && AreLinked(node, other)
                        && distances.TryAdd(other, distances[node] + 1)
                    )
                        open.Enqueue(other);
            }
        }
        return longest;
    }

    /// <summary>Whether the delays of all links are constant at present, so that costs are known.</summary>
    public bool KnowsCosts => !Array.Exists(_delays, double.IsNaN);

    /// <summary>The round trip of the link between two nodes at present, in milliseconds.</summary>
    public double RoundTrip(int a, int b) => 2 * _delays[_linkBetween[(a * Count) + b]];

    /// <summary>The cheapest paths from a root within its component, in milliseconds of round trip.</summary>
    /// <param name="root">The root.</param>
    /// <param name="measured">What the round trip of a link may count.</param>
    /// <param name="kept">What a node may be content with, where there is a path of that cost.</param>
    public double[] ShortestPaths(int root, Func<double, double> measured, Func<double, double> kept)
    {
        var costs = new double[Count];
        Array.Fill(costs, double.PositiveInfinity);
        costs[root] = 0;
        // Bellman and Ford: graphs are small.
        for (var round = 0; round < Count; round++)
        for (var a = 0; a < Count; a++)
        for (var b = 0; b < Count; b++)
            if (_component[a] >= 0 && _component[a] == _component[b] && AreLinked(a, b))
                costs[b] = Math.Min(costs[b], b == root ? 0 : kept(costs[a] + measured(RoundTrip(a, b))));
        return costs;
    }
}
