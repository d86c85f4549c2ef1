using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>Random cases for a topology: subscriptions first, then faults, and publications around them.</summary>
internal sealed class ClusterCaseGenerator
{
    private const long Millisecond = 1_000_000;

    private static readonly string[] s_topics = ["t/1", "t/2"];
    private static readonly string[] s_filters = ["t/1", "t/2", "t/+", "#"];

    // This time-out of an answer is longer than any case, so only the age of statements tells that a node is gone.
    private const int NeverSilent = 6000;

    private readonly Topology _topology;
    private readonly Gen<string> _node;

    // A length of time in nanoseconds, in proportion to T_k: times are told in multiples of a twentieth of it.
    private readonly long _unit;

    // How long nodes of an overlay know of a new one before they use it.
    private readonly long _collecting;

    /// <summary>A generator.</summary>
    /// <param name="topology">The cluster that the cases are put to.</param>
    public ClusterCaseGenerator(Topology topology)
    {
        _topology = topology;
        _node = Gen.Elements(topology.Nodes.Select(node => node.Name).ToArray());
        _unit = Math.Max(Millisecond, (long)(topology.KeepAliveSeconds * 1e9 / 20 / Millisecond) * Millisecond);
        _collecting = topology.System.IsOverlay() ? OverlayCores.DiscoveryOf(topology).CollectNanoseconds : 0;
        Cases = topology.System.IsOverlay() ? OverlayCases : TreeCases;
    }

    private Gen<ClusterCase> TreeCases =>
        from subscriptions in CaseGen.Some(1, 3, Subscription)
        from faults in CaseGen.Some(0, 3, Fault)
        from calm in CaseGen.Some(1, 3, Publication(Gen.Choose(30, 500).Select(units => units * _unit)))
        from bursts in CaseGen.Some(0, 2, Burst(faults))
        from silence in Gen.Frequency((4, Gen.Constant(false)), (1, Gen.Constant(true)))
        select new ClusterCase([
            .. silence ? [new CaseSilence(NeverSilent * _unit)] : Array.Empty<CaseStep>(),
            .. subscriptions,
            .. faults,
            .. calm.Concat(bursts.SelectMany(burst => burst)).OrderBy(step => step.AtNanoseconds),
        ]);

    // Interests begin and end all the time, nodes join, and messages follow a change until pings have told of it.
    private Gen<ClusterCase> OverlayCases =>
        from subscriptions in CaseGen.Some(1, 3, Subscription)
        from faults in CaseGen.Some(0, 2, OverlayFault)
        from begun in CaseGen.Some(0, 2, Subscription)
        from begins in Gen.ArrayOf(Gen.Choose(240, 500), begun.Length)
        from ends in Gen.ArrayOf(Gen.Choose(240, 700), subscriptions.Length + begun.Length)
        from isEnded in Gen.ArrayOf(Gen.Elements(false, true), subscriptions.Length + begun.Length)
        let late = begun.Select((step, i) => step with { AtNanoseconds = begins[i] * _unit }).ToArray()
        let ended = subscriptions
            .Concat(late)
            .Where((_, i) => isEnded[i])
            .Select((step, i) => step with { Verb = CaseVerb.Unsubscribe, AtNanoseconds = ends[i] * _unit })
            .ToArray()
        from calm in CaseGen.Some(2, 6, Publication(Gen.Choose(30, 700).Select(units => units * _unit)))
        from bursts in CaseGen.Some(1, 3, Burst(faults, [.. late.Concat(ended).Select(step => step.AtNanoseconds)]))
        select new ClusterCase([
            .. subscriptions,
            .. faults,
            .. late.Concat(ended)
                .Concat(calm)
                .Concat(bursts.SelectMany(burst => burst))
                .OrderBy(step => step.AtNanoseconds),
        ]);

    /// <summary>The cases.</summary>
    public Gen<ClusterCase> Cases { get; }

    /// <summary>Cases for an FsCheck property, with shrinking.</summary>
    public Arbitrary<ClusterCase> ToArbitrary() =>
        Arb.From(Cases, tested => ClusterCaseShrinker.Shrink(_topology, tested));

    /// <summary>One case.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="number">Which of the cases of that seed.</param>
    public ClusterCase Generate(ulong seed, ulong number)
    {
        var random = RandomStream.For(seed, number);
        return CaseGen.Draw(Cases, ref random);
    }

    private static Gen<QualityOfService> Qos =>
        Gen.Frequency(
            (1, Gen.Constant(QualityOfService.AtMostOnce)),
            (2, Gen.Constant(QualityOfService.AtLeastOnce)),
            (4, Gen.Constant(QualityOfService.ExactlyOnce))
        );

