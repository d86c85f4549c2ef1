using MqttCheck.App.Clusters.Runs;
using MqttCheck.Clusters.Properties.Pairs;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.App.Clusters.Compare;

/// <summary>Everything that <c>cluster compare</c> needs.</summary>
/// <param name="First">The first cluster, with its scenario.</param>
/// <param name="Second">The second one.</param>
/// <param name="Tests">The statements that are tested.</param>
/// <param name="Error">The largest probability that some answer is wrong.</param>
/// <param name="Pairs">How many runs are made of each.</param>
/// <param name="Seed">The user's seed.</param>
/// <param name="Repeat">The command that repeats it.</param>
internal sealed record ClusterCompareRequest(
    (string Label, Topology Topology) First,
    (string Label, Topology Topology) Second,
    IReadOnlyList<PairStatementTest> Tests,
    double Error,
    int Pairs,
    ulong Seed,
    string Repeat
)
{
    /// <summary>Refuses what cannot be run.</summary>
    /// <exception cref="InputException">Bridges loop, or do not reach every broker.</exception>
    public void Require()
    {
        foreach (var (_, topology) in ((string, Topology)[])[First, Second])
        {
            BridgeNeeds.RequireNoLoop(topology, allowLoops: false);
            BridgeNeeds.RequireReach(topology);
        }
    }
}
