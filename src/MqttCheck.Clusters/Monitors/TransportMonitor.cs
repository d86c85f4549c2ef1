using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I9: a node hands the messages of each peer upward once and in the order in which the peer took them, what was
/// acknowledged is not lost, and no receive queue grows beyond its bound.
/// </summary>
/// <remarks><see cref="ClusterEvent.Peer"/> is the other end of a publication or delivery.</remarks>
/// <param name="longestQueue">The most messages that a receive queue may have.</param>
/// <param name="nodeNames">The names of nodes, for messages.</param>
internal sealed class TransportMonitor(long longestQueue, IReadOnlyList<string> nodeNames) : ClusterMonitor
{
    private readonly Dictionary<(int From, int To), Queue<long>> _expected = [];
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
            case ClusterEventKind.QueueLength when clusterEvent.Value > longestQueue:
                Report(
                    clusterEvent.Nanoseconds,
                    $"{clusterEvent.Value} messages waited at {nodeNames[clusterEvent.Node]}, "
                        + $"and {longestQueue} is the bound"
                );
                break;
        }
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var message in _acknowledged.Where(message => !_delivered.Contains(message)).Order())
            Report(nanoseconds, $"message {message} was acknowledged and never went upward");
    }

    private void Deliver(in ClusterEvent delivered)
    {
        var (from, to) = (nodeNames[delivered.Peer], nodeNames[delivered.Node]);
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
