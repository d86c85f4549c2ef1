using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol.Topics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// Judges the simulated run of a case, in which every link and delivery is seen: the ways of its messages (I1), and
/// what subscribers got (I2, I3).
/// </summary>
/// <param name="topology">The cluster.</param>
/// <param name="tree">The monitor of its tree, which takes each event after this one.</param>
/// <param name="boundNanoseconds">How long after a fault trees and routes may be wrong.</param>
internal sealed class CaseMonitor(Topology topology, TreeMonitor tree, long boundNanoseconds)
    : ClusterMonitor(MostViolations)
{
    private const long SettleNanoseconds = 1_000_000_000;
    private const long TopicLife = 60_000_000_000;
    private const int MostViolations = 8;

    // In the overlay of a topic a message waits until the members agree, which takes each of them a ping.
    private readonly long _underWay =
        SettleNanoseconds
        + (topology.System == ClusterSystem.TopicOverlay ? (long)(3e9 * topology.KeepAliveSeconds) : 0);
    private readonly bool _isSingle = topology.System == ClusterSystem.SingleOverlay;
    private readonly FirstPublications _firsts = new(SettleNanoseconds) { TopicLifeNanoseconds = TopicLife };
    private readonly Dictionary<int, (int Node, string Filter, long Since)> _subscribers = [];
    private readonly Dictionary<int, int> _nodes = [];
    private readonly Dictionary<long, (int Node, int Qos, bool IsCalm, long At)> _published = [];
    private readonly Dictionary<(int Client, long Message), long> _owed = [];
    private readonly HashSet<(int Client, long Message)> _delivered = [];
    private readonly Dictionary<(int Client, int Node, int Qos, string Topic), long> _lastInOrder = [];
    private readonly Dictionary<(int Node, long Message), int> _ingress = [];
    private readonly Dictionary<(int Node, int Peer), long> _left = [];
    private readonly long[] _startedAt = new long[topology.Nodes.Count];
    private long _lastBreak;
    private long _lastTurn;
    private (int Node, long Message) _received = (-1, -1);
    private bool _isFirstCopy;
    private (int Node, int Peer, long Message) _taken = (-1, -1, -1);

    /// <inheritdoc/>
    public override string Name => "loop";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        ref readonly var e = ref clusterEvent;
        JudgeBlocked(e);
        _firsts.Add(e);
        switch (e.Kind)
        {
            case ClusterEventKind.Subscribed:
                _subscribers[e.Client] = (e.Node, e.Topic, e.Nanoseconds);
                _nodes[e.Client] = e.Node;
                break;
            case ClusterEventKind.Unsubscribed:
                _subscribers.Remove(e.Client);
                Forgive(e.Nanoseconds, e.Client);
                break;
            case ClusterEventKind.Published:
                Expect(e);
                break;
            case ClusterEventKind.Delivered:
                TakeDelivery(e);
                break;
            case ClusterEventKind.Received:
                _received = (e.Node, e.Message);
                _isFirstCopy = _ingress.TryAdd((e.Node, e.Message), e.Peer);
                break;
            case ClusterEventKind.Dropped when _isFirstCopy && _received.Node == e.Node:
                // The node dropped this copy, so another copy may still be the one that it takes.
                _ingress.Remove(_received);
                _isFirstCopy = false;
                break;
            case ClusterEventKind.Sent:
                if (_ingress.TryGetValue((e.Node, e.Message), out var from) && from == e.Peer)
                    Report(e.Nanoseconds, $"{Of(e.Node)} sends a message back to {Of(e.Peer)}, where it came from");
                break;
            case ClusterEventKind.RoleChanged:
                _lastTurn = e.Nanoseconds;
                if (e.Value == 0)
                    _left[(e.Node, e.Peer)] = e.Nanoseconds;
                break;
            case ClusterEventKind.TopicMembersChanged
            or ClusterEventKind.TopicRootChanged
            or ClusterEventKind.TopicParentChanged:
                _lastTurn = e.Nanoseconds;
                break;
            case ClusterEventKind.FaultEnded when _isSingle && e.Fault == FaultKind.Kill:
                // A node that joins or comes back breaks nothing: the others keep their ways until there are new ones.
                _startedAt[e.Node] = e.Nanoseconds;
                break;
            case ClusterEventKind.FaultBegan when e.EndsProcess:
                // A node that leaves an overlay in order excuses no loss.
                if (!topology.System.IsOverlay() || e.Fault != FaultKind.Stop)
                    Break(e.Nanoseconds);
                ForgetProcess(e.Node);
                break;
            case ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded:
                Break(e.Nanoseconds);
                break;
        }
    }

    /// <summary>Ends a run in which so many messages circulate that it was cut short.</summary>
    /// <param name="nanoseconds">The time of the end.</param>
    public void EndEarly(long nanoseconds) => Report(nanoseconds, "messages circulate without an end");

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var (key, at) in _owed)
            if (nanoseconds - at >= _underWay)
            {
                var (node, qos, _, _) = _published[key.Message];
                var seconds = at / 1e9;
                Report(
                    nanoseconds,
                    Invariant($"the QoS {qos} message that was published at {Of(node)} at {seconds:0.###} s never ")
                        + $"came to the subscriber at {Of(_nodes[key.Client])}",
                    "lost message"
                );
            }
    }

    // A node that passes a message on, and has not dropped the copy that came last, has taken that copy.
    private void JudgeBlocked(in ClusterEvent e)
    {
        switch (e.Kind)
        {
            case ClusterEventKind.Received:
                var isBlocked =
                    topology.System.Has(SystemTraits.Elects)
                    && tree.State.Role(e.Node, e.Peer) == 0
                    && !CarriesStill(e);
                _taken = isBlocked ? (e.Node, e.Peer, e.Message) : (-1, -1, -1);
                break;
            case ClusterEventKind.Dropped:
                _taken = (-1, -1, -1);
                break;
            case ClusterEventKind.Sent
            or ClusterEventKind.Delivered when (e.Node, e.Message) == (_taken.Node, _taken.Message):
                Report(
                    e.Nanoseconds,
                    $"{Of(e.Node)} takes a message from {Of(_taken.Peer)} over a blocked link",
                    "blocked link"
                );
                _taken = (-1, -1, -1);
                break;
        }
    }

    // A link that a single overlay's tree has left carries messages until there are new ways.
    private bool CarriesStill(in ClusterEvent e) =>
        _isSingle
        && _left.TryGetValue((e.Node, e.Peer), out var left)
        && e.Nanoseconds < left + OverlaySettings.ChangeNanoseconds(topology.KeepAliveSeconds);

    private void Expect(in ClusterEvent e)
    {
        var (now, isCalm) = (e.Nanoseconds, tree.IsSettled(e.Nanoseconds));
        _published[e.Message] = (e.Node, e.Qos, isCalm, now);
        if (e.Qos == 0 || now < _lastBreak + boundNanoseconds || !IsOwed(e.Message))
            return;
        tree.State.FindComponents(node =>
            !_isSingle || _startedAt[node] == 0 || now >= _startedAt[node] + boundNanoseconds
        );
        foreach (var (client, (node, filter, since)) in _subscribers)
            if (
                e.Nanoseconds - since >= SettleNanoseconds
                && tree.State.ComponentOf(node) >= 0
                && tree.State.ComponentOf(node) == tree.State.ComponentOf(e.Node)
                && TopicFilter.Matches(filter, e.Topic)
            )
                _owed[(client, e.Message)] = e.Nanoseconds;
    }

    // A single overlay does not know the ways yet when a node begins to publish on a topic: only what travels with the
    // advertisement arrives. The overlay of a topic needs the links between all of its members.
    private bool IsOwed(long message) =>
        _isSingle
            ? !_firsts.IsNear(message)
                || (topology.Overlay.Advertisement == AdvertisementMode.Carry && _firsts.IsFirst(message))
            : topology.System != ClusterSystem.TopicOverlay || !tree.State.HasOutage;

    private void TakeDelivery(in ClusterEvent e)
    {
        var (node, qos, isCalm, at) = _published[e.Message];
        if (!_delivered.Add((e.Client, e.Message)))
        {
            if (qos != 1)
                Report(
                    e.Nanoseconds,
                    Invariant($"the subscriber at {Of(e.Node)} got a QoS {qos} message of {Of(node)} twice"),
                    "repeated message"
                );
            return;
        }
        // While a tree changes, a message may overtake another one on the new way. A tree also changes by itself, where
        // two ways cost about the same: then both messages have to be published behind its last change.
        if (!_owed.Remove((e.Client, e.Message)) || !isCalm || at <= _lastTurn)
            return;
        // Overlays of topics do not wait for each other.
        var key = (e.Client, node, qos, topology.System == ClusterSystem.TopicOverlay ? e.Topic : "");
        if (_lastInOrder.TryGetValue(key, out var last) && last > e.Message)
            Report(e.Nanoseconds, $"the subscriber at {Of(e.Node)} got messages of {Of(node)} out of order", "order");
        _lastInOrder[key] = e.Message;
    }

    // A fault soon after a publication excuses its loss, and so does the end of one: both change the tree.
    private void Forgive(long now, int? client)
    {
        foreach (var (key, at) in _owed)
            if ((client is null || key.Client == client) && now - at < _underWay)
                _owed.Remove(key);
    }

    private void Break(long now)
    {
        _lastBreak = now;
        Forgive(now, client: null);
    }

    // The next process of a node knows nothing, and its clients have new sessions. A message that another node
    // published is therefore no repeat to them. The node's own earlier messages are older than any of these sessions.
    private void ForgetProcess(int node)
    {
        foreach (var key in _ingress.Keys)
            if (key.Node == node)
                _ingress.Remove(key);
        _delivered.RemoveWhere(key => _nodes[key.Client] == node && _published[key.Message].Node != node);
    }

    private string Of(int node) => topology.Nodes[node].Name;
}
