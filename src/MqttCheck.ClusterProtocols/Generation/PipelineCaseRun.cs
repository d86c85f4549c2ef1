using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.ClusterProtocols.Pipeline.Simulating;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>Simulates a case of a pipeline and judges durability (I8) and order (I3).</summary>
/// <remarks>
/// Every subscription is that of a persistent session whose packet identifiers are about to start again. A process
/// whose kill has no duration is started again after a second, as by a supervisor.
/// </remarks>
internal sealed class PipelineCaseRun : ISimulationObserver
{
    private const long Second = 1_000_000_000;
    private const ushort LastPacketId = 65_533;

    private readonly DurabilityMonitor _durability = new(Second);
    private readonly OrderMonitor _order = new();
    private readonly HashSet<(long, int)> _delivered = [];

    /// <summary>How many deliveries repeated an earlier one.</summary>
    public int Repeated { get; private set; }

    /// <summary>When something happened at which node.</summary>
    public IReadOnlyList<PipelineStepTime> StepTimes { get; private set; } = [];

    /// <summary>The violations that the monitors saw, in order of time.</summary>
    public IReadOnlyList<ClusterViolation> Violations =>
        [.. _durability.Violations.Concat(_order.Violations).OrderBy(violation => violation.Nanoseconds)];

    /// <summary>Simulates one run of a case and returns the violations that it shows.</summary>
    public static IReadOnlyList<ClusterViolation> Judge(
        Topology topology,
        ClusterCase tested,
        ulong seed,
        PipelineMutant mutant
    ) => Of(topology, tested, seed, mutant).Violations;

    /// <summary>Makes one run.</summary>
    public static PipelineCaseRun Of(Topology topology, ClusterCase tested, ulong seed, PipelineMutant mutant)
    {
        var plan = PlanOf(topology, tested, mutant);
        var run = new PipelineCaseRun();
        run.StepTimes = PipelineSimulation.Run(plan, seed, 0, run);
        run._durability.End(plan.DurationNanoseconds);
        return run;
    }

    /// <inheritdoc/>
    public void Observe(in ClusterEvent happened)
    {
        _durability.Add(happened);
        _order.Add(happened);
        if (happened.Kind == ClusterEventKind.Delivered && !_delivered.Add((happened.Message, happened.Client)))
            Repeated++;
    }

    private static PipelinePlan PlanOf(Topology topology, ClusterCase tested, PipelineMutant mutant)
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
        return plan with { LastPacketId = LastPacketId, Options = plan.Options with { Mutant = mutant } };
    }
}
