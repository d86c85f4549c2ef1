using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol.Topics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors.Cases;

/// <summary>
/// I5 of topics' overlays: the root of a topic's tree is the fittest of its members. With <see
/// cref="RootRule.Balance"/> that is the one with the lowest weighted sum of the trees that it roots and of its
/// clients, or of their topics and filters, then the lowest number.
/// </summary>
/// <remarks>
/// A node counts when it builds the tree, and what it counts then holds. Whether it takes itself for another topic's
/// root at a moment is not always seen from outside: while members change, a root does not count. So each load is an
/// interval, and a root is wrong if even its lowest load is above the highest one of another member. This is judged
/// when the members have been the same for a while, so it raises no false alarm.
/// </remarks>
/// <param name="topology">The cluster, with the rule.</param>
/// <param name="clients">How many clients each node has while its process serves.</param>
/// <param name="boundNanoseconds">How long after a fault routes may be wrong, positive.</param>
internal sealed class TopicFitnessMonitor(Topology topology, int[] clients, long boundNanoseconds) : ClusterMonitor
{
    private const long TopicLifeNanoseconds = 60_000_000_000;
    private const long Second = 1_000_000_000;

    // The members ask each other who they are each T_k, and a change is known to all of them after some such rounds.
    private readonly long _calm = (long)(5e9 * topology.KeepAliveSeconds);
    private readonly Dictionary<(int Node, string Topic), Member> _members = [];
    private readonly Dictionary<(int Client, string Filter), int> _filters = [];
    private readonly Dictionary<(int Node, string Topic), long> _published = [];
    private readonly Dictionary<int, long> _frozenSince = [];
    private readonly Dictionary<string, long> _changes = new(StringComparer.Ordinal);
    private readonly HashSet<string> _judged = new(StringComparer.Ordinal);
    private long _lastFault;
    private long _now;

