using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.LiveClusters.Disks;

/// <summary>The nodes of a cluster that need a disk of their own for its faults.</summary>
internal static class DiskNeeds
{
    private static readonly FaultKind[] s_kinds = [FaultKind.Power, FaultKind.Fill];

    /// <summary>A topology whose mixes say their kinds: disks fail too where nodes can have some.</summary>
    /// <param name="topology">A cluster that is started here.</param>
    public static Topology WithMixes(Topology topology) =>
        topology with
        {
            Scenario = topology.Scenario with
            {
                Faults =
                [
                    .. topology.Scenario.Faults.Select(fault =>
                        fault.Kind == FaultKind.Mix && fault.Kinds.Count == 0
                            ? fault with
                            {
                                Kinds = [.. fault.KindsOf(topology), .. DiskSupport.WhyNot() is null ? s_kinds : []],
                            }
                            : fault
                    ),
                ],
            },
        };

    /// <summary>The nodes, by their indexes.</summary>
    /// <param name="topology">A cluster that is started here.</param>
    /// <exception cref="BrokerException">This machine has no disks for nodes.</exception>
    public static IReadOnlyList<int> Of(Topology topology)
    {
        var faults = topology
            .Scenario.Faults.Where(fault => fault.KindsOf(topology).Any(kind => kind.NeedsDisk()))
            .ToList();
        if (faults.Count > 0 && DiskSupport.WhyNot() is { } why)
            throw new BrokerException($"{topology.Name}: fault '{faults[0]}' cannot be made here: {why}.");
        if (faults.Find(fault => fault.Kind == FaultKind.Throttle) is { } slow && DiskThrottle.WhyNot() is { } whyNot)
            throw new BrokerException($"{topology.Name}: fault '{slow}' cannot be made here: {whyNot}.");
        return [.. faults.SelectMany(fault => fault.Candidates(topology)).Distinct().Order()];
    }
}
