using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I7 of topics' overlays: as long as all nodes know the same members of a topic, each takes the same node for the
/// root. A member that comes and goes makes others elect anew, even if a node has not heard of it.
/// </summary>
/// <param name="nodeNames">The names of nodes, for messages.</param>
public sealed class TopicRootMonitor(IReadOnlyList<string> nodeNames) : ClusterMonitor
{
    private readonly Dictionary<(int Node, string Topic), int> _roots = [];

    /// <inheritdoc/>
    public override string Name => "stable topic root";

    /// <inheritdoc/>
    public override string Statement => "the root of a topic changes only with the members";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        var key = (clusterEvent.Node, clusterEvent.Topic);
        if (clusterEvent.Kind == ClusterEventKind.TopicMembersChanged)
        {
            for (var node = 0; node < nodeNames.Count; node++)
                _roots.Remove((node, clusterEvent.Topic));
        }
        else if (
            clusterEvent.Kind == ClusterEventKind.TopicRootChanged
            && !_roots.TryAdd(key, clusterEvent.Peer)
            && _roots[key] != clusterEvent.Peer
        )
        {
            Report(
                clusterEvent.Nanoseconds,
                $"{nodeNames[clusterEvent.Node]} takes {nodeNames[clusterEvent.Peer]} for the root of "
                    + $"{clusterEvent.Topic} instead of {nodeNames[_roots[key]]}, and the members are the same"
            );
            _roots[key] = clusterEvent.Peer;
        }
    }
}
