using MqttCheck.App.Explore;
using MqttCheck.App.Learn;
using MqttCheck.App.Predict;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Explore;
using MqttCheck.Cli.Learn;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Predict;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Cli.Verify;

/// <summary>
/// The stage from a prediction that may be out of date to one of today's broker: where the idle latency has moved,
/// explores, learns and predicts the same setups and thresholds again.
/// </summary>
internal static class RefreshStage
{
    /// <summary>Measures the idle latency, and refreshes the prediction if it has moved.</summary>
    /// <returns>
    /// The new prediction, written to <see cref="RunFiles.Prediction"/>; or null where the old one may stay.
    /// </returns>
    /// <exception cref="OperationCanceledException">It was interrupted before there was a new prediction.</exception>
    public static async Task<Prediction?> RunAsync(
        Screen screen,
        Interruption interruption,
        IBrokerUnderTest broker,
        RefreshRequest request
    )
    {
        var campaign = request.Campaign(SeedPurpose.Explore);
        if (!await HasMovedAsync(screen, interruption, broker, campaign, request.Prediction.Model.IdleMilliseconds))
            return null;
        var exploration = await ExploreStage.RunAsync(
            interruption.At(screen),
            broker,
            new()
            {
                Seed = request.Seed,
                ProtocolVersion = request.ProtocolVersion,
                Client = request.Client,
                Fleets = request.Fleets,
                RateCap = request.RateCap,
                Populations = request.Prediction.Populations,
                Time = request.Exploration,
                MostClients = request.Prediction.Setups.Max(setup => setup.Clients),
                Coarse = request.Exploration < RunPlan.SoundExploration,
                Log = request.Files.Log,
            }
        );
        screen.Warn(RunWarnings.Of(exploration.Runs));
        interruption.Orderly.ThrowIfCancellationRequested();
        var model = LearnStage.Run(
            screen,
            new([request.Files.Log], LearnerCatalogue.Default, request.Seed, request.Files.Model)
        );
        var refreshed = request
            .Prediction.Populations.Select(population =>
                Predict(model, population, request, screen.Report, interruption.Orderly)
            )
            .Aggregate(Join);
        PredictionFile.Write(request.Files.Prediction, refreshed);
        screen.Note($"learned and predicted again: {request.Files.Model}, {request.Files.Prediction}");
        return refreshed;
    }

    private static async Task<bool> HasMovedAsync(
        Screen screen,
        Interruption interruption,
        IBrokerUnderTest broker,
        CampaignOptions campaign,
        double? before
    )
    {
        var idle = await Task.Run(() =>
            IdleDrift.Measure(broker, campaign with { Prefix = FleetSetup.NewPrefix() }, interruption.Orderly)
        );
        if (IdleDrift.Describe(before, idle) is { } drift)
        {
            screen.Warn(drift);
            return true;
        }
        screen.Note(
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
                request.Files.Model,
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
                    Seed = SeedPurpose.Predict.Seed(request.Seed),
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
        };
}
