using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.Clusters.Monitors.Messages;

/// <summary>
/// Which messages must come in the order of their publication. A broker keeps the order of a topic (MQTT-4.6.0-6). So
/// do several brokers whose system promises it. Neither holds near a fault, or while a tree between nodes changes.
/// </summary>
/// <param name="topology">The cluster.</param>
internal sealed class OrderPromise(Topology topology)
{
    private readonly long _settle = (long)topology.Scenario.Settle.TotalNanoseconds;
    private readonly bool _isKeptBetween = topology.System.Has(SystemTraits.KeepsOrder);

    // A client that leaves has messages under way, which its broker sends again whenever it likes.
    private readonly bool _hasAbsence = topology.Load.OfflineShare > 0;
    private readonly List<(long Begin, long End)> _disturbed = [];
    private readonly Dictionary<(int Node, int Peer), int> _latest = [];

    /// <summary>Takes the next event; it looks at faults and at the notes of nodes.</summary>
    /// <param name="clusterEvent">An event that is not earlier than the one before.</param>
    public void Add(in ClusterEvent clusterEvent)
    {
        var (now, ends) = (clusterEvent.Nanoseconds, (clusterEvent.Node, clusterEvent.Peer));
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.FaultBegan:
                _latest[ends] = _disturbed.Count;
                _disturbed.Add((now, long.MaxValue));
                break;
            case ClusterEventKind.FaultEnded or ClusterEventKind.BridgesRestored:
                if (_latest.TryGetValue(ends, out var index))
                    _disturbed[index] = _disturbed[index] with { End = now };
                break;
            case ClusterEventKind.RootChanged
            or ClusterEventKind.ParentChanged
            or ClusterEventKind.TopicParentChanged
            or ClusterEventKind.SessionForgotten:
                _disturbed.Add((now, now));
                break;
        }
    }

    /// <summary>Whether two messages had to keep their order.</summary>
    /// <param name="from">The node that they were published to.</param>
    /// <param name="to">The node that delivered them.</param>
    /// <param name="begin">When the first of them was published.</param>
    /// <param name="end">When the last of them came.</param>
    public bool Holds(int from, int to, long begin, long end) =>
        !_hasAbsence
        && (from == to || _isKeptBetween)
        && !_disturbed.Exists(by =>
            by.Begin - _settle <= end && (by.End == long.MaxValue || by.End + _settle >= begin)
        );
}