    /// <inheritdoc/>
    public override string Name => "fittest topic root";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        ref readonly var e = ref clusterEvent;
        _now = e.Nanoseconds;
        switch (e.Kind)
        {
            case ClusterEventKind.Subscribed:
                Disturb(e.Topic);
                _filters[(e.Client, e.Topic)] = e.Node;
                break;
            case ClusterEventKind.Unsubscribed:
                Disturb(e.Topic);
                _filters.Remove((e.Client, e.Topic));
                break;
            case ClusterEventKind.Published:
                if (
                    !_published.TryGetValue((e.Node, e.Topic), out var last)
                    || _now - last > TopicLifeNanoseconds - Second
                )
                    Disturb(e.Topic);
                _published[(e.Node, e.Topic)] = _now;
                break;
            case ClusterEventKind.TopicMembersChanged:
                JudgeIfCalm(e.Topic);
                _changes[e.Topic] = _now;
                _members[(e.Node, e.Topic)] = new Member(e.Value, LoadOf(e.Node, e.Topic));
                break;
            case ClusterEventKind.TopicRootChanged when _members.TryGetValue((e.Node, e.Topic), out var member):
                _changes[e.Topic] = _now;
                member.Root = e.Peer;
                break;
            case ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded:
                TakeFault(e);
                break;
        }
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        _now = nanoseconds;
        foreach (var topic in _changes.Keys.ToList())
            JudgeIfCalm(topic);
    }

    private void TakeFault(in ClusterEvent fault)
    {
        foreach (var topic in _changes.Keys.ToList())
            JudgeIfCalm(topic);
        _lastFault = _now;
        if (fault.Peer >= 0 || fault.Fault.LeavesProcess())
            return;
        if (fault.Fault == FaultKind.Freeze)
        {
            Freeze(fault);
            return;
        }
        var node = fault.Node;
        foreach (var key in _members.Keys.Where(key => key.Node == node).ToList())
            _members.Remove(key);
        foreach (var key in _published.Keys.Where(key => key.Node == node).ToList())
            _published.Remove(key);
    }

    // A publication at a node that stands still begins to live there when the node goes on.
    private void Freeze(in ClusterEvent fault)
    {
        if (fault.Kind == ClusterEventKind.FaultBegan)
            _frozenSince[fault.Node] = _now;
        else if (_frozenSince.Remove(fault.Node, out var since))
        {
            foreach (var (key, at) in _published)
                if (key.Node == fault.Node && at >= since)
                    _published[key] = _now;
        }
    }

    // Something happens to the topics that match a filter: their members may change soon.
    private void Disturb(string filter)
    {
        foreach (var topic in _changes.Keys.Where(topic => TopicFilter.Matches(filter, topic)).ToList())
        {
            JudgeIfCalm(topic);
            _changes[topic] = _now;
        }
    }

    private bool IsCalm(string topic) =>
        _now >= _lastFault + boundNanoseconds && _now >= _changes.GetValueOrDefault(topic) + _calm;

    private (double Least, double Most) LoadOf(int node, string topic)
    {
        if (topology.Overlay.Root == RootRule.Capacity)
            return (-topology.Nodes[node].Capability, -topology.Nodes[node].Capability);
        var (least, most) = ClientsOf(node);
        var (leastRooted, mostRooted) = RootedBy(node, topic);
        var balance = topology.Overlay.Balance;
        // A node that stood still has heard of its clients' topics later than they began.
        return _now < _lastFault + boundNanoseconds
            ? (double.NegativeInfinity, double.PositiveInfinity)
            : (balance.Of(leastRooted, least), balance.Of(mostRooted, most));
    }

    private (int Least, int Most) ClientsOf(int node)
    {
        if (!topology.Overlay.Balance.CountsFilters)
            return (clients[node], clients[node]);
        var filters = _filters.Where(entry => entry.Value == node).Select(entry => entry.Key.Filter).Distinct().Count();
        var (least, most) = (filters, filters);
        foreach (var (_, last) in _published.Where(entry => entry.Key.Node == node))
        {
            most += _now - last < TopicLifeNanoseconds + Second ? 1 : 0;
            least += _now - last < TopicLifeNanoseconds - Second ? 1 : 0;
        }
        return (least, most);
    }

    private (int Least, int Most) RootedBy(int node, string topic)
    {
        var (least, most) = (0, 0);
        foreach (
            var ((_, other), member) in _members.Where(entry => entry.Key.Node == node && entry.Key.Topic != topic)
        )
        {
            var isRoot = member is { Version: not 0, Root: var root } && root == node;
            most += isRoot || (member.Version != 0 && !IsCalm(other)) ? 1 : 0;
            least += isRoot && IsCalm(other) ? 1 : 0;
        }
        return (least, most);
    }

    private void JudgeIfCalm(string topic)
    {
        if (!IsCalm(topic))
            return;
        var members = _members.Where(entry => entry.Key.Topic == topic && entry.Value.Version != 0).ToList();
        if (members.Count < 2 || members.Select(entry => entry.Value.Version).Distinct().Count() > 1)
            return;
        var roots = members.Select(entry => entry.Value.Root).Distinct().ToList();
        if (roots is not [var root] || !_members.TryGetValue((root, topic), out var elected) || elected.Version == 0)
            return;
        foreach (var ((node, _), other) in members)
        {
            var isFitter =
                other.Load.Most < elected.Load.Least
                || (other.Load.Most == elected.Load.Least && elected.Load.Least == elected.Load.Most && node < root);
            if (!isFitter || !_judged.Add(Invariant($"{topic} {elected.Version} {root}")))
                continue;
            Report(
                _now,
                $"the root of {topic} is {topology.Nodes[root].Name}, and {topology.Nodes[node].Name} is fitter"
            );
            return;
        }
    }

    private sealed class Member(long version, (double Least, double Most) load)
    {
        public long Version => version;

        public (double Least, double Most) Load => load;

        /// <summary>The root that the node has noted; -1 for none.</summary>
        public int Root { get; set; } = -1;
    }
}
