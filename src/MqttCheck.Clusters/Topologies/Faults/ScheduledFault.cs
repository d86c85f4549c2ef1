namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>A fault as one run makes it: times and targets are drawn.</summary>
/// <param name="Fault">The fault of the file.</param>
/// <param name="AtNanoseconds">When it begins, counted from the first message that counts.</param>
/// <param name="EndNanoseconds">When it ends; null if it does not end by itself.</param>
/// <param name="Nodes">The indexes of the nodes that it hits.</param>
/// <param name="Links">The indexes of the links that it hits.</param>
internal sealed record ScheduledFault(
    ClusterFault Fault,
    long AtNanoseconds,
    long? EndNanoseconds,
    IReadOnlyList<int> Nodes,
    IReadOnlyList<int> Links
)
{
    /// <summary>The seed of what it draws when it happens, such as the bits that it turns over.</summary>
    public ulong Seed { get; init; }

    /// <summary>
    /// When it heals; null if it does not. A cut without a duration resets the connections, which may come back at
    /// once.
    /// </summary>
    internal long? HealsAtNanoseconds => EndNanoseconds ?? (Fault.Kind == FaultKind.Cut ? AtNanoseconds : null);

    /// <summary>
    /// The faults of one run in the order of their beginnings. Each fault has a random stream of its own, so one more
    /// fault changes nothing about the others.
    /// </summary>
    /// <param name="topology">A topology whose faults have no problem.</param>
    /// <param name="seed">The seed of the command.</param>
    /// <param name="run">The number of the run or replication, from 0.</param>
    public static IReadOnlyList<ScheduledFault> Of(Topology topology, ulong seed, int run)
    {
        var scheduled = new List<ScheduledFault>();
        for (var index = 0; index < topology.Scenario.Faults.Count; index++)
        {
            var fault = topology.Scenario.Faults[index];
            var random = Statistics.RandomStream.For(seed, FaultStream, (ulong)run, (ulong)index);
            var (share, draw) = (random.NextDouble(), random.NextDouble());
            var at =
                fault.At.EarliestNanoseconds
                + (long)(share * (fault.At.LatestNanoseconds - fault.At.EarliestNanoseconds));
            if (fault.Kind == FaultKind.Mix)
            {
                scheduled.AddRange(FaultMix.Of(topology, fault, at, random));
                continue;
            }
            var (nodes, links) = fault.Targets(topology, draw, random);
            scheduled.Add(
                new ScheduledFault(fault, at, at + fault.DurationNanoseconds, nodes, links)
                {
                    Seed = random.NextUInt64(),
                }
            );
        }
        return [.. scheduled.OrderBy(fault => fault.AtNanoseconds)];
    }

    // Faults have a random stream of their own, which differs from those of links and clients of the same seed.
    private const ulong FaultStream = 0x6661756C74;
}
