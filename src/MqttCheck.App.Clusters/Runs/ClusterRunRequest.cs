using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.App.Clusters.Runs;

/// <summary>Everything that <c>cluster run</c> needs.</summary>
/// <param name="Topology">The cluster, with its scenario.</param>
/// <param name="Tests">The properties.</param>
/// <param name="MostRuns">The most runs.</param>
/// <param name="Seed">The user's seed.</param>
/// <param name="AllowLoops">Whether bridges that loop are run.</param>
/// <param name="Repeat">The command that repeats it.</param>
internal sealed record ClusterRunRequest(
    Topology Topology,
    IReadOnlyList<ClusterPropertyTest> Tests,
    int MostRuns,
    ulong Seed,
    bool AllowLoops,
    string Repeat
)
{
    /// <summary>The tests of properties; all verdicts together are wrong with at most the error.</summary>
    /// <param name="assumesNormal">Whether values are taken as normal, or only as limited.</param>
    public static IReadOnlyList<ClusterPropertyTest> TestsOf(
        Topology topology,
        IReadOnlyList<ClusterProperty> properties,
        double error,
        double indifference,
        bool assumesNormal
    )
    {
        var limits = assumesNormal ? null : ClusterVerification.Limits(topology);
        return
        [
            .. properties.Select(property => new ClusterPropertyTest(
                property,
                error / properties.Count,
                indifference,
                limits
            )),
        ];
    }

    /// <summary>The most runs where the user gives no number.</summary>
    public static int UsualRuns(IEnumerable<ClusterPropertyTest> tests) =>
        tests.Select(test => test.Property.IsDecision ? 2 * test.RunsIfAllHold : 5).DefaultIfEmpty(1).Max();

    /// <summary>Refuses what cannot be run.</summary>
    /// <exception cref="InputException">Bridges loop, or do not reach every broker.</exception>
    public void Require()
    {
        BridgeNeeds.RequireNoLoop(Topology, AllowLoops);
        BridgeNeeds.RequireReach(Topology);
    }
}
