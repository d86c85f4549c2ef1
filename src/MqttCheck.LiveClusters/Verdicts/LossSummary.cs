using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Properties.Histories;

namespace MqttCheck.LiveClusters.Verdicts;

/// <summary>The acknowledged messages of live runs, and those of them that were lost.</summary>
/// <param name="Runs">How many runs there are.</param>
/// <param name="RunsWithLoss">In how many of them messages were lost.</param>
/// <param name="FailedRuns">In how many of them the load or a node failed without a fault.</param>
/// <param name="RunsNotBack">In how many of them a node did not come back after a fault.</param>
/// <param name="Published">How many messages were published.</param>
/// <param name="Acknowledged">How many of them were acknowledged.</param>
/// <param name="Lost">The lost ones, by when they were published.</param>
/// <param name="Faults">The faults that explain losses; where nothing was lost, all of them.</param>
internal sealed record LossSummary(
    int Runs,
    int RunsWithLoss,
    int FailedRuns,
    int RunsNotBack,
    long Published,
    long Acknowledged,
    LostMessages Lost,
    IReadOnlyList<FaultSpan> Faults
)
{
    /// <summary>The summary of some runs.</summary>
    public static LossSummary Of(IReadOnlyList<ClusterRunRecord> runs)
    {
        var histories = runs.Select(run => run.Outcome.History).OfType<RunHistory>().ToList();
        var lost = histories.Aggregate(default(LostMessages), (sum, history) => sum + history.Lost);
        var lossy = histories.FindAll(history => history.Lost.Total > 0);
        var explaining = lossy.SelectMany(history => history.Explaining).ToList();
        var all = (lossy.Count > 0 ? lossy : histories).SelectMany(history => history.Faults);
        return new(
            runs.Count,
            lossy.Count,
            runs.Count(run => run is { Failure: not null, NotBack: null }),
            runs.Count(run => run.NotBack is not null),
            histories.Sum(history => history.Published),
            histories.Sum(history => history.Acknowledged),
            lost,
            [.. (explaining.Count > 0 ? explaining : all).DistinctBy(fault => (fault.Kind, fault.Node, fault.Peer))]
        );
    }
}
