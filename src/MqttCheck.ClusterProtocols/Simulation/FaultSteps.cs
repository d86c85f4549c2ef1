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
    public static IEnumerable<SimulationStep> Of(
        Topology topology,
        IEnumerable<ScheduledFault> faults,
        long lead = 0
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

    /// <summary>Refuses faults that only real nodes and links can have.</summary>
    /// <param name="topology">The topology with its faults.</param>
    /// <exception cref="InputException">There is such a fault.</exception>
    public static void ThrowIfLiveOnly(Topology topology)
    {
        if (topology.Scenario.Faults.FirstOrDefault(fault => fault.IsLiveOnly) is not { } fault)
            return;
        throw FaultKinds.Simulated.Contains(fault.Kind)
            ? new InputException(
                $"{topology.Name}: '{fault}' is not simulated; allowed: a partition of both directions between nodes."
            )
            : fault.Kind.Refusal(topology.Name, "simulated", FaultKinds.Simulated);
    }

    /// <summary>The nodes that a fault lets join later.</summary>
    /// <param name="faults">The faults of one run.</param>
    public static IReadOnlySet<int> Absent(IEnumerable<ScheduledFault> faults) =>
        faults.Where(fault => fault.Fault.Kind == FaultKind.Join).SelectMany(fault => fault.Nodes).ToHashSet();

    private static TopologyLink LawOf(TopologyLink ordinary, ScheduledFault fault) =>
        ordinary with
        {
            DelayMilliseconds = fault.Fault.DelayMilliseconds ?? ordinary.DelayMilliseconds,
            BitsPerSecond = fault.Fault.BitsPerSecond ?? ordinary.BitsPerSecond,
            Loss = fault.Fault.Loss ?? ordinary.Loss,
        };
}
