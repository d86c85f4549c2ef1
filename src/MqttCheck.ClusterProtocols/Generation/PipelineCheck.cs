using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.ClusterProtocols.Pipeline.Simulating;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

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
    private const long Second = 1_000 * Millisecond;
    private const long FirstPublication = 1_500 * Millisecond;
    private const int MostOfTrain = 30;

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
        // If the store drops messages, only cases without a crash say which ones are owed.
        if (number % 5 == 0 || calm.Steps.Any(step => step is CaseLimit or CaseLifetime))
            return (calm, drawn);
        var points = CrashPoints(calm, drawn);
        return (points.Count == 0 ? calm : WithCrash(Topology, calm, points[random.NextInt(points.Count)]), drawn);
    }

    private protected override long DurationOf(ClusterCase tested) =>
        PipelineCaseRun.PlanOf(Topology, tested, mutant).DurationNanoseconds;

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
        // A client publishes faster than the log takes a batch, on topics of several of its parts.
        var train =
            from at in node
            from level in qos
            from isMixed in Gen.Frequency((1, Gen.Constant(false)), (2, Gen.Constant(true)))
            from topics in Gen.ArrayOf(Gen.Elements(s_topics), MostOfTrain)
            from count in Gen.Choose(5, MostOfTrain)
            from gap in Gen.Choose(1, 15)
            from begin in Gen.Choose(0, 400)
            select Enumerable
                .Range(0, count)
                .Select(i =>
                    Operation(
                        at,
                        CaseVerb.Publish,
                        topics[isMixed ? i : 0],
                        level,
                        FirstPublication + (begin * Millisecond) + (i * gap * Millisecond / 5)
                    )
                )
                .ToArray();
        return from subscriptions in CaseGen.Some(1, 2, subscription)
            from publications in CaseGen.Some(1, 12, publication)
            from trains in CaseGen.Some(0, 2, train)
            let published = publications.Concat(trains.SelectMany(steps => steps)).ToArray()
            from absences in Absences(subscriptions, published)
            from varies in Gen.Elements(false, true)
            select (varies ? [new CaseWay(new ExponentialLaw(1))] : Array.Empty<CaseStep>())
                .Concat(subscriptions)
                .Concat(published.OrderBy(step => step.AtNanoseconds))
                .Concat(absences)
                .ToArray();
    }

    // Clients come back while messages are on their way to them, or stay away until the store drops messages.
    private static Gen<CaseStep[]> Absences(CaseOperation[] subscriptions, CaseOperation[] published)
    {
        var reconnect =
            from subscription in Gen.Elements(subscriptions)
            from publication in Gen.Elements(published)
            from before in Gen.Choose(0, 50)
            from lasts in Gen.Choose(1, 300)
            select new CaseAbsence(
                subscription.Node,
                subscription.Topic,
                publication.AtNanoseconds - (before * Millisecond / 5),
                lasts * Millisecond / 10
            );
        var drops =
            from subscription in Gen.Elements(subscriptions)
            from lasts in Gen.Choose(1, 60)
            from limit in Gen.Choose(1, 8)
            from lifetime in Gen.Choose(10, 40)
            from setting in Gen.Elements<CaseStep>(new CaseLimit(limit), new CaseLifetime(lifetime * Second / 10))
            select new[]
            {
                setting,
                new CaseAbsence(
                    subscription.Node,
                    subscription.Topic,
                    FirstPublication - Second,
                    (2 * Second) + (lasts * Second / 10)
                ),
            };
        return Gen.Frequency(
            (2, Gen.Constant(Array.Empty<CaseStep>())),
            (
                3,
                CaseGen
                    .Some(1, 6, reconnect)
                    .Select(steps => steps.DistinctBy(step => step.AtNanoseconds).ToArray<CaseStep>())
            ),
            (2, drops)
        );
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
