using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I7 of topics' overlays: as long as all nodes know the same members of a topic, each takes the same node for the
/// root. A member that comes and goes makes others elect anew, even if a node has not heard of it. So do a fault and
/// its end, once each: a member that stands still is missing in the tree for a while.
/// </summary>
/// <param name="nodeNames">The names of nodes, for messages.</param>
internal sealed class TopicRootMonitor(IReadOnlyList<string> nodeNames) : ClusterMonitor
{
    // The root of a node, and how many faults began or ended before it took that one; a change uses up one of them.
    private readonly Dictionary<(int Node, string Topic), (int Root, int Faults)> _roots = [];
    private int _faults;

    /// <inheritdoc/>
    public override string Name => "stable topic root";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.FaultBegan or ClusterEventKind.FaultEnded:
                _faults++;
                break;
            case ClusterEventKind.TopicMembersChanged:
                for (var node = 0; node < nodeNames.Count; node++)
                    _roots.Remove((node, clusterEvent.Topic));
                break;
            case ClusterEventKind.TopicRootChanged:
                Take((clusterEvent.Node, clusterEvent.Topic), clusterEvent.Peer, clusterEvent.Nanoseconds);
                break;
        }
    }

    private void Take((int Node, string Topic) key, int root, long nanoseconds)
    {
        if (!_roots.TryGetValue(key, out var before))
            _roots[key] = (root, _faults);
        else if (before.Root != root && before.Faults < _faults)
            _roots[key] = (root, before.Faults + 1);
        else if (before.Root != root)
        {
            Report(
                nanoseconds,
                $"{nodeNames[key.Node]} takes {nodeNames[root]} for the root of {key.Topic} instead of "
                    + $"{nodeNames[before.Root]}, and the members are the same"
            );
            _roots[key] = (root, _faults);
        }
    }
}
