using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I6: where messages are routed by interest, a link carries a topic only towards somebody who wants it. In a single
/// overlay somebody behind the link wants it; in the overlay of a topic its other end is a member.
/// </summary>
/// <remarks>
/// It is judged while nothing changes: some time after the last fault, a second after the end of an interest, and after
/// a change of the tree when a second has passed in which messages need not go everywhere. The first publication on a
/// topic may go everywhere, with its advertisement.
/// </remarks>
/// <param name="topology">The cluster, an overlay.</param>
/// <param name="boundNanoseconds">How long after a fault routes may be wrong, positive.</param>
internal sealed class InterestMonitor(Topology topology, long boundNanoseconds) : ClusterMonitor
{
    private const long CalmNanoseconds = 1_000_000_000;
    private const long TopicLifeNanoseconds = 60_000_000_000;

    private readonly long _calm =
        CalmNanoseconds
        + (
            topology.System == ClusterSystem.SingleOverlay
                ? OverlaySettings.ChangeNanoseconds(topology.KeepAliveSeconds)
                : 0
        );
    private readonly TreeState _state = new TreeState(topology);
    private readonly FirstPublications _firsts = new(0) { TopicLifeNanoseconds = TopicLifeNanoseconds };
    private readonly Dictionary<(int Client, string Filter), (int Node, long? End)> _interests = [];
    private readonly Dictionary<(int Node, string Topic), long> _published = [];
    private readonly Dictionary<int, long> _frozenSince = [];
    private long _lastFault;
    private long _lastChange;

    /// <inheritdoc/>
    public override string Name => "interest";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        ref readonly var e = ref clusterEvent;
        _firsts.Add(e);
        switch (e.Kind)
        {
            case ClusterEventKind.Subscribed:
                _interests[(e.Client, e.Topic)] = (e.Node, null);
                break;
            case ClusterEventKind.Unsubscribed:
                _interests[(e.Client, e.Topic)] = (e.Node, e.Nanoseconds);
                break;
            case ClusterEventKind.Published:
                _published[(e.Node, e.Topic)] = e.Nanoseconds;
                break;
            case ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded:
                _lastFault = e.Nanoseconds;
                _state.Observe(e);
                if (e.Fault == FaultKind.Freeze)
                    Freeze(e);
                break;
            case ClusterEventKind.RootChanged or ClusterEventKind.ParentChanged or ClusterEventKind.RoleChanged:
                _lastChange = e.Nanoseconds;
                _state.Observe(e);
                break;
            case ClusterEventKind.Sent when e.Message >= 0:
                Judge(e);
                break;
        }
    }

    // A publication at a node that stands still begins to live there when the node goes on.
    private void Freeze(in ClusterEvent fault)
    {
        if (fault.Kind == ClusterEventKind.FaultBegan)
            _frozenSince[fault.Node] = fault.Nanoseconds;
        else if (_frozenSince.Remove(fault.Node, out var since))
        {
            foreach (var (key, at) in _published)
                if (key.Node == fault.Node && at >= since)
                    _published[key] = fault.Nanoseconds;
        }
    }

    private void Judge(in ClusterEvent sent)
    {
        var now = sent.Nanoseconds;
        if (now < _lastFault + boundNanoseconds || now < _lastChange + _calm || _firsts.IsFirst(sent.Message))
            return;
        var isRight =
            topology.System == ClusterSystem.TopicOverlay
                ? IsWantedAt(sent.Peer, sent.Topic, now) || IsPublishedAt(sent.Peer, sent.Topic, now)
                : IsWantedBehind(sent.Node, sent.Peer, sent.Topic, now);
        if (!isRight)
            Report(now, $"{Of(sent.Node)} sends a message on {sent.Topic} to {Of(sent.Peer)}, where nobody wants it");
    }

    private bool IsWantedAt(int node, string topic, long now)
    {
        foreach (var ((_, filter), (at, end)) in _interests)
            if (at == node && (end is null || now - end < CalmNanoseconds) && TopicFilter.Matches(filter, topic))
                return true;
        return false;
    }

    private bool IsPublishedAt(int node, string topic, long now) =>
        _published.TryGetValue((node, topic), out var last) && now - last < TopicLifeNanoseconds + CalmNanoseconds;

    // The nodes that the tree reaches over the link.
    private bool IsWantedBehind(int from, int to, string topic, long now)
    {
        var seen = new HashSet<int> { from, to };
        var open = new Stack<int>([to]);
        while (open.TryPop(out var node))
        {
            if (IsWantedAt(node, topic, now))
                return true;
            for (var other = 0; other < _state.Count; other++)
                if ((_state.Parents[node] == other || _state.Parents[other] == node) && seen.Add(other))
                    open.Push(other);
        }
        return false;
    }

    private string Of(int node) => topology.Nodes[node].Name;
}
