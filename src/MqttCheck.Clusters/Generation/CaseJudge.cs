using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Protocol.Topics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Generation;

/// <summary>
/// Judges one simulated run of a case: its tree (I4, I5, I7), the ways of its messages (I1), and what subscribers got
/// (I2, I3).
/// </summary>
internal sealed class CaseJudge : ISimulationObserver
{
    private const long SettleNanoseconds = 1_000_000_000;
    private const int MostViolations = 8;

    private readonly Topology _topology;
    private readonly bool _elects;
    private readonly TreeMonitor _tree;
    private readonly List<ClusterViolation> _violations = [];
    private readonly Dictionary<int, (int Node, string Filter, long Since)> _subscribers = [];
    private readonly Dictionary<long, (int Node, int Qos, long At)> _published = [];
    private readonly Dictionary<(int Client, long Message), long> _owed = [];
    private readonly HashSet<(int Client, long Message)> _delivered = [];
    private readonly Dictionary<(int Client, int Node, int Qos), long> _lastInOrder = [];
    private readonly Dictionary<(int Node, long Message), int> _ingress = [];
    private (int Node, long Message) _received = (-1, -1);
    private bool _isFirstCopy;
    private (int Node, int Peer, long Message) _taken = (-1, -1, -1);

    public CaseJudge(Topology topology, SimulationPlan plan, long boundNanoseconds)
    {
        _topology = topology;
        _elects = topology.System == ClusterSystem.SpanningTree;
        _tree = new TreeMonitor(topology, boundNanoseconds, plan.Absent);
    }

    public IReadOnlyList<ClusterViolation> Violations =>
        [.. _violations.Concat(_elects ? _tree.Violations : []).OrderBy(violation => violation.Nanoseconds)];

    public void Observe(in ClusterEvent e)
    {
        JudgeBlocked(e);
        _tree.Add(e);
        switch (e.Kind)
        {
            case ClusterEventKind.Subscribed:
                _subscribers[e.Client] = (e.Node, e.Topic, e.Nanoseconds);
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
                // It may take another copy later.
                _ingress.Remove(_received);
                _isFirstCopy = false;
                break;
            case ClusterEventKind.Sent:
                if (_ingress.TryGetValue((e.Node, e.Message), out var from) && from == e.Peer)
                    Add(
                        "loop",
                        e.Nanoseconds,
                        $"{Name(e.Node)} sends a message back to {Name(e.Peer)}, where it came from"
                    );
                break;
            case ClusterEventKind.FaultBegan:
                Forgive(e.Nanoseconds, client: null);
                if (e.Topic == FaultNames.Kill)
                    ForgetIngress(e.Node);
                break;
        }
    }

    public void Finish(long now, bool isCutShort)
    {
        if (isCutShort)
        {
            Add("loop", now, "messages circulate without an end");
            return;
        }
        _tree.End(now);
        foreach (var (key, at) in _owed)
            if (now - at >= SettleNanoseconds)
            {
                var (node, qos, _) = _published[key.Message];
                var seconds = at / 1e9;
                Add(
                    "lost message",
                    now,
                    Invariant($"the QoS {qos} message that was published at {Name(node)} at {seconds:0.###} s never ")
                        + $"came to the subscriber at {Name(_subscribers[key.Client].Node)}"
                );
            }
    }

    // A node that passes a message on, and has not dropped the copy that came last, has taken that copy.
    private void JudgeBlocked(in ClusterEvent e)
    {
        switch (e.Kind)
        {
            case ClusterEventKind.Received:
                _taken = (e.Node, e.Peer, e.Message);
                break;
            case ClusterEventKind.Dropped:
                _taken = (-1, -1, -1);
                break;
            case ClusterEventKind.Sent
            or ClusterEventKind.Delivered
                when _elects
                    && (e.Node, e.Message) == (_taken.Node, _taken.Message)
                    && _tree.State.Role(e.Node, _taken.Peer) == 0:
                Add(
                    "blocked link",
                    e.Nanoseconds,
                    $"{Name(e.Node)} takes a message from {Name(_taken.Peer)} over a blocked link"
                );
                _taken = (-1, -1, -1);
                break;
        }
    }

    private void Expect(in ClusterEvent e)
    {
        _published[e.Message] = (e.Node, e.Qos, e.Nanoseconds);
        if (e.Qos == 0 || !_tree.IsSettled(e.Nanoseconds))
            return;
        _tree.State.FindComponents();
        foreach (var (client, (node, filter, since)) in _subscribers)
            if (
                e.Nanoseconds - since >= SettleNanoseconds
                && _tree.State.ComponentOf(node) >= 0
                && _tree.State.ComponentOf(node) == _tree.State.ComponentOf(e.Node)
                && TopicFilter.Matches(filter, e.Topic)
            )
                _owed[(client, e.Message)] = e.Nanoseconds;
    }

    private void TakeDelivery(in ClusterEvent e)
    {
        var (node, qos, _) = _published[e.Message];
        if (!_delivered.Add((e.Client, e.Message)))
        {
            if (qos != 1)
                Add(
                    "repeated message",
                    e.Nanoseconds,
                    Invariant($"the subscriber at {Name(e.Node)} got a QoS {qos} message of {Name(node)} twice")
                );
            return;
        }
        if (!_owed.Remove((e.Client, e.Message)))
            return;
        var key = (e.Client, node, qos);
        if (_lastInOrder.TryGetValue(key, out var last) && last > e.Message)
            Add("order", e.Nanoseconds, $"the subscriber at {Name(e.Node)} got messages of {Name(node)} out of order");
        _lastInOrder[key] = e.Message;
    }

    // A fault soon after a publication excuses its loss.
    private void Forgive(long now, int? client)
    {
        foreach (var (key, at) in _owed)
            if ((client is null || key.Client == client) && now - at < SettleNanoseconds)
                _owed.Remove(key);
    }

    private void ForgetIngress(int node)
    {
        foreach (var key in _ingress.Keys)
            if (key.Node == node)
                _ingress.Remove(key);
    }

    private void Add(string invariant, long now, string text)
    {
        if (_violations.Count < MostViolations)
            _violations.Add(new ClusterViolation(invariant, now, text));
    }

    private string Name(int node) => _topology.Nodes[node].Name;
}
