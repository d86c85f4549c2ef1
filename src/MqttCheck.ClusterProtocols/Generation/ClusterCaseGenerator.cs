using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>Random cases for a topology: subscriptions first, then faults, and publications around them.</summary>
internal sealed class ClusterCaseGenerator
{
    private const long Millisecond = 1_000_000;
    private const int UsualDelay = 10;

    private static readonly string[] s_topics = ["t/1", "t/2"];
    private static readonly string[] s_filters = ["t/1", "t/2", "t/+", "#"];

    // This time-out of an answer is longer than any case, so only the age of statements tells that a node is gone.
    private const int NeverSilent = 6000;

    private readonly Topology _topology;
    private readonly Gen<string> _node;

    // A length of time in nanoseconds, in proportion to T_k: times are told in multiples of a twentieth of it.
    private readonly long _unit;

    // How long nodes of an overlay know of a new one before they use it, and the time between two announcements; 0
    // where a discovery has no two of them.
    private readonly long _collecting;
    private readonly long _announcing;

    /// <summary>A generator.</summary>
    /// <param name="topology">The cluster that the cases are put to.</param>
    public ClusterCaseGenerator(Topology topology)
    {
        _topology = topology;
        _node = Gen.Elements(topology.Nodes.Select(node => node.Name).ToArray());
        _unit = Math.Max(Millisecond, (long)(topology.KeepAliveSeconds * 1e9 / 20 / Millisecond) * Millisecond);
        _collecting = topology.System.IsOverlay() ? OverlayCores.DiscoveryOf(topology).CollectNanoseconds : 0;
        if (topology.System.IsOverlay() && OverlayCores.DiscoveryOf(topology) is var discovery)
            _announcing = discovery.AnnounceNanoseconds < _collecting ? discovery.AnnounceNanoseconds : 0;
        Cases = topology.System.IsOverlay() ? OverlayCases : TreeCases;
    }

    private Gen<ClusterCase> TreeCases =>
        from subscriptions in CaseGen.Some(1, 3, Subscription)
        from settings in Settings
        from faults in Close(CaseGen.Some(0, 3, Fault))
        from calm in CaseGen.Some(1, 3, Publication(Gen.Choose(30, 500).Select(units => units * _unit)))
        from bursts in CaseGen.Some(0, 2, Burst(faults))
        from silence in Gen.Frequency((4, Gen.Constant(false)), (1, Gen.Constant(true)))
        select new ClusterCase([
            .. settings,
            .. silence ? [new CaseSilence(NeverSilent * _unit)] : Array.Empty<CaseStep>(),
            .. subscriptions,
            .. faults,
            .. calm.Concat(bursts.SelectMany(burst => burst)).OrderBy(step => step.AtNanoseconds),
        ]);

    // Interests begin and end all the time, nodes join, and messages follow a change until pings have told of it.
    private Gen<ClusterCase> OverlayCases =>
        from subscriptions in CaseGen.Some(1, 3, Subscription)
        from settings in Settings
        from faults in Close(CaseGen.Some(0, 2, OverlayFault))
        from lost in LostAnnouncements(faults)
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
            .. settings,
            .. lost,
            .. subscriptions,
            .. faults,
            .. late.Concat(ended)
                .Concat(calm)
                .Concat(bursts.SelectMany(burst => burst))
                .OrderBy(step => step.AtNanoseconds),
        ]);

    // Constant delays make the costs of paths known.
    private Gen<CaseStep[]> Settings =>
        from capabilities in Gen.Frequency(
            (2, Gen.Constant(Array.Empty<CaseCapability>())),
            (
                1,
                CaseGen.Some(
                    1,
                    2,
                    from node in _node
                    from value in Gen.Choose(1, 3)
                    select new CaseCapability(node, value)
                )
            )
        )
        from isConstant in Gen.Elements(false, true)
        from isBalanced in Gen.Elements(false, true)
        select (CaseStep[])
            [
                .. isConstant ? [new CaseDelay(UsualDelay)] : Array.Empty<CaseStep>(),
                .. isBalanced && _topology.System == ClusterSystem.TopicOverlay
                    ? [new CaseRoot(RootRule.Balance)]
                    : Array.Empty<CaseStep>(),
                .. capabilities,
            ];

    // Several faults of some cases come one soon after the other: while the first is repaired.
    private Gen<CaseFault[]> Close(Gen<CaseFault[]> drawn) =>
        from faults in drawn
        from areClose in Gen.Frequency((3, Gen.Constant(false)), (1, Gen.Constant(true)))
        from gaps in Gen.ArrayOf(Gen.Choose(0, 80), faults.Length)
        select areClose && faults.Length > 1
            ? faults
                .Select((step, i) => step.At(faults[0].Fault.At.EarliestNanoseconds + (gaps[..i].Sum() * _unit / 8)))
                .ToArray()
            : faults;

    // Shorter than the time between two announcements, so that one of the two of a discovery comes. They are lost where
    // a discovery begins: at the start, where a node joins and where one comes back.
    private Gen<CaseLostAnnouncements[]> LostAnnouncements(CaseFault[] faults)
    {
        if (_announcing < 2 || _topology.Overlay.AnnouncesOnLinks)
            return Gen.Constant(Array.Empty<CaseLostAnnouncements>());
        long[] moments = [0, .. faults.SelectMany(Moments)];
        var loss =
            from moment in Gen.Elements(moments)
            from before in Gen.Choose(0, 300)
            from lasts in Gen.Choose(100, 900)
            let begin = Math.Max(0, moment - (before * Millisecond))
            select new CaseLostAnnouncements(begin, lasts * (_announcing / 1000));
        return Gen.Frequency(
            (2, Gen.Constant(Array.Empty<CaseLostAnnouncements>())),
            (1, loss.Select(step => new[] { step }))
        );
    }

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
                (_topology.Links.Count > 0 ? 2 : 0, Partition),
                (_topology.Links.Count > 0 ? 3 : 0, Slow)
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
                    (_topology.System == ClusterSystem.SingleOverlay && _topology.Links.Count > 0 ? 2 : 0, Cut),
                    (_topology.System == ClusterSystem.SingleOverlay && _topology.Links.Count > 0 ? 2 : 0, Slow)
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

    private Gen<ClusterFault> Cut => LinkFault(FaultKind.Cut);

    // A node follows another delay at once only if it is above the double or below the half. A round trip is shorter
    // than T_k, so that none is cut off by the next.
    private Gen<ClusterFault> Slow =>
        from fault in LinkFault(FaultKind.Slow)
        from factor in Gen.Choose(3, 6)
        let slowest = Math.Max(1, (int)(8 * _unit / Millisecond))
        select fault with
        {
            DelayMilliseconds = new ConstantLaw(Math.Min(factor * UsualDelay, slowest)),
        };

    private Gen<ClusterFault> LinkFault(FaultKind kind) =>
        Gen.Elements(_topology.Links.ToArray())
            .Select(link => new ClusterFault
            {
                Kind = kind,
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
