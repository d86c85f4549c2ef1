using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I10: at the end all nodes hand out the same retained message of a topic. Few systems promise this, so it is reported
/// and decides nothing.
/// </summary>
/// <param name="nodeNames">The names of nodes, for messages.</param>
public sealed class RetainedMonitor(IReadOnlyList<string> nodeNames) : ClusterMonitor
{
    private readonly SortedDictionary<string, SortedDictionary<int, long>> _latest = new(StringComparer.Ordinal);

    /// <inheritdoc/>
    public override string Name => "retained";

    /// <inheritdoc/>
    public override string Statement => "all nodes hand out the same retained message of a topic";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        if (clusterEvent.Kind != ClusterEventKind.Delivered || !clusterEvent.IsRetained)
            return;
        if (!_latest.TryGetValue(clusterEvent.Topic, out var nodes))
            _latest[clusterEvent.Topic] = nodes = [];
        nodes[clusterEvent.Node] = clusterEvent.Message;
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var (topic, nodes) in _latest)
        {
            if (nodes.Values.Distinct().Count() > 1)
                Report(
                    nanoseconds,
                    $"the retained message of {topic} is "
                        + $"{string.Join(", ", nodes.Select(node => $"{node.Value} at {nodeNames[node.Key]}"))}"
                );
        }
    }
}
