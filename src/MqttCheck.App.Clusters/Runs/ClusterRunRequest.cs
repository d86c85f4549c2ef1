using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;

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
    /// <summary>Refuses what cannot be run.</summary>
    /// <exception cref="InputException">Bridges loop, or do not reach every broker.</exception>
    public void Require()
    {
        BridgeNeeds.RequireNoLoop(Topology, AllowLoops);
        BridgeNeeds.RequireReach(Topology);
    }
}
