using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.InMemory;

/// <summary>
/// A cluster in virtual time at the level of bytes: nodes with their brokers, real clients, and packets on the links.
/// It takes the plans of the simulator of frames, and draws the same delays.
/// </summary>
/// <remarks>
/// Not thread-safe. A run depends on the plan, the seed and the replication alone. Nodes serve at once.
/// </remarks>
internal sealed class ByteSimulator
{
    private readonly SimulationPlan _plan;
    private readonly IClusterEventSink? _observer;

    /// <summary>A simulator of one plan.</summary>
    /// <param name="plan">The plan to simulate.</param>
    /// <param name="observer">Who is told; null for nobody.</param>
    /// <exception cref="InputException">Nodes have service times, or announce themselves by multicast.</exception>
    public ByteSimulator(SimulationPlan plan, IClusterEventSink? observer = null)
    {
        (_plan, _observer) = (plan, observer);
        if (!plan.Topology.System.Has(SystemTraits.PlainHops))
            throw new InputException(
                $"{plan.Topology.Name}: the system '{plan.Topology.System.Name()}' is not simulated at the level of "
                    + "bytes; allowed: spanning-tree, flood. The level of frames takes it."
            );
        foreach (var node in plan.Topology.Nodes)
            if (node.ServiceMilliseconds is { } law)
                throw new InputException(
                    $"{plan.Topology.Name}: node {node.Name} has the service time {law}; allowed at the level of "
                        + "bytes: nodes without one. The level of frames takes it."
                );
    }

    /// <summary>Simulates one replication from its start to its end.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="replication">The number of the replication, from 0.</param>
    /// <returns>The traffic on the links: packets, publications and deliveries.</returns>
    public SimulationTotals Run(ulong seed, long replication)
    {
        using var run = new ByteRun(_plan, _observer, seed, (ulong)replication);
        return run.Run();
    }
}
