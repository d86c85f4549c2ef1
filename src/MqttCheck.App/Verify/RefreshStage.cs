using MqttCheck.App.Explore;
using MqttCheck.App.Learn;
using MqttCheck.App.Predict;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Latency;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.App.Verify;

/// <summary>
/// The stage from a prediction that may be out of date to one of today's broker: where the idle latency has moved,
/// explores, learns and predicts the same setups and thresholds again.
/// </summary>
internal static class RefreshStage
{
    /// <summary>Measures the idle latency, and refreshes the prediction if it has moved.</summary>
    /// <returns>
    /// The new prediction, written to <see cref="RefreshRequest.Output"/>; or null where the old one may stay.
    /// </returns>
    /// <exception cref="OperationCanceledException">It was interrupted before there was a new prediction.</exception>
    public static async Task<Prediction?> RunAsync(Workplace place, IBrokerUnderTest broker, RefreshRequest request)
    {
        var campaign = request.Explore.Live.Campaign(SeedPurpose.Explore);
        if (!await HasMovedAsync(place, broker, campaign, request.Prediction))
            return null;
        var exploration = await ExploreStage.RunAsync(place, broker, request.Explore);
        place.Progress.Warn(RunWarnings.Of(exploration.Runs));
        place.Orderly.ThrowIfCancellationRequested();
        var model = LearnStage.Run(
            place.Progress,
            new([request.Explore.Log], LearnerCatalogue.Default, request.Explore.Live.Seed, request.Model)
        );
        var refreshed = request
            .Prediction.Populations.Select(population =>
                Predict(model, population, request, place.Progress.Report, place.Orderly)
            )
            .Aggregate(Join);
        PredictionFile.Write(request.Output, refreshed);
        place.Progress.Note($"learned and predicted again: {request.Model}, {request.Output}");
        return refreshed;
    }

    private static async Task<bool> HasMovedAsync(
        Workplace place,
        IBrokerUnderTest broker,
        CampaignOptions campaign,
        Prediction outdated
    )
    {
        var before = outdated.Model.IdleMilliseconds;
        var idle = await Task.Run(() =>
            IdleDrift.Measure(
                broker,
                campaign with
                {
                    Prefix = FleetSetup.NewPrefix(),
                },
                outdated.Populations,
                place.Orderly
            )
        );
        if (IdleDrift.Describe(before, idle) is { } drift)
        {
            place.Progress.Warn(drift);
            return true;
        }
        place.Progress.Note(
            before is { } then
                ? Invariant($"the idle broker takes {idle.MedianMilliseconds:G3} ms, {then:G3} ms before training: ")
                    + "no refresh is needed"
                : "the model knows no idle latency (its exploration was short), so nothing tells whether it "
                    + "needs a refresh"
        );
        return false;
    }

    // The same client counts and thresholds as before.
    private static Prediction Predict(
        LearnedModel model,
        Population population,
        RefreshRequest request,
        Action<double, string> report,
        CancellationToken cancellation
    )
    {
        var outdated = request.Prediction;
        return PredictStage.Predict(
            model,
            new(
                request.Model,
                FleetSizes
                    .Of([
                        .. outdated
                            .Setups.Where(setup => setup.Profile == population.Name)
                            .Select(setup => setup.Clients),
                    ])
                    .Of([population]),
                [
                    .. outdated
                        .Points.Where(point => point.Profile == population.Name)
                        .Select(point => point.ThresholdMilliseconds)
                        .Distinct()
                        .Order(),
                ],
                outdated.Options with
                {
                    Seed = SeedPurpose.Predict.Seed(request.Explore.Live.Seed),
                }
            ),
            report,
            cancellation
        );
    }

    private static Prediction Join(Prediction first, Prediction second) =>
        first with
        {
            Populations = [.. first.Populations, .. second.Populations],
            Setups = [.. first.Setups, .. second.Setups],
            Points = [.. first.Points, .. second.Points],
            Notes = [.. first.Notes.Union(second.Notes)],
            Cautions = [.. first.Cautions.Union(second.Cautions)],
        };
}
