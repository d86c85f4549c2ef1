namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>A fault of one node.</summary>
public sealed record NodeFault : ClusterFault
{
    /// <summary>The kind of fault.</summary>
    public required NodeFaultKind Kind { get; init; }

    /// <summary>The name of the node, or <see cref="ClusterFault.Any"/> for any broker.</summary>
    public required string Node { get; init; }

    /// <inheritdoc/>
    protected override string Action => $"{Kind.ToString().ToLowerInvariant()} {Node}";

    /// <inheritdoc/>
    public override IEnumerable<string> Problems(Topology topology)
    {
        ArgumentNullException.ThrowIfNull(topology);
        if (topology.System == ClusterSystem.Running)
            yield return "the nodes run already, and are not MqttCheck's to end; allowed: faults of links";
        if (Node != Any && UnknownNode(topology, Node) is { } unknown)
            yield return unknown;
        if (Kind == NodeFaultKind.Join && topology.Nodes.Count == 1)
            yield return "the only node cannot join later; allowed: a node of several";
    }

    internal override (IReadOnlyList<int> Nodes, IReadOnlyList<int> Links) Targets(Topology topology, double draw)
    {
        var brokers = topology.Brokers;
        return ([Node == Any ? brokers[(int)(draw * brokers.Count)] : topology.NodeIndex(Node)], []);
    }
}
