namespace MqttCheck.Clusters.Topologies.Systems;

/// <summary>The nodes that a pipeline needs.</summary>
internal static class PipelineNodes
{
    /// <summary>Says why the nodes are no pipeline, and what is allowed; null if they are one.</summary>
    public static string? Problem(Topology topology)
    {
        var stores = topology.Nodes.Count(node => node.Kind == NodeKind.Store);
        var logs = topology.Nodes.Count(node => node.Kind == NodeKind.Log);
        return stores == 1 && logs == 1 && topology.Brokers.Count > 0
            ? null
            : FormattableString.Invariant($"{logs} logs, {stores} stores and {topology.Brokers.Count} brokers given; ")
                + "allowed: one node of kind \"log\", one of kind \"store\", and brokers";
    }

    /// <summary>Refuses nodes that are no pipeline.</summary>
    /// <param name="topology">The topology.</param>
    /// <exception cref="InputException">The nodes are none.</exception>
    public static void ThrowIfWrong(Topology topology)
    {
        if (Problem(topology) is { } problem)
            throw new InputException($"{topology.Name}: {problem}.");
    }
}
