using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Transport;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>
/// Puts bursts of publications and lost connections to a simulated transport with short queues, and shrinks the first
/// case in which an invariant (I9) does not hold. A publication goes to every other node.
/// </summary>
/// <param name="topology">Nodes that are all linked to each other.</param>
/// <param name="seed">The seed of the cases and of what they draw.</param>
/// <param name="mutant">The rule that is broken.</param>
internal sealed class TransportCheck(Topology topology, ulong seed, TransportMutant mutant) : CaseSearch(topology)
{
    private const long Millisecond = 1_000_000;

    // Longer than any message needs: short queues drop, and what was dropped is sent again after 60 ms.
    private const long RestNanoseconds = 5_000 * Millisecond;

    private readonly Gen<CaseStep[]> _cases = GeneratorOf(topology);

    /// <summary>Simulates one run of a case and returns the violations that it shows.</summary>
    public static IReadOnlyList<ClusterViolation> Judge(
        Topology topology,
        ClusterCase tested,
        ulong seed,
        TransportMutant mutant
    )
    {
        var faults = tested.Steps.OfType<CaseFault>().Select(step => step.Fault);
        var hit = topology with { Scenario = topology.Scenario with { Faults = [.. faults] } };
        var operations = tested.Steps.OfType<CaseOperation>().Where(step => step.Verb == CaseVerb.Publish).ToList();
        var plan = TransportPlans.Of(hit, ScheduledFault.Of(hit, seed: 0, run: 0));
        var setup = plan with
        {
            Design = plan.Design with
            {
                Mutant = mutant,
                SendQueueCapacity = Math.Min(4, plan.Design.SendQueueCapacity),
                ReceiveQueueCapacity = Math.Min(3, plan.Design.ReceiveQueueCapacity),
                ShedLength = Math.Min(6, plan.Design.ShedLength),
                RetransmissionNanoseconds = 60 * Millisecond,
            },
            Publications =
            [
                .. operations
                    .Select(step => (step.AtNanoseconds, topology.NodeIndex(step.Node)))
                    .OrderBy(publication => publication.AtNanoseconds),
            ],
            DurationNanoseconds = LengthOf(tested),
        };
        var recorder = new TransportRecorder(setup, [.. topology.Nodes.Select(node => node.Name)]);
        recorder.End(TransportSimulation.Run(setup, seed, 0, recorder));
        recorder.ExpectAll();
        return recorder.Monitor.Violations;
    }

    private protected override (ClusterCase Case, ulong Seed) Draw(long number)
    {
        var random = RandomStream.For(seed, (ulong)number);
        var tested = new ClusterCase([.. CaseGen.Draw(_cases, ref random)]);
        return (tested, random.NextUInt64() >> 32);
    }

    private protected override long DurationOf(ClusterCase tested) => LengthOf(tested);

    private static long LengthOf(ClusterCase tested) =>
        tested.Steps.Select(TimeOf).DefaultIfEmpty(0).Max() + RestNanoseconds;

    private protected override IReadOnlyList<ClusterViolation> Judge(ClusterCase tested, ulong seed) =>
        Judge(Topology, tested, seed, mutant);

    private protected override ClusterFinding? Simpler(ClusterFinding best, ClusterCase variant) =>
        variant.Steps.Any(step => step is CaseOmission or CaseDelay) ? null : Shown(best, variant, best.Seed);

    private static long TimeOf(CaseStep step) =>
        step switch
        {
            CaseOperation operation => operation.AtNanoseconds,
            CaseFault { Fault: var fault } => fault.At.LatestNanoseconds,
            _ => 0,
        };

    private static Gen<CaseStep[]> GeneratorOf(Topology topology)
    {
        var node = Gen.Elements(topology.Nodes.Select(node => node.Name).ToArray());
        var burst =
            from at in node
            from begin in Gen.Choose(0, 300)
            from count in Gen.Choose(1, 20)
            from gap in Gen.Choose(0, 3)
            select Enumerable.Range(0, count).Select(i => Publication(at, begin + (i * gap))).ToArray<CaseStep>();
        var cut =
            from link in Gen.Elements(topology.Links.ToArray())
            from at in Gen.Choose(0, 400)
            select Cut(topology, link, at);
        return from bursts in CaseGen.Some(1, 4, burst)
            from cuts in CaseGen.Some(0, 4, cut)
            select bursts.SelectMany(steps => steps).OrderBy(TimeOf).Concat<CaseStep>(cuts).ToArray();
    }

    private static CaseOperation Publication(string node, int milliseconds) =>
        new()
        {
            Node = node,
            Verb = CaseVerb.Publish,
            Topic = "t/1",
            Qos = QualityOfService.AtLeastOnce,
            AtNanoseconds = milliseconds * Millisecond,
        };

    private static CaseFault Cut(Topology topology, TopologyLink link, int milliseconds) =>
        new(
            new ClusterFault
            {
                Kind = FaultKind.Cut,
                Sides =
                [
                    [topology.Nodes[link.From].Name],
                    [topology.Nodes[link.To].Name],
                ],
                At = FaultTime.At(milliseconds * Millisecond),
            }
        );
}
