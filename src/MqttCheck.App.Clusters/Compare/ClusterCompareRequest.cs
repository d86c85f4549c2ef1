using MqttCheck.App.Clusters.Runs;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Properties.Pairs;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Verdicts;

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
    /// <summary>How the clusters are reached. Default: on this machine, without a login.</summary>
    public ClusterAccess Access { get; init; } = new();

    private const int FewestPairs = 8;

    /// <summary>The tests of statements; all verdicts together are wrong with at most the error.</summary>
    /// <param name="assumesNormal">Whether values are taken as normal, or only as limited.</param>
    /// <exception cref="InputException">A statement is malformed; the message has every finding.</exception>
    public static IReadOnlyList<PairStatementTest> TestsOf(
        Topology first,
        Topology second,
        IReadOnlyList<string> statements,
        double error,
        double indifference,
        bool assumesNormal
    )
    {
        var (parsed, findings) = (new List<PairStatement>(), new List<string>());
        foreach (var text in statements)
        {
            try
            {
                parsed.Add(PairStatement.Parse(text, "--property"));
            }
            catch (InputException wrong)
            {
                findings.Add(wrong.Message);
            }
        }
        InputException.ThrowIfAny(findings);
        (RunLimits, RunLimits)? limits = assumesNormal
            ? null
            : (ClusterVerification.Limits(first), ClusterVerification.Limits(second));
        return
        [
            .. parsed.Select(statement => new PairStatementTest(statement, error / parsed.Count, indifference, limits)),
        ];
    }

    /// <summary>How many runs are made of each where the user gives no number.</summary>
    public static int UsualPairs(IEnumerable<PairStatementTest> tests) =>
        Math.Max(FewestPairs, tests.Max(test => test.PairsIfAllHold));

    /// <summary>Refuses what cannot be run.</summary>
    /// <exception cref="InputException">
    /// Bridges loop, or do not reach every broker, or a cluster may not be reached so.
    /// </exception>
    public void Require()
    {
        foreach (var (_, topology) in ((string, Topology)[])[First, Second])
        {
            Access.Require(topology);
            BridgeNeeds.RequireNoLoop(topology, allowLoops: false);
            BridgeNeeds.RequireReach(topology);
        }
    }
}
