using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Pipeline;
using MqttCheck.Clusters.Pipeline.Simulating;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Clusters.Generation;

/// <summary>
/// Puts random cases to a simulated pipeline, most with one crash between two steps, and shrinks the first case in
/// which an invariant does not hold.
/// </summary>
/// <param name="topology">Brokers, a log and a store.</param>
/// <param name="seed">The seed of the cases and of what they draw.</param>
/// <param name="mutant">The rule that is broken.</param>
internal sealed class PipelineCheck(Topology topology, ulong seed, PipelineMutant mutant)
{
    private const long Millisecond = 1_000_000;
    private const long FirstPublication = 1_500 * Millisecond;

    // A smaller case has other steps; its crash is tried at so many of them.
    private const int CrashPointsOfVariant = 60;

    private static readonly string[] s_topics = ["t/1", "t/2"];
    private static readonly string[] s_filters = ["t/1", "t/2", "t/+", "#"];

    private readonly Gen<CaseStep[]> _cases = Cases(topology);
    private readonly HashSet<string> _known = [];
    private long _number;

    /// <summary>How many operations and faults the cases had.</summary>
    public long Operations { get; private set; }

    /// <summary>Runs the next case.</summary>
    /// <returns>
    /// The shrunk finding; null if all held, or if only such invariants were violated as were found before.
    /// </returns>
    public ClusterFinding? Next()
    {
        var number = _number++;
        var tested = Generate(number);
        Operations += tested.OperationCount;
        var drawn = RandomStream.For(seed, (ulong)number, 1).NextUInt64() >> 32;
        foreach (var violation in PipelineCaseRun.Judge(topology, tested, drawn, mutant))
        {
            if (_known.Add(violation.Invariant))
                return Shrink(tested, drawn, violation, number);
        }
        return null;
    }

    /// <summary>The case with a process that ends right after a step of the run without it.</summary>
    public static ClusterCase WithCrash(Topology topology, ClusterCase tested, PipelineStepTime point) =>
        new([
            .. tested.Steps,
            new CaseFault(
                new NodeFault
                {
                    At = FaultTime.At(point.Nanoseconds),
                    Kind = NodeFaultKind.Kill,
                    Node = topology.Nodes[point.Node].Name,
                }
            ),
        ]);

    private ClusterCase Generate(long number)
    {
        var random = RandomStream.For(seed, (ulong)number);
        // FsCheck's streams differ by seed and increment, which is odd.
        var calm = new ClusterCase(_cases.Sample(1, new Rnd(random.NextUInt64(), random.NextUInt64() | 1), 50)[0]);
        if (number % 5 == 0)
            return calm;
        var drawn = RandomStream.For(seed, (ulong)number, 1).NextUInt64() >> 32;
        var points = CrashPoints(calm, drawn);
        return points.Count == 0 ? calm : WithCrash(topology, calm, points[random.NextInt(points.Count)]);
    }

    private IReadOnlyList<PipelineStepTime> CrashPoints(ClusterCase calm, ulong drawn) =>
        [
            .. PipelineCaseRun
                .Of(topology, calm, drawn, mutant)
                .StepTimes.Where(step => step.Nanoseconds >= FirstPublication),
        ];

    private static Gen<CaseStep[]> Cases(Topology topology)
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
        return from subscriptions in Some(1, 2, subscription)
            from publications in Some(1, 12, publication)
            select subscriptions.Concat(publications.OrderBy(step => step.AtNanoseconds)).ToArray<CaseStep>();
    }

    private static Gen<T[]> Some<T>(int least, int most, Gen<T> one) =>
        Gen.Choose(least, most).SelectMany(count => Gen.ArrayOf(one, count));

    private static CaseOperation Operation(string node, CaseVerb verb, string topic, QualityOfService qos, long at) =>
        new()
        {
            Node = node,
            Verb = verb,
            Topic = topic,
            Qos = qos,
            AtNanoseconds = at,
        };

    private ClusterFinding Shrink(ClusterCase found, ulong drawn, ClusterViolation first, long number)
    {
        var (best, violation) = (found, first);
        var isSimpler = true;
        while (isSimpler)
        {
            isSimpler = false;
            foreach (var variant in ClusterCaseShrinker.Shrink(topology, best).Where(IsOfPipeline))
            {
                if (Shows(variant, best, drawn, first.Invariant) is not { } shown)
                    continue;
                (best, violation, isSimpler) = (shown.Case, shown.Violation, true);
                break;
            }
        }
        return new ClusterFinding(violation, found, best, drawn, number);
    }

    private static ClusterCase Calm(ClusterCase tested) => new([.. tested.Steps.Where(step => step is not CaseFault)]);

    // Nodes and ways cannot be left out, and when a process ends is chosen anew.
    private static bool IsOfPipeline(ClusterCase variant) =>
        !variant.Steps.Any(step => step is CaseOmission or CaseDelay or CaseSilence);

    private (ClusterCase Case, ClusterViolation Violation)? Shows(
        ClusterCase variant,
        ClusterCase best,
        ulong drawn,
        string invariant
    )
    {
        if (Violation(variant) is { } same)
            return (variant, same);
        var (calm, crash) = (Calm(variant), variant.Steps.OfType<CaseFault>().SingleOrDefault());
        // A variant of the crash alone would be moved back to where it was.
        if (crash?.Fault is not NodeFault { Node: var name } || calm.Equals(Calm(best)))
            return null;
        var points = CrashPoints(calm, drawn).Where(point => point.Node == topology.NodeIndex(name)).ToList();
        var gap = Math.Max(1, (points.Count + CrashPointsOfVariant - 1) / CrashPointsOfVariant);
        for (var i = 0; i < points.Count; i += gap)
        {
            var moved = WithCrash(topology, calm, points[i]);
            if (Violation(moved) is { } shown)
                return (moved, shown);
        }
        return null;

        ClusterViolation? Violation(ClusterCase tried) =>
            PipelineCaseRun
                .Judge(topology, tried, drawn, mutant)
                .FirstOrDefault(violation => violation.Invariant == invariant);
    }
}