    private Gen<CaseOperation> Subscription =>
        from node in _node
        from filter in Gen.Elements(s_filters)
        from qos in Qos
        from units in Gen.Choose(0, 20)
        select new CaseOperation
        {
            Node = node,
            Verb = CaseVerb.Subscribe,
            Topic = filter,
            Qos = qos,
            AtNanoseconds = units * _unit,
        };

    private Gen<CaseOperation> Publication(Gen<long> at) =>
        from node in _node
        from topic in Gen.Elements(s_topics)
        from qos in Qos
        from time in at
        select new CaseOperation
        {
            Node = node,
            Verb = CaseVerb.Publish,
            Topic = topic,
            Qos = qos,
            AtNanoseconds = time,
        };

    // Messages that one node publishes one soon after the other, about when a fault begins or ends.
    private Gen<CaseOperation[]> Burst(CaseFault[] faults, params long[] changes)
    {
        long[] moments = [.. changes, .. faults.SelectMany(Moments)];
        return from first in Publication(
                from moment in moments.Length == 0 ? Gen.Constant(200 * _unit) : Gen.Elements(moments)
                from after in Near(changes)
                select Math.Max(0, moment + (after * Millisecond))
            )
            from count in Gen.Choose(4, 16)
            from gap in Gen.Choose(1, 10)
            select Enumerable
                .Range(0, count)
                .Select(i => first with { AtNanoseconds = first.AtNanoseconds + (i * gap * Millisecond) })
                .ToArray();
    }

    // In milliseconds. A change of interest is known to all after a ping of each node; what is under way when a node
    // leaves is under way for some milliseconds.
    private Gen<int> Near(long[] changes)
    {
        var after = Gen.Choose(-20, changes.Length == 0 ? 200 : (int)(30 * _unit / Millisecond));
        return _collecting == 0 ? after : Gen.Frequency((1, Gen.Choose(-20, 20)), (2, after));
    }

    // A fault's beginning and its end, and in overlays the time at which a node that starts begins to be used.
    private IEnumerable<long> Moments(CaseFault step)
    {
        var begin = step.Fault.At.EarliestNanoseconds;
        long[] moments = step.Fault.DurationNanoseconds is { } duration ? [begin, begin + duration] : [begin];
        var starts = step.Fault.Kind.StartsProcess(begins: false);
        return _collecting > 0 && starts ? [.. moments, moments[^1] + _collecting] : moments;
    }

    private Gen<CaseFault> Fault =>
        Timed(
            Gen.Frequency(
                (4, NodeFault(FaultKind.Kill)),
                (2, NodeFault(FaultKind.Freeze)),
                (_topology.Links.Count > 0 ? 3 : 0, Cut),
                (_topology.Links.Count > 0 ? 2 : 0, Partition)
            )
        );

    // The overlay of a topic has no way around a link that is cut.
    private Gen<CaseFault> OverlayFault =>
        Gen.OneOf(
            Timed(
                Gen.Frequency(
                    (4, NodeFault(FaultKind.Kill)),
                    (3, NodeFault(FaultKind.Stop)),
                    (2, NodeFault(FaultKind.Freeze)),
                    (_topology.System == ClusterSystem.SingleOverlay && _topology.Links.Count > 0 ? 2 : 0, Cut)
                )
            ),
            from node in _node
            from at in Gen.Choose(1, 300)
            select new CaseFault(
                new ClusterFault
                {
                    Kind = FaultKind.Join,
                    Sides =
                    [
                        [node],
                    ],
                    At = FaultTime.At(at * _unit),
                }
            )
        );

    private Gen<CaseFault> Timed(Gen<ClusterFault> faults) =>
        from fault in faults
        from at in Gen.Choose(1, 300)
        from lasts in Gen.Frequency((1, Gen.Constant<int?>(null)), (4, Gen.Choose(1, 200).Select(units => (int?)units)))
        select new CaseFault(fault with { At = FaultTime.At(at * _unit), DurationNanoseconds = lasts * _unit });

    private Gen<ClusterFault> NodeFault(FaultKind kind) =>
        _node.Select(node => new ClusterFault
        {
            Kind = kind,
            Sides =
            [
                [node],
            ],
        });

    private Gen<ClusterFault> Cut =>
        Gen.Elements(_topology.Links.ToArray())
            .Select(link => new ClusterFault
            {
                Kind = FaultKind.Cut,
                Sides =
                [
                    [_topology.Nodes[link.From].Name],
                    [_topology.Nodes[link.To].Name],
                ],
            });

    // A side that no link leaves is no partition; the run leaves such a fault out.
    private Gen<ClusterFault> Partition =>
        from shuffled in Gen.Shuffle(_topology.Nodes.Select(node => node.Name).ToArray())
        from size in Gen.Choose(1, Math.Max(1, shuffled.Length - 1))
        select new ClusterFault { Kind = FaultKind.Partition, Sides = [shuffled[..size], shuffled[size..]] };
}
