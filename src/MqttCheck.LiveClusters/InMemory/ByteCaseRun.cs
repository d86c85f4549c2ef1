using MqttCheck.ClusterProtocols.Generation;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.InMemory;

/// <summary>Runs a case at the level of bytes, and judges it as <see cref="CaseRun"/> does.</summary>
internal static class ByteCaseRun
{
    /// <summary>Judges one run of a case.</summary>
    /// <param name="topology">The cluster, whose system can be simulated.</param>
    /// <param name="tested">The case.</param>
    /// <param name="seed">The seed of delays and first statements.</param>
    /// <returns>The violations in the order in which they were seen; empty if every check held.</returns>
    /// <exception cref="InputException">Nodes have service times.</exception>
    public static IReadOnlyList<ClusterViolation> Judge(Topology topology, ClusterCase tested, ulong seed) =>
        CaseRun.Judge(
            CaseRun.PlanOf(topology, tested, TreeMutant.None),
            ClusterCores.BoundOf(topology),
            (plan, sink) => new ByteSimulator(plan, sink).Run(seed, 0)
        );
}
