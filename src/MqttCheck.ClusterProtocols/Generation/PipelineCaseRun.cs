using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.ClusterProtocols.Pipeline.Simulating;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Cases;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>
/// Simulates a case of a pipeline and judges durability (I8), order (I3), QoS 2 (I2) and the order of acknowledgements.
/// </summary>
/// <remarks>
/// Every subscription is that of a persistent session whose packet identifiers are about to start again. A process
/// whose kill has no duration is started again after a second, as by a supervisor.
/// </remarks>
/// <param name="Violations">The violations that the monitors saw, in order of time.</param>
/// <param name="StepTimes">When something happened at which node.</param>
internal sealed record PipelineCaseRun(
    IReadOnlyList<ClusterViolation> Violations,
    IReadOnlyList<PipelineStepTime> StepTimes
)
{
    private const long Second = 1_000_000_000;
    private const ushort LastPacketId = 65_533;

    /// <summary>Makes one run.</summary>
    public static PipelineCaseRun Of(Topology topology, ClusterCase tested, ulong seed, PipelineMutant mutant)
    {
        var plan = PlanOf(topology, tested, mutant);
        var monitors = new MonitorGroup([.. MonitorsOf(plan, tested)]);
        var times = PipelineSimulation.Run(plan, seed, 0, monitors);
        monitors.End(plan.DurationNanoseconds);
        return new([.. monitors.Violations.OrderBy(violation => violation.Nanoseconds)], times);
    }

    // A message that the store has dropped may still be on its way to its client, and so come after later ones. Where
    // messages are dropped, order is not judged.
    private static IEnumerable<ClusterMonitor> MonitorsOf(PipelinePlan plan, ClusterCase tested)
    {
        var drops = tested.Steps.Any(step => step is CaseLimit or CaseLifetime);
        yield return new StoredMessagesMonitor(
            drops ? plan.Store.Limit : int.MaxValue,
            drops ? plan.Store.LifetimeNanoseconds : long.MaxValue,
            AbsencesOf(plan)
        );
        yield return new ExactlyOnceMonitor();
        yield return new AcknowledgementOrderMonitor();
        if (!drops)
            yield return new OrderMonitor();
    }

    private static List<(int Client, long From, long Until)> AbsencesOf(PipelinePlan plan)
    {
        var absences = new List<(int Client, long From, long Until)>();
        var away = new Dictionary<int, long>();
        foreach (var step in plan.Steps)
        {
            if (step.Kind == SimulationStepKind.Leave)
                away.TryAdd(step.Client, step.AtNanoseconds);
            else if (step.Kind == SimulationStepKind.Return && away.Remove(step.Client, out var from))
                absences.Add((step.Client, from, step.AtNanoseconds));
        }
        return absences;
    }

    /// <summary>The run of a case as a plan.</summary>
    internal static PipelinePlan PlanOf(Topology topology, ClusterCase tested, PipelineMutant mutant)
    {
        var faults = tested
            .Steps.OfType<CaseFault>()
            .Select(step => step.Fault)
            .Select(fault => fault with { DurationNanoseconds = fault.DurationNanoseconds ?? Second });
        var hit = topology with { Scenario = topology.Scenario with { Faults = [.. faults] } };
        var steps = CaseRun
            .Operations(topology, tested)
            .Where(step => topology.Nodes[step.Node].Kind == NodeKind.Broker)
            .Concat(FaultSteps.Of(hit, ScheduledFault.Of(hit, seed: 0, run: 0)))
            .OrderBy(step => step.AtNanoseconds)
            .ToArray();
        var last = steps.Length == 0 ? 0 : steps[^1].AtNanoseconds;
        var plan = PipelinePlans.Of(topology, steps, durationNanoseconds: last + (8 * Second));
        var store = new StoreOptions
        {
            Limit = tested.Steps.OfType<CaseLimit>().LastOrDefault()?.Messages ?? plan.Store.Limit,
            LifetimeNanoseconds =
                tested.Steps.OfType<CaseLifetime>().LastOrDefault()?.Nanoseconds ?? plan.Store.LifetimeNanoseconds,
        };
        var way = tested.Steps.OfType<CaseWay>().LastOrDefault()?.Law ?? plan.Times.WayMilliseconds;
        return plan with
        {
            Times = plan.Times with { WayMilliseconds = way },
            LastPacketId = LastPacketId,
            Store = store,
            Options = plan.Options with { Mutant = mutant },
        };
    }
}
