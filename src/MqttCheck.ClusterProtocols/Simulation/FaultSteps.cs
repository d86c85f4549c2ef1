using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>Turns the faults of one run into steps of its simulation.</summary>
internal static class FaultSteps
{
    /// <summary>The steps of faults, in no order.</summary>
    /// <param name="topology">The topology whose faults they are.</param>
    /// <param name="faults">The faults with the times and targets of one run.</param>
    /// <param name="lead">How long after the beginning of the simulation their times begin, in nanoseconds.</param>
    /// <exception cref="InputException">Only real nodes and links can have one of the faults.</exception>
    public static IEnumerable<SimulationStep> Of(Topology topology, IReadOnlyList<ScheduledFault> faults, long lead = 0)
    {
        if (faults.FirstOrDefault(fault => fault.Fault.IsLiveOnly) is { } real)
            throw NotSimulated(topology, real.Fault);
        return Steps(topology, faults, lead);
    }

    private static IEnumerable<SimulationStep> Steps(
        Topology topology,
        IEnumerable<ScheduledFault> faults,
        long lead
    ) =>
        from fault in faults
        from place in fault
            .Nodes.Select(node => new SimulationStep { Node = node })
            .Concat(
                fault.Links.Select(link => new SimulationStep { Link = link, Law = LawOf(topology.Links[link], fault) })
            )
        let begin = place with
        {
            AtNanoseconds = lead + fault.AtNanoseconds,
            Kind = SimulationStepKind.FaultBegins,
            Fault = fault.Fault.Kind,
        }
        from step in fault.HealsAtNanoseconds is { } end
            ? (SimulationStep[])
                [
                    begin,
                    begin with
                    {
                        AtNanoseconds = lead + end,
                        Kind = SimulationStepKind.FaultEnds,
                        Law = place.Law is null ? null : topology.Links[place.Link],
                    },
                ]
            : [begin]
        select step;

    /// <summary>The nodes that a fault lets join later.</summary>
    /// <param name="faults">The faults of one run.</param>
    public static IReadOnlySet<int> Absent(IEnumerable<ScheduledFault> faults) =>
        faults.Where(fault => fault.Fault.Kind == FaultKind.Join).SelectMany(fault => fault.Nodes).ToHashSet();

    private static InputException NotSimulated(Topology topology, ClusterFault fault) =>
        fault.Kind == FaultKind.Partition
            ? new InputException(
                $"{topology.Name}: '{fault}' is not simulated; allowed: a partition of both directions between nodes."
            )
            : fault.Kind.Refusal(topology.Name, "simulated", FaultKinds.Simulated);

    private static TopologyLink LawOf(TopologyLink ordinary, ScheduledFault fault) =>
        ordinary with
        {
            DelayMilliseconds = fault.Fault.DelayMilliseconds ?? ordinary.DelayMilliseconds,
            BitsPerSecond = fault.Fault.BitsPerSecond ?? ordinary.BitsPerSecond,
            Loss = fault.Fault.Loss ?? ordinary.Loss,
        };
}
