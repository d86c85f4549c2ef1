using System.Diagnostics;
using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Cases;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>Simulates a case and judges the run.</summary>
internal static class CaseRun
{
    // A loop of messages fills this in no time; runs without one stay far below.
    private const long MostPackets = 300_000;

    // At the level of bytes it carries the number of the message.
    private const int PayloadBytes = 8;

    /// <summary>Simulates one run of a case and says which violations it shows.</summary>
    internal static IReadOnlyList<ClusterViolation> Judge(
        Topology topology,
        ClusterCase tested,
        ulong seed,
        TreeMutant mutant,
        OverlayMutant overlay = OverlayMutant.None
    ) =>
        Judge(
            PlanOf(topology, tested, mutant, overlay),
            ClusterCores.BoundOf(topology),
            (plan, sink) => new ClusterSimulator(plan, sink).Run(seed, 0)
        );

    /// <summary>The violations of one run.</summary>
    /// <param name="plan">The plan of the run.</param>
    /// <param name="boundNanoseconds">How long after a fault trees and routes may be wrong.</param>
    /// <param name="run">Simulates the plan and tells of its events.</param>
    internal static IReadOnlyList<ClusterViolation> Judge(
        SimulationPlan plan,
        long boundNanoseconds,
        Func<SimulationPlan, IClusterEventSink, SimulationTotals> run
    )
    {
        IReadOnlyList<ClusterMonitor> monitors =
        [
            .. RunMonitors.OfCase(plan.Topology, boundNanoseconds, plan.Absent),
            .. MonitorsOf(plan, boundNanoseconds),
        ];
        var group = new MonitorGroup(monitors);
        if (run(plan, group).IsCutShort)
            monitors.OfType<CaseMonitor>().Single().EndEarly(plan.DurationNanoseconds);
        else
            group.End(plan.DurationNanoseconds);
        return [.. group.Violations.OrderBy(violation => violation.Nanoseconds)];
    }

    private static IEnumerable<ClusterMonitor> MonitorsOf(SimulationPlan plan, long boundNanoseconds)
    {
        if (RepairMonitor.Judges(plan.Topology))
            yield return new RepairMonitor(plan.Topology, boundNanoseconds, plan.Absent);
        if (plan.Topology.System == ClusterSystem.TopicOverlay)
        {
            var clients = new int[plan.Topology.Nodes.Count];
            SimulationPlan.CountClients(plan.Steps, clients);
            yield return new TopicFitnessMonitor(plan.Topology, clients, boundNanoseconds);
        }
    }

    internal static SimulationPlan PlanOf(
        Topology topology,
        ClusterCase tested,
        TreeMutant mutant,
        OverlayMutant overlay = OverlayMutant.None
    )
    {
        var smaller = Edited(topology, tested);
        var silence = tested.Steps.OfType<CaseSilence>().LastOrDefault()?.Nanoseconds;
        var options = ClusterCores.OptionsOf(smaller) with { Mutant = mutant, SilenceNanoseconds = silence };
        if (silence is not null)
            smaller = smaller with { Overlay = smaller.Overlay with { SilenceSeconds = silence / 1e9 } };
        var isOverlay = topology.System.IsOverlay();
        if (tested.Steps.OfType<CaseRoot>().LastOrDefault() is { Rule: var rule })
            smaller = smaller with { Overlay = smaller.Overlay with { Root = rule } };
        var faults = FaultsOf(smaller);
        var steps = Operations(topology, tested)
            .Concat(FaultSteps.Of(smaller, faults))
            .OrderBy(step => step.AtNanoseconds)
            .ToArray();
        var last = steps.Length == 0 ? 0 : steps[^1].AtNanoseconds;
        var omitted = tested
            .Steps.OfType<CaseOmission>()
            .Where(omission => omission.Other.Length == 0)
            .Select(omission => topology.NodeIndex(omission.Node))
            .ToHashSet();
        return new SimulationPlan
        {
            Topology = smaller,
            Core = isOverlay
                ? OverlayCores.Of(smaller, overlay)
                : ClusterCores.Carried(smaller, ClusterCores.SpanningTree(smaller, options)),
            Hop = ClusterCores.HopOf(smaller),
            Steps = steps,
            Absent = FaultSteps.Absent(faults).Union(omitted).ToHashSet(),
            DurationNanoseconds = last + Math.Max(ClusterCores.BoundOf(topology), CostBoundOf(smaller)) + 3_000_000_000,
            MostPackets = MostPackets,
            LostAnnouncements =
            [
                .. tested
                    .Steps.OfType<CaseLostAnnouncements>()
                    .Select(step => (step.AtNanoseconds, step.AtNanoseconds + step.DurationNanoseconds)),
            ],
        };
    }

