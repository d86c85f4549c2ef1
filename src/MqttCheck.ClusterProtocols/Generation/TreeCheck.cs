using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>Puts random cases to brokers that find their ways through a tree, an overlay or by flooding.</summary>
/// <param name="topology">The cluster.</param>
/// <param name="seed">The seed of the cases and of what they draw.</param>
/// <param name="judge">Runs a case with a seed, and says what did not hold.</param>
internal sealed class TreeCheck(
    Topology topology,
    ulong seed,
    Func<ClusterCase, ulong, IReadOnlyList<ClusterViolation>> judge
) : CaseSearch(topology)
{
    // A smaller case draws its delays otherwise; one of so many seeds shows again what a larger one has shown.
    private const int SeedsOfVariant = 24;

    private readonly ClusterCaseGenerator _generator = new(topology);

    private protected override (ClusterCase Case, ulong Seed) Draw(long number) =>
        (_generator.Generate(seed, (ulong)number), RandomStream.For(seed, (ulong)number, 1).NextUInt64() >> 32);

    private protected override IReadOnlyList<ClusterViolation> Judge(ClusterCase tested, ulong seed) =>
        judge(tested, seed);

    private protected override long DurationOf(ClusterCase tested) =>
        CaseRun.PlanOf(Topology, tested, TreeMutant.None).DurationNanoseconds;

    private protected override ClusterFinding? Simpler(ClusterFinding best, ClusterCase variant) =>
        Enumerable
            .Range(0, SeedsOfVariant)
            .Select(i => Shown(best, variant, best.Seed + (ulong)i))
            .FirstOrDefault(shown => shown is not null);
}
