using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Processes;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.App.Explore;

/// <summary>The stage from a broker to a log.</summary>
internal static class ExploreStage
{
    /// <summary>Runs training cases and writes their log. Whatever happens, what was logged stays readable.</summary>
    public static async Task<ExplorationResult> RunAsync(
        Workplace place,
        IBrokerUnderTest broker,
        ExploreRequest request
    )
    {
        var (campaign, cases) = (request.Live.Campaign(SeedPurpose.Explore), request.Cases);
        place.Progress.Report(double.NaN, "measuring the idle broker");
        var idle = request.Coarse
            ? null
            : await Task.Run(() => IdleDrift.Measure(broker, campaign, request.Populations, place.Orderly));
        using var log = new LoggedRun(request.Log, broker, campaign, place.Time, request.Coarse);
        var result = await place.Progress.ProgressAsync(
            "Explore",
            report =>
                Task.Run(() =>
                    new Exploration(broker, campaign, place.Time).Run(
                        cases,
                        log.Sink,
                        new CampaignRelay(report),
                        place.Orderly,
                        place.AtOnce
                    )
                ),
            explored =>
                Invariant($"{explored.Runs.Sum(run => run.Exchanges)} exchanges in {explored.Runs.Count} cases, ")
                + Invariant($"up to {cases.Max(planned => planned.Clients)} clients")
        );
        log.Close(result.Cases, result.Runs, complete: !result.Interrupted, idle?.MedianMilliseconds);
        return result;
    }
}
