using MqttCheck.Statistics;

namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// Draws the faults of a mix: every 5 to 15 s other ones, and a quarter of the time none. They hit one node, a
/// minority, a majority or all, and end when the mix ends at the latest.
/// </summary>
internal static class FaultMix
{
    private const long Second = 1_000_000_000;
    private const long ShortestNanoseconds = 5 * Second;
    private const long LongestNanoseconds = 15 * Second;
    private const long LeastNanoseconds = Second;

    // Times are printed, and nobody needs more digits.
    private const long Unit = 1_000_000;

    private const double CalmShare = .25;
    private const double TwoAtOnceShare = 1.0 / 3;

    /// <summary>The kinds that a mix may have.</summary>
    public static IReadOnlyList<FaultKind> Known { get; } =
    [FaultKind.Kill, FaultKind.Stop, FaultKind.Freeze, FaultKind.Partition, FaultKind.Power, FaultKind.Fill];

    /// <summary>The kinds of a mix: those that it says, or those that every engine knows.</summary>
    /// <param name="topology">The topology.</param>
    /// <param name="mix">The mix.</param>
    public static IReadOnlyList<FaultKind> KindsOf(Topology topology, ClusterFault mix) =>
        mix.Kinds.Count > 0 ? mix.Kinds
        : topology.Links.Count > 0 ? [FaultKind.Kill, FaultKind.Freeze, FaultKind.Partition]
        : [FaultKind.Kill, FaultKind.Freeze];

    /// <summary>The faults of one run.</summary>
    /// <param name="topology">A topology in which the mix has no problem.</param>
    /// <param name="mix">The mix, with a duration.</param>
    /// <param name="at">When it begins, in nanoseconds.</param>
    /// <param name="random">Draws them.</param>
    public static IReadOnlyList<ScheduledFault> Of(Topology topology, ClusterFault mix, long at, RandomStream random)
    {
        var faults = new List<ScheduledFault>();
        var pool = mix.Candidates(topology);
        var kinds = KindsOf(topology, mix);
        var end = at + mix.DurationNanoseconds!.Value;
        for (var from = at; end - from >= LeastNanoseconds; )
        {
            var length = ShortestNanoseconds + (long)(random.NextDouble() * (LongestNanoseconds - ShortestNanoseconds));
            var until = Math.Min(from + (length / Unit * Unit), end);
            if (random.NextDouble() >= CalmShare)
                faults.AddRange(At(topology, kinds, pool, from, until, ref random));
            from = until;
        }
        return faults;
    }

    /// <summary>Some of several things, in their order.</summary>
    /// <param name="all">The things.</param>
    /// <param name="count">How many of them.</param>
    /// <param name="random">Draws them.</param>
    internal static int[] Drawn(IEnumerable<int> all, int count, ref RandomStream random)
    {
        var left = all.ToList();
        while (left.Count > count)
            left.RemoveAt(random.NextInt(left.Count));
        return [.. left];
    }

    private static List<ScheduledFault> At(
        Topology topology,
        IReadOnlyList<FaultKind> kinds,
        IReadOnlyList<int> pool,
        long from,
        long until,
        ref RandomStream random
    )
    {
        var (faults, left) = (new List<ScheduledFault>(), kinds.ToList());
        var count = random.NextDouble() < TwoAtOnceShare ? 2 : 1;
        while (faults.Count < count && left.Count > 0 && pool.Count > 0)
        {
            var kind = left[random.NextInt(left.Count)];
            left.Remove(kind);
            var hit = Drawn(pool, SizeOf(pool.Count, random.NextInt(4)), ref random);
            var rest = pool.Except(hit).ToList();
            if (kind == FaultKind.Partition && rest.Count == 0)
                continue;
            IEnumerable<IEnumerable<int>> sides = kind == FaultKind.Partition ? [hit, rest] : [hit];
            var fault = new ClusterFault
            {
                Kind = kind,
                Sides = [.. sides.Select(side => side.Select(node => topology.Nodes[node].Name).ToArray())],
                At = FaultTime.At(from),
                DurationNanoseconds = until - from,
            };
            var (nodes, links) = fault.Targets(topology, draw: 0, random);
            if (nodes.Count + links.Count == 0)
                continue;
            faults.Add(new ScheduledFault(fault, from, until, nodes, links) { Seed = random.NextUInt64() });
            // One node has one fault at a time.
            if (kind != FaultKind.Partition)
                pool = rest;
        }
        return faults;
    }

    // One node, a minority, a majority, or all.
    private static int SizeOf(int count, int reach) =>
        reach switch
        {
            0 => 1,
            1 => Math.Max(1, (count - 1) / 2),
            2 => (count / 2) + 1,
            _ => count,
        };
}
