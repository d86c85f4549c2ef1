using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Verdicts;
using MqttCheck.Sequential;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Runs;

/// <summary>Everything that <c>cluster run</c> needs.</summary>
/// <param name="Topology">The cluster, with its scenario.</param>
/// <param name="Tests">The properties.</param>
/// <param name="MostRuns">The most runs.</param>
/// <param name="Seed">The user's seed.</param>
/// <param name="AllowLoops">Whether bridges that loop are run.</param>
/// <param name="Budget">How long all runs may take; null where only their number is limited.</param>
/// <param name="Repeat">The command that repeats it.</param>
internal sealed record ClusterRunRequest(
    Topology Topology,
    IReadOnlyList<ClusterPropertyTest> Tests,
    int MostRuns,
    ulong Seed,
    bool AllowLoops,
    TimeBudget? Budget,
    string Repeat
)
{
    /// <summary>The differences to the brokers that the files are for, a sentence each. Default none.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>How the cluster is reached. Default: on this machine, without a login.</summary>
    public ClusterAccess Access { get; init; } = new();

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
    /// <exception cref="InputException">
    /// Bridges loop, or do not reach every broker, or the budget does not hold the runs that a verdict takes, or the
    /// cluster may not be reached so.
    /// </exception>
    public void Require()
    {
        RequireTime();
        Access.Require(Topology);
        BridgeNeeds.RequireNoLoop(Topology, AllowLoops);
        BridgeNeeds.RequireReach(Topology);
    }

    /// <summary>A budget with which open verdicts may be decided; null where more time does not help.</summary>
    /// <param name="result">What the runs showed.</param>
    public TimeSpan? MoreTime(ClusterVerificationResult result) =>
        Budget is { } given
        && !result.IsInterrupted
        && result.Runs.Count < MostRuns
        && result.Answers.Any(answer => answer.Property.IsDecision && answer.Holds is null)
            ? TimeBudget.Enough(
                MostRuns * Longer(ClusterVerification.RunTime(Topology), given.Time / Math.Max(1, result.Runs.Count))
            )
            : null;

    // Healing and waiting for missing messages are not planned, so the time of runs that were made tells more.
    private static TimeSpan Longer(TimeSpan one, TimeSpan other) => one > other ? one : other;

    private void RequireTime()
    {
        if (Budget is not { } budget)
            return;
        var run = ClusterVerification.RunTime(Topology);
        var least = Tests
            .Where(test => test.Property.IsDecision)
            .Select(test => test.RunsIfAllHold)
            .DefaultIfEmpty(1)
            .Max();
        budget.Require(
            "--budget",
            run * least,
            run * Math.Max(least, MostRuns),
            Invariant($"that all properties hold takes {Counted.Of(least, "run")} of about {run.TotalSeconds:0} s, ")
                + TimeBudget.Duration(run * least),
            "or a shorter run with --for, or a larger --error or --indifference"
        );
    }
}
