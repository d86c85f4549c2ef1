namespace MqttCheck.Clusters.Topologies.Systems;

/// <summary>The nodes that a pipeline needs.</summary>
internal static class PipelineNodes
{
    // A majority of the primaries has to agree on a failover.
    private const int FewestPrimaries = 3;

    /// <summary>Says why the nodes are no pipeline, and what is allowed; null if they are one.</summary>
    public static string? Problem(Topology topology)
    {
        var stores = StoresOf(topology).Count;
        var logs = topology.Nodes.Count(node => node.Kind == NodeKind.Log);
        var given = FormattableString.Invariant(
            $"{logs} logs, {stores} stores and {topology.Brokers.Count} brokers given; allowed: "
        );
        if (logs != 1 || topology.Brokers.Count == 0)
            return given + "one node of kind \"log\", one of kind \"store\", and brokers";
        if (!topology.Pipeline.HasRedisCluster)
            return stores == 1 ? null : given + "one node of kind \"log\", one of kind \"store\", and brokers";
        var servers = 1 + topology.Pipeline.StoreReplicas;
        return stores >= FewestPrimaries * servers && stores % servers == 0
            ? null
            : given
                + FormattableString.Invariant(
                    $"with {topology.Pipeline.StoreReplicas} storeReplicas {servers} nodes of kind \"store\" for each "
                )
                + FormattableString.Invariant($"primary, and at least {FewestPrimaries} primaries");
    }

    /// <summary>Refuses nodes that are no pipeline.</summary>
    /// <param name="topology">The topology.</param>
    /// <exception cref="InputException">The nodes are none.</exception>
    public static void ThrowIfWrong(Topology topology)
    {
        if (Problem(topology) is { } problem)
            throw new InputException($"{topology.Name}: {problem}.");
    }

    /// <summary>The nodes of kind store, in the order of the file.</summary>
    public static IReadOnlyList<int> StoresOf(Topology topology) =>
        [.. Enumerable.Range(0, topology.Nodes.Count).Where(node => topology.Nodes[node].Kind == NodeKind.Store)];

    /// <summary>The stores between which sessions are divided; of a Redis Cluster its first primaries.</summary>
    public static IReadOnlyList<int> PrimariesOf(Topology topology)
    {
        var stores = StoresOf(topology);
        return topology.Pipeline.HasRedisCluster
            ? [.. stores.Take(stores.Count / (1 + topology.Pipeline.StoreReplicas))]
            : stores;
    }
}
