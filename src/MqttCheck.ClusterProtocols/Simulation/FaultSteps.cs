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
        faults
            .SelectMany(fault => Of(topology, fault))
            .Select(step => step with { AtNanoseconds = step.AtNanoseconds + lead });

    /// <summary>The nodes that a fault lets join later.</summary>
    /// <param name="faults">The faults of one run.</param>
    public static IReadOnlySet<int> Absent(IEnumerable<ScheduledFault> faults) =>
        faults
            .Where(fault => fault.Fault is NodeFault { Kind: NodeFaultKind.Join })
            .SelectMany(fault => fault.Nodes)
            .ToHashSet();

    private static IEnumerable<SimulationStep> Of(Topology topology, ScheduledFault fault)
    {
        var (begin, end) = fault.Fault switch
        {
            NodeFault { Kind: NodeFaultKind.Freeze } => (SimulationStepKind.Freeze, SimulationStepKind.Continue),
            NodeFault { Kind: NodeFaultKind.Join } => (SimulationStepKind.Start, SimulationStepKind.Start),
            NodeFault { Kind: NodeFaultKind.Stop } => (SimulationStepKind.Leave, SimulationStepKind.Start),
            NodeFault => (SimulationStepKind.Kill, SimulationStepKind.Start),
            LinkFault { IsSlow: true } => (SimulationStepKind.Slow, SimulationStepKind.Slow),
            LinkFault => (SimulationStepKind.Cut, SimulationStepKind.Mend),
            _ => (SimulationStepKind.Stall, SimulationStepKind.Release),
        };
        // A cut without a duration resets the connections, which may come back at once.
        var until = fault.EndNanoseconds ?? (begin == SimulationStepKind.Cut ? fault.AtNanoseconds : null);
        foreach (var node in fault.Nodes)
        {
            yield return Step(fault.AtNanoseconds, begin) with
            {
                Node = node,
            };
            if (until is { } restart)
                yield return Step(restart, end) with
                {
                    Node = node,
                };
        }
        foreach (var link in fault.Links)
        {
            var ordinary = topology.Links[link];
            yield return Step(fault.AtNanoseconds, begin) with
            {
                Link = link,
                Law = Law(fault.Fault, ordinary),
            };
            if (until is { } mended)
                yield return Step(mended, end) with
                {
                    Link = link,
                    Law = ordinary,
                };
        }
    }

    private static SimulationStep Step(long at, SimulationStepKind kind) => new() { AtNanoseconds = at, Kind = kind };

    private static TopologyLink Law(ClusterFault fault, TopologyLink ordinary) =>
        fault is LinkFault { IsSlow: true } slow
            ? ordinary with
            {
                DelayMilliseconds = slow.DelayMilliseconds ?? ordinary.DelayMilliseconds,
                BitsPerSecond = slow.BitsPerSecond ?? ordinary.BitsPerSecond,
                Loss = slow.Loss ?? ordinary.Loss,
            }
            : ordinary;
}
