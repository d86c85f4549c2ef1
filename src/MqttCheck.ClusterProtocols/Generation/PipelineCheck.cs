using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.ClusterProtocols.Pipeline.Simulating;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>
/// Puts random cases to a simulated pipeline, most with one crash between two steps, and shrinks the first case in
/// which an invariant does not hold.
/// </summary>
/// <param name="topology">Brokers, a log and a store.</param>
/// <param name="seed">The seed of the cases and of what they draw.</param>
/// <param name="mutant">The rule that is broken.</param>
internal sealed class PipelineCheck(Topology topology, ulong seed, PipelineMutant mutant) : CaseSearch(topology)
{
    private const long Millisecond = 1_000_000;
    private const long FirstPublication = 1_500 * Millisecond;

    // A smaller case has other steps; its crash is tried at so many of them.
    private const int CrashPointsOfVariant = 60;

    private static readonly string[] s_topics = ["t/1", "t/2"];
    private static readonly string[] s_filters = ["t/1", "t/2", "t/+", "#"];

    private readonly Gen<CaseStep[]> _cases = GeneratorOf(topology);

    /// <summary>The case with a process that ends right after a step of the run without it.</summary>
    public static ClusterCase WithCrash(Topology topology, ClusterCase tested, PipelineStepTime point) =>
        new([
            .. tested.Steps,
            new CaseFault(
                new ClusterFault
                {
                    Kind = FaultKind.Kill,
                    Sides =
                    [
                        [topology.Nodes[point.Node].Name],
                    ],
                    At = FaultTime.At(point.Nanoseconds),
                }
            ),
        ]);

    private protected override (ClusterCase Case, ulong Seed) Draw(long number)
    {
        var random = RandomStream.For(seed, (ulong)number);
        var calm = new ClusterCase([.. CaseGen.Draw(_cases, ref random)]);
        var drawn = RandomStream.For(seed, (ulong)number, 1).NextUInt64() >> 32;
        if (number % 5 == 0)
            return (calm, drawn);
        var points = CrashPoints(calm, drawn);
        return (points.Count == 0 ? calm : WithCrash(Topology, calm, points[random.NextInt(points.Count)]), drawn);
    }

    private protected override IReadOnlyList<ClusterViolation> Judge(ClusterCase tested, ulong seed) =>
        PipelineCaseRun.Of(Topology, tested, seed, mutant).Violations;

    private IReadOnlyList<PipelineStepTime> CrashPoints(ClusterCase calm, ulong drawn) =>
        [
            .. PipelineCaseRun
                .Of(Topology, calm, drawn, mutant)
                .StepTimes.Where(step => step.Nanoseconds >= FirstPublication),
        ];

    private static Gen<CaseStep[]> GeneratorOf(Topology topology)
    {
        var node = Gen.Elements(topology.Brokers.Select(index => topology.Nodes[index].Name).ToArray());
        var qos = Gen.Elements(QualityOfService.AtLeastOnce, QualityOfService.ExactlyOnce);
        var subscription =
            from at in node
            from filter in Gen.Elements(s_filters)
            select Operation(at, CaseVerb.Subscribe, filter, QualityOfService.ExactlyOnce, 0);
        var publication =
            from at in node
            from topic in Gen.Elements(s_topics)
            from level in qos
            from time in Gen.Choose(0, 400)
            select Operation(at, CaseVerb.Publish, topic, level, FirstPublication + (time * Millisecond));
        return from subscriptions in CaseGen.Some(1, 2, subscription)
            from publications in CaseGen.Some(1, 12, publication)
            select subscriptions.Concat(publications.OrderBy(step => step.AtNanoseconds)).ToArray<CaseStep>();
    }

    private static CaseOperation Operation(string node, CaseVerb verb, string topic, QualityOfService qos, long at) =>
        new()
        {
            Node = node,
            Verb = verb,
            Topic = topic,
            Qos = qos,
            AtNanoseconds = at,
        };

    private static ClusterCase Calm(ClusterCase tested) => new([.. tested.Steps.Where(step => step is not CaseFault)]);

    // A case of a pipeline has no omissions, delays or silences, and the time of its crash is chosen anew.
    private protected override ClusterFinding? Simpler(ClusterFinding best, ClusterCase variant)
    {
        if (variant.Steps.Any(step => step is CaseOmission or CaseDelay or CaseSilence))
            return null;
        if (Shown(best, variant, best.Seed) is { } same)
            return same;
        var (calm, crash) = (Calm(variant), variant.Steps.OfType<CaseFault>().SingleOrDefault());
        // A variant of the crash alone would be moved back to where it was.
        if (crash?.Fault is not { IsOfNodes: true, Sides: [[var name]] } || calm.Equals(Calm(best.Shrunk)))
            return null;
        var points = CrashPoints(calm, best.Seed).Where(point => point.Node == Topology.NodeIndex(name)).ToList();
        var gap = Math.Max(1, (points.Count + CrashPointsOfVariant - 1) / CrashPointsOfVariant);
        for (var i = 0; i < points.Count; i += gap)
        {
            if (Shown(best, WithCrash(Topology, calm, points[i]), best.Seed) is { } moved)
                return moved;
        }
        return null;
    }
}
