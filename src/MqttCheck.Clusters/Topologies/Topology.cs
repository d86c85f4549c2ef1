namespace MqttCheck.Clusters.Topologies;

/// <summary>A cluster as a file or a family describes it: nodes, links, and what is asked of them.</summary>
public sealed record Topology
{
    /// <summary>The name in tables and file names, for example <c>plant</c>.</summary>
    public required string Name { get; init; }

    /// <summary>What the nodes are.</summary>
    public required ClusterSystem System { get; init; }

    /// <summary>The brokers, at least one. Their order decides ties: an earlier one has a lower number.</summary>
    public required IReadOnlyList<TopologyNode> Nodes { get; init; }

    /// <summary>The links; each pair of nodes has at most one.</summary>
    public required IReadOnlyList<TopologyLink> Links { get; init; }
}
