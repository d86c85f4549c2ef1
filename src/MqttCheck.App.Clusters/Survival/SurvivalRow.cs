using System.Diagnostics;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>A row of the table: one fault and whom it hits.</summary>
/// <param name="Kind">The fault, such as <c>power-failure</c>; several rows may have it.</param>
/// <param name="Name">The name of the row, such as <c>power-failure-all</c>.</param>
/// <param name="Title">The row in words.</param>
/// <param name="Verb">The fault in the language of faults, such as <c>power</c>.</param>
/// <param name="Target">Whom it hits.</param>
internal sealed record SurvivalRow(string Kind, string Name, string Title, string Verb, SurvivalTarget Target)
{
    // A table with every fault, and those whom each can hit. A single broker has one row of each, a cluster several.
    private static readonly SurvivalRow[] s_all =
    [
        Single("kill", "the broker is killed", "kill"),
        Single("freeze", "the broker stands still", "freeze"),
        Single("power-failure", "the power fails", "power"),
        Single("disk-full", "the disk is full", "fill"),
        .. Several("kill", "kill", "is killed", "are killed"),
        .. Several("freeze", "freeze", "stands still", "stand still"),
        .. Several("power-failure", "power", "loses its power", "lose their power"),
        .. Several("disk-full", "fill", "has a full disk", "have full disks")
            .Where(row => row.Target != SurvivalTarget.Majority),
        new("partition", "partition", "one node is parted from the others", "partition", SurvivalTarget.Links),
    ];

    /// <summary>The faults of the table.</summary>
    public static IReadOnlyList<string> Kinds { get; } = [.. s_all.Select(row => row.Kind).Distinct()];

    /// <summary>The rows of a cluster, or of a single broker.</summary>
    /// <param name="topology">The cluster.</param>
    public static IReadOnlyList<SurvivalRow> Of(Topology topology) =>
        [.. s_all.Where(row => Fits(row.Target, topology.Brokers.Count))];

    /// <summary>The fault in the language of faults.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="load">The load, which says when.</param>
    public string FaultOf(Topology topology, SurvivalLoad load) => $"{Verb} {TargetIn(topology)} {load.FaultTime}";

    /// <summary>The faults of a run, or why it cannot be made.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="load">The load.</param>
    /// <returns>The fault and null; or null and the reason in words.</returns>
    public (ClusterFault? Fault, string? WhyNot) Read(Topology topology, SurvivalLoad load)
    {
        try
        {
            var fault = FaultText.Parse(FaultOf(topology, load), Name);
            var problems = fault.Problems(topology).ToList();
            return problems.Count == 0 ? (fault, null) : (null, problems[0]);
        }
        catch (InputException wrong)
        {
            return (null, wrong.Message);
        }
    }

    private static bool Fits(SurvivalTarget target, int brokers) =>
        target switch
        {
            SurvivalTarget.Broker => brokers == 1,
            SurvivalTarget.One or SurvivalTarget.All or SurvivalTarget.Links => brokers > 1,
            // More than half of two are both of them.
            SurvivalTarget.Majority => brokers > 2,
            _ => throw new UnreachableException(),
        };

    private static SurvivalRow Single(string kind, string title, string verb) =>
        new(kind, kind, title, verb, SurvivalTarget.Broker);

    private static IEnumerable<SurvivalRow> Several(string kind, string verb, string one, string several) =>
        [
            new(kind, $"{kind}-one", $"one node {one}", verb, SurvivalTarget.One),
            new(kind, $"{kind}-majority", $"most nodes {several}", verb, SurvivalTarget.Majority),
            new(kind, $"{kind}-all", $"all nodes {several}", verb, SurvivalTarget.All),
        ];

    /// <summary>Whom the fault hits, in the language of faults.</summary>
    /// <param name="topology">The cluster.</param>
    public string TargetIn(Topology topology) =>
        Target switch
        {
            SurvivalTarget.Broker => topology.Nodes.Count == 1 ? FaultReach.Any.Word() : FaultReach.All.Word(),
            SurvivalTarget.One => FaultReach.Any.Word(),
            SurvivalTarget.Majority => FaultReach.Majority.Word(),
            SurvivalTarget.All => FaultReach.All.Word(),
            SurvivalTarget.Links => Sides(topology),
            _ => throw new UnreachableException(),
        };

    private static string Sides(Topology topology)
    {
        var first = topology.Brokers[0];
        return topology.Nodes[first].Name
            + "|"
            + string.Join(',', topology.Nodes.Where((_, node) => node != first).Select(node => node.Name));
    }
}
