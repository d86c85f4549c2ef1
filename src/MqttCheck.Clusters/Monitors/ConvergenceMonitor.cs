using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// Measures how long nodes disagree after a fault. They agree if all that run and reach each other name one of them for
/// the root, and their parents lead to it. So do the members of each topic that has an overlay of its own.
/// </summary>
/// <remarks>
/// A node that takes a better parent while all agree changes nothing: where delays vary that goes on for ever.
/// </remarks>
/// <param name="topology">The cluster.</param>
/// <param name="absent">Nodes that do not run from the start; null for none.</param>
internal sealed class ConvergenceMonitor(Topology topology, IReadOnlySet<int>? absent = null)
{
    // The tree of all nodes has no topic.
    private const string Whole = "";

    private readonly TreeState _state = new(topology, absent);
    private readonly Disturbances _disturbances = new();
    private readonly Dictionary<string, Dictionary<int, (int Root, int Parent)>> _topics = [];
    private readonly HashSet<string> _disagreeing = [];
    private readonly List<(long Begin, long End)> _gaps = [];
    private long? _disagreeSince;
    private bool _hasTree;

    /// <summary>Takes the next event; it looks at faults and at the notes of nodes.</summary>
    /// <param name="clusterEvent">An event that is not earlier than the one before.</param>
    public void Add(in ClusterEvent clusterEvent)
    {
        ref readonly var e = ref clusterEvent;
        switch (e.Kind)
        {
            case ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded:
                _disturbances.Add(e);
                _state.Observe(e);
                Forget(e);
                _state.FindComponents();
                foreach (var topic in _topics.Keys.Append(Whole))
                    Judge(topic);
                break;
            case ClusterEventKind.RootChanged or ClusterEventKind.ParentChanged:
                _hasTree = true;
                _state.Observe(e);
                Judge(Whole);
                break;
            case ClusterEventKind.TopicMembersChanged:
                // Without a version the node has left, and with a new one it begins alone.
                if (e.Value == 0)
                    _topics.GetOrNew(e.Topic).Remove(e.Node);
                else
                    _topics.GetOrNew(e.Topic)[e.Node] = (e.Node, -1);
                Judge(e.Topic);
                break;
            case ClusterEventKind.TopicRootChanged when _topics.GetOrNew(e.Topic).TryGetValue(e.Node, out var member):
                _topics[e.Topic][e.Node] = member with { Root = e.Peer };
                Judge(e.Topic);
                break;
            case ClusterEventKind.TopicParentChanged when _topics.GetOrNew(e.Topic).TryGetValue(e.Node, out var member):
                _topics[e.Topic][e.Node] = member with { Parent = e.Peer };
                Judge(e.Topic);
                break;
            default:
                return;
        }
        Note(e.Nanoseconds);
    }

    /// <summary>
    /// The longest time from a fault until nodes agree for <see cref="Disturbances.StableNanoseconds"/>, in
    /// nanoseconds; infinite if they never do, 0 without a fault.
    /// </summary>
    /// <param name="endNanoseconds">When nobody looks any more.</param>
    /// <returns>Null if no node tells of a tree.</returns>
    public double? Nanoseconds(long endNanoseconds)
    {
        if (!_hasTree && _topics.Count == 0)
            return null;
        IEnumerable<(long Begin, long End)> gaps = _disagreeSince is { } since
            ? [.. _gaps, (since, endNanoseconds)]
            : _gaps;
        return _disturbances.LongestRepair(gaps, endNanoseconds, countsOthers: false) ?? double.PositiveInfinity;
    }

    // A process that ends takes what it knew with it.
    private void Forget(in ClusterEvent fault)
    {
        if (!fault.EndsProcess)
            return;
        (_state.Roots[fault.Node], _state.Parents[fault.Node]) = (-1, -1);
        foreach (var members in _topics.Values)
            members.Remove(fault.Node);
    }

    private void Note(long now)
    {
        if (_disagreeing.Count > 0)
            _disagreeSince ??= now;
        else if (_disagreeSince is { } since)
        {
            // A node tells of its root and of its parent one after the other, at one time.
            if (since < now)
                _gaps.Add((since, now));
            _disagreeSince = null;
        }
    }

    // Before the first fault nodes may not have found each other yet, and nobody asks.
    private void Judge(string topic)
    {
        if (!_disturbances.HasAny || (topic.Length == 0 ? Agree() : Agree(_topics[topic])))
            _disagreeing.Remove(topic);
        else
            _disagreeing.Add(topic);
    }

    private bool Agree() =>
        !_hasTree || Agree(Enumerable.Range(0, _state.Count), node => (_state.Roots[node], _state.Parents[node]));

    private bool Agree(Dictionary<int, (int Root, int Parent)> members) =>
        Agree(members.Keys, node => members.GetValueOrDefault(node, (-1, -1)));

    private bool Agree(IEnumerable<int> nodes, Func<int, (int Root, int Parent)> of)
    {
        var roots = new Dictionary<int, int>();
        foreach (var node in nodes.Where(_state.IsMember))
        {
            var (component, root) = (_state.ComponentOf(node), of(node).Root);
            if (!roots.TryAdd(component, root) && roots[component] != root)
                return false;
            if (!LeadsTo(root, node, component, of))
                return false;
        }
        return true;
    }

    private bool LeadsTo(int root, int node, int component, Func<int, (int Root, int Parent)> of)
    {
        for (var hops = 0; hops <= _state.Count; hops++)
        {
            if (node < 0 || !_state.IsMember(node) || _state.ComponentOf(node) != component)
                return false;
            if (node == root)
                return true;
            var parent = of(node).Parent;
            if (parent < 0 || !_state.AreLinked(node, parent))
                return false;
            node = parent;
        }
        return false;
    }
}