    // Costs that are known are judged, too, and nodes measure for longer than their tree needs.
    private static long CostBoundOf(Topology topology) =>
        topology.System.Has(SystemTraits.Elects) && topology.Links.All(link => link.DelayMilliseconds is ConstantLaw)
            ? TreeMonitor.CostBound(topology)
            : 0;

    // The nodes keep their places, so that the names and numbers of a smaller case mean the same.
    private static Topology Edited(Topology topology, ClusterCase tested)
    {
        IEnumerable<TopologyLink> links = topology.Links;
        foreach (var omission in tested.Steps.OfType<CaseOmission>())
        {
            var (a, b) = (topology.NodeIndex(omission.Node), topology.NodeIndex(omission.Other));
            // A node of topics' overlays needs links to all others, so a node that is left out keeps its links and does
            // not run.
            if (b < 0 && topology.System == ClusterSystem.TopicOverlay)
                continue;
            links = links.Where(link =>
                b < 0
                    ? link.From != a && link.To != a
                    : (link.From, link.To) != (a, b) && (link.From, link.To) != (b, a)
            );
        }
        if (tested.Steps.OfType<CaseDelay>().LastOrDefault() is { } delay)
            links = links.Select(link => link with { DelayMilliseconds = new ConstantLaw(delay.Milliseconds) });
        var capabilities = tested
            .Steps.OfType<CaseCapability>()
            .ToLookup(step => step.Node, step => step.Value, StringComparer.Ordinal);
        return topology with
        {
            Nodes =
            [
                .. topology.Nodes.Select(node =>
                    capabilities.Contains(node.Name) ? node with { Capability = capabilities[node.Name].Last() } : node
                ),
            ],
            Links = [.. links],
            Scenario = topology.Scenario with
            {
                Faults = [.. tested.Steps.OfType<CaseFault>().Select(step => step.Fault)],
            },
        };
    }

    // Faults of links and partitions that were left out have no effect.
    private static List<ScheduledFault> FaultsOf(Topology topology) =>
        [
            .. ScheduledFault.Of(
                topology with
                {
                    Scenario = topology.Scenario with
                    {
                        Faults = [.. topology.Scenario.Faults.Where(fault => !fault.Problems(topology).Any())],
                    },
                },
                seed: 0,
                run: 0
            ),
        ];

    // The clients of a case are one for each publishing node, and one for each subscription.
    internal static IEnumerable<SimulationStep> Operations(Topology topology, ClusterCase tested)
    {
        var subscribers = new Dictionary<(string, string), int>();
        foreach (var operation in tested.Steps.OfType<CaseOperation>().OrderBy(step => step.AtNanoseconds))
        {
            var node = topology.NodeIndex(operation.Node);
            var client = node;
            if (operation.Verb != CaseVerb.Publish)
            {
                var key = (operation.Node, operation.Topic);
                if (!subscribers.TryGetValue(key, out client))
                    subscribers.Add(key, client = topology.Nodes.Count + subscribers.Count);
            }
            yield return new SimulationStep
            {
                AtNanoseconds = operation.AtNanoseconds,
                Kind = operation.Verb switch
                {
                    CaseVerb.Publish => SimulationStepKind.Publish,
                    CaseVerb.Subscribe => SimulationStepKind.Subscribe,
                    CaseVerb.Unsubscribe => SimulationStepKind.Unsubscribe,
                    _ => throw new UnreachableException(),
                },
                Node = node,
                Client = client,
                Topic = operation.Topic,
                Qos = operation.Qos,
                PayloadBytes = PayloadBytes,
            };
        }
        foreach (var absence in tested.Steps.OfType<CaseAbsence>())
        {
            if (!subscribers.TryGetValue((absence.Node, absence.Filter), out var client))
                continue;
            var leaves = new SimulationStep
            {
                AtNanoseconds = absence.AtNanoseconds,
                Kind = SimulationStepKind.Leave,
                Node = topology.NodeIndex(absence.Node),
                Client = client,
            };
            yield return leaves;
            yield return leaves with
            {
                AtNanoseconds = absence.EndNanoseconds,
                Kind = SimulationStepKind.Return,
            };
        }
    }
}
