using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I10: at the end all nodes hand out the same retained message of a topic. Few systems promise this, so it is reported
/// and decides nothing. A subscription with <see cref="ClusterEvent.IsRetained"/> says that a node was asked.
/// </summary>
/// <param name="nodeNames">The names of nodes, for messages.</param>
/// <param name="reaches">
/// Whether a topic that is published at the first node reaches the second one; null where all reach all.
/// </param>
internal sealed class RetainedMonitor(IReadOnlyList<string> nodeNames, Func<int, int, string, bool>? reaches = null)
    : ClusterMonitor
{
    private readonly Dictionary<string, int> _publishers = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, SortedDictionary<int, long>> _latest = new(StringComparer.Ordinal);
    private readonly SortedSet<int> _asked = [];

    /// <inheritdoc/>
    public override string Name => "retained";

    /// <inheritdoc/>
    public override bool Decides => false;

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        if (!clusterEvent.IsRetained)
            return;
        if (clusterEvent.Kind == ClusterEventKind.Published)
            _publishers[clusterEvent.Topic] = clusterEvent.Node;
        if (clusterEvent.Kind == ClusterEventKind.Subscribed)
            _asked.Add(clusterEvent.Node);
        if (clusterEvent.Kind != ClusterEventKind.Delivered)
            return;
        var nodes = _latest.GetOrNew(clusterEvent.Topic);
        nodes[clusterEvent.Node] = clusterEvent.Message;
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var (topic, nodes) in _latest)
        {
            var silent = _asked.Where(node => !nodes.ContainsKey(node) && IsOwed(node, topic)).ToList();
            if (nodes.Values.Distinct().Count() + (silent.Count > 0 ? 1 : 0) < 2)
                continue;
            var found = nodes
                .Select(node => $"{node.Value} at {nodeNames[node.Key]}")
                .Concat(silent.Select(node => $"missing at {nodeNames[node]}"));
            Report(nanoseconds, $"the retained message of {topic} is {string.Join(", ", found)}");
        }
    }

    private bool IsOwed(int node, string topic) =>
        reaches is null || !_publishers.TryGetValue(topic, out var publisher) || reaches(publisher, node, topic);
}
