using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Brokers.Processes;
using MqttCheck.Latency;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Verify;

/// <summary>The stage from a prediction and a live broker to verdicts.</summary>
internal static class VerifyStage
{
    /// <summary>Runs the verification, and writes its logs.</summary>
    /// <param name="view">Shows the runs.</param>
    public static async Task<VerificationAnswer> RunAsync(
        Workplace place,
        IBrokerUnderTest broker,
        VerifyRequest request,
        VerificationView view
    )
    {
        var campaign = request.Live.Campaign(SeedPurpose.Verify);
        place.Progress.Report(double.NaN, "measuring the idle broker");
        var before = request.Prediction.Model.IdleMilliseconds;
        var idle = before is null
            ? null
            : await Task.Run(() => IdleDrift.Measure(broker, campaign, request.Prediction.Populations, place.Orderly));
        var measured = broker.Description.Logged(campaign.ProtocolVersion, campaign.Client);
        var planned = request.Plan() with
        {
            Drift = idle is null ? null : IdleDrift.Describe(before, idle),
            Unlike = TrainedBroker.Unlike(request.Prediction.Model.LearnedFrom, measured),
        };
        VerificationAnnouncement.Tell(place.Progress, planned);
        using var log = new LoggedRun(request.Log, broker, campaign, place.Time, coarse: false);
        var result = await view(
            planned,
            progress =>
                Task.Run(() =>
                    new VerificationCampaign(broker, campaign, planned.Test, place.Time).Run(
                        planned.Schedule.Setups,
                        planned.Budget,
                        log.Sink,
                        progress,
                        place.Orderly,
                        place.AtOnce
                    )
                )
        );
        log.Close(result.Cases, result.Runs, complete: !result.Interrupted, idle?.MedianMilliseconds);
        var estimates =
            request.Asked.MonteCarloSequences is { } sequences && !result.Interrupted
                ? await EstimateAsync(place, broker, request, planned, sequences)
                : null;
        if (RunJudgement.WarmUp(result.Runs) is { } warmUp)
            place.Progress.Detail(warmUp);
        return new(request, broker.Description, planned, result, estimates);
    }

    // The clients of the estimate draw other choices than those of the verdicts.
    private static async Task<MonteCarloResult> EstimateAsync(
        Workplace place,
        IBrokerUnderTest broker,
        VerifyRequest request,
        PlannedVerification planned,
        int sequences
    )
    {
        var campaign = request.Live.Campaign(SeedPurpose.MonteCarlo);
        using var log = new LoggedRun(request.MonteCarloLog, broker, campaign, place.Time, coarse: false);
        var estimates = await place.Progress.ProgressAsync(
            "Monte Carlo",
            report =>
                Task.Run(() =>
                    new MonteCarlo(broker, campaign, place.Time).Run(
                        planned.Schedule.Setups,
                        sequences,
                        log.Sink,
                        new CampaignRelay(report),
                        place.Orderly,
                        place.AtOnce
                    )
                )
        );
        log.Close(estimates.Cases, estimates.Runs, complete: !estimates.Interrupted);
        return estimates;
    }
}
