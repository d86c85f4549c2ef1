using MqttCheck.Clusters.Events;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I9: a node hands the messages of each peer upward once and in the order in which the peer took them, what was
/// acknowledged is not lost, no queue grows beyond its bound, and a node that has heard of a long receive queue sends
/// no more new messages than its send queue held. A node asks for what is missing before a message that it has worked
/// off.
/// </summary>
/// <remarks>
/// <see cref="ClusterEvent.Peer"/> is the other end of a publication or delivery. A queue's length with a peer is one
/// that the node has heard of, and without a peer the longest one that it has had. Messages are worked off in the order
/// in which they arrive. So a message whose number is above the next one was worked off with a gap before it. A receive
/// queue with a bound may have dropped either, and gaps are not judged there.
/// </remarks>
/// <param name="bounds">How much queues may hold.</param>
/// <param name="nodeNames">The names of nodes, for messages.</param>
internal sealed class TransportMonitor(TransportBounds bounds, IReadOnlyList<string> nodeNames) : ClusterMonitor
{
    private readonly Dictionary<(int From, int To), Queue<long>> _expected = [];
    private readonly Dictionary<int, HashSet<int>> _overloaded = [];
    private readonly Dictionary<int, long> _sentSince = [];
    private readonly Dictionary<(int From, int To), long> _highest = [];
    private readonly Dictionary<(int Node, int Peer), long> _arrived = [];
    private readonly Dictionary<(int Node, int Peer), long> _upward = [];
    private readonly Dictionary<(int Node, int Peer, long First), (long Before, long At)> _gaps = [];
    private readonly HashSet<long> _delivered = [];
    private readonly HashSet<long> _acknowledged = [];

    /// <inheritdoc/>
    public override string Name => "transport";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.Published:
                Expected(clusterEvent.Node, clusterEvent.Peer).Enqueue(clusterEvent.Message);
                break;
            case ClusterEventKind.Acknowledged:
                _acknowledged.Add(clusterEvent.Message);
                break;
            case ClusterEventKind.Delivered:
                Deliver(clusterEvent);
                break;
            case ClusterEventKind.Received when bounds.ReceiveQueue == long.MaxValue:
                Arrive(clusterEvent);
                break;
            case ClusterEventKind.GapRequested:
                var gap = (clusterEvent.Node, clusterEvent.Peer, clusterEvent.Message);
                if (_gaps.TryGetValue(gap, out var behind) && clusterEvent.Value == behind.Before - 1)
                    _gaps.Remove(gap);
                break;
            case ClusterEventKind.SendQueueLength when clusterEvent.Value > bounds.SendQueue:
                Report(
                    clusterEvent.Nanoseconds,
                    $"{clusterEvent.Value} messages waited to be sent at {nodeNames[clusterEvent.Node]}, "
                        + $"and {bounds.SendQueue} is the bound"
                );
                break;
            case ClusterEventKind.Sent:
                Send(clusterEvent);
                break;
            case ClusterEventKind.QueueLength when clusterEvent.Peer >= 0:
                Hear(clusterEvent);
                break;
            case ClusterEventKind.QueueLength when clusterEvent.Value > bounds.ReceiveQueue:
                Report(
                    clusterEvent.Nanoseconds,
                    $"{clusterEvent.Value} messages waited at {nodeNames[clusterEvent.Node]}, "
                        + $"and {bounds.ReceiveQueue} is the bound"
                );
                break;
        }
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var message in _acknowledged.Where(message => !_delivered.Contains(message)).Order())
            Report(nanoseconds, $"message {message} was acknowledged and never went upward");
        // A message that went upward was worked off, and so was the gap before it.
        foreach (var ((node, peer, first), (before, at)) in _gaps.Where(IsWorkedOff))
            Report(
                nanoseconds,
                Invariant($"{nodeNames[node]} got number {before} of {nodeNames[peer]} at {at / 1e9:0.######} s, ")
                    + $"and did not ask for all that was missing from number {first} on"
            );
        _gaps.Clear();
    }

    private bool IsWorkedOff(KeyValuePair<(int Node, int Peer, long First), (long Before, long At)> gap) =>
        _upward.GetValueOrDefault((gap.Key.Node, gap.Key.Peer)) >= gap.Value.Before;

    private void Arrive(in ClusterEvent arrived)
    {
        var pair = (arrived.Node, arrived.Peer);
        var highest = _arrived.GetValueOrDefault(pair);
        if (arrived.Message > highest + 1)
            _gaps[(arrived.Node, arrived.Peer, highest + 1)] = (arrived.Message, arrived.Nanoseconds);
        _arrived[pair] = Math.Max(highest, arrived.Message);
    }

    private void Hear(in ClusterEvent heard)
    {
        if (heard.Value > bounds.Shed)
        {
            if (_overloaded.GetOrNew(heard.Node).Add(heard.Peer) && _overloaded[heard.Node].Count == 1)
                _sentSince[heard.Node] = 0;
        }
        else if (_overloaded.TryGetValue(heard.Node, out var peers))
            peers.Remove(heard.Peer);
    }

    // A message that was sent before is sent again whatever the node has heard.
    private void Send(in ClusterEvent sent)
    {
        var pair = (sent.Node, sent.Peer);
        if (sent.Message <= _highest.GetValueOrDefault(pair))
            return;
        _highest[pair] = sent.Message;
        if (_overloaded.GetValueOrDefault(sent.Node) is not { Count: > 0 } peers)
            return;
        var since = ++_sentSince[sent.Node];
        if (since == bounds.SendQueue + 1)
            Report(
                sent.Nanoseconds,
                $"{nodeNames[sent.Node]} sent {since} new messages after it had heard that more than {bounds.Shed} "
                    + $"wait at {nodeNames[peers.Min()]}, and {bounds.SendQueue} is the bound"
            );
    }

    private void Deliver(in ClusterEvent delivered)
    {
        var (from, to) = (nodeNames[delivered.Peer], nodeNames[delivered.Node]);
        var pair = (delivered.Node, delivered.Peer);
        _upward[pair] = _upward.GetValueOrDefault(pair) + 1;
        if (!_delivered.Add(delivered.Message))
            Report(delivered.Nanoseconds, $"message {delivered.Message} of {from} went upward at {to} again");
        else if (Expected(delivered.Peer, delivered.Node) is not { Count: > 0 } queue)
            Report(delivered.Nanoseconds, $"message {delivered.Message} of {from} went upward at {to} unasked");
        else if (queue.Dequeue() is var next && next != delivered.Message)
            Report(
                delivered.Nanoseconds,
                $"message {delivered.Message} of {from} went upward at {to}, where {next} was next"
            );
    }

    private Queue<long> Expected(int from, int to)
    {
        var queue = _expected.GetOrNew((from, to));
        return queue;
    }
}
