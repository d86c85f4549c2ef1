using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Learning.Data;
using static System.FormattableString;

namespace MqttCheck.Cli.Explore;

/// <summary>The stage from a broker to a log.</summary>
internal static class ExploreStage
{
    /// <summary>Runs training cases and writes their log. Whatever happens, what was logged stays readable.</summary>
    /// <param name="coarse">Whether the cases are few and short.</param>
    public static async Task<ExplorationResult> RunAsync(
        Screen screen,
        Interruption interruption,
        IBrokerUnderTest broker,
        CampaignOptions campaign,
        IReadOnlyList<TrainingCase> cases,
        bool coarse,
        string logPath
    )
    {
        screen.Report(double.NaN, "measuring the idle broker");
        var idle = coarse ? null : await Task.Run(() => IdleDrift.Measure(broker, campaign, interruption.Orderly));
        using var log = new LoggedRun(logPath, broker, campaign, screen.Time, coarse);
        var result = await screen.ProgressAsync(
            "Explore",
            report =>
                Task.Run(() =>
                    new Exploration(broker, campaign, screen.Time).Run(
                        cases,
                        log.Sink,
                        new ScreenProgress(report),
                        interruption.Orderly,
                        interruption.AtOnce
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
