using System.Globalization;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Explore;
using MqttCheck.Cli.Learn;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Predict;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Predictions;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Verify;

/// <summary>The stage from a prediction that may be out of date to one of today's broker: where the idle latency has moved, explores, learns and predicts the same setups and thresholds again.</summary>
internal static class RefreshStage
{
    /// <summary>Measures the idle latency, and refreshes the prediction if it has moved.</summary>
    /// <returns>The new prediction, written to <see cref="RunFiles.Prediction"/>; or null where the old one may stay.</returns>
    /// <exception cref="OperationCanceledException">It was interrupted before there was a new prediction.</exception>
    public static async Task<Prediction?> RunAsync(
        Screen screen,
        Interruption interruption,
        IBrokerUnderTest broker,
        RefreshRequest request
    )
    {
        var seed = SeedPurpose.Explore.Seed(request.Seed);
        var campaign = new CampaignOptions
        {
            Seed = seed,
            Prefix = FleetSetup.NewPrefix(),
            MaximumRequestsPerSecond = request.RateCap,
            ProtocolVersion = request.ProtocolVersion,
            Client = request.Client,
        };
        var outdated = request.Prediction;
        var idle = await Task.Run(() =>
            IdleDrift.Measure(broker, campaign with { Prefix = FleetSetup.NewPrefix() }, interruption.Orderly)
        );
        if (IdleDrift.Describe(outdated.Model.IdleMilliseconds, idle) is not { } drift)
        {
            screen.Note(
                outdated.Model.IdleMilliseconds is { } then
                    ? string.Create(
                        CultureInfo.InvariantCulture,
                        $"the idle broker takes {idle.MedianMilliseconds:G3} ms, {then:G3} ms before training: no refresh is needed"
                    )
                    : "the model knows no idle latency (its exploration was short), so nothing tells whether it needs a refresh"
            );
            return null;
        }

        screen.Warn(drift);
        var cases = TrainingDesign.Doe2(seed, request.Exploration, outdated.Populations);
        var exploration = await ExploreStage.RunAsync(
            screen,
            interruption,
            broker,
            campaign,
            cases,
            request.Exploration < RunPlan.SoundExploration,
            request.Files.Log
        );
        foreach (var warning in RunWarnings.Of(exploration.Runs))
            screen.Warn(warning);
        interruption.Orderly.ThrowIfCancellationRequested();
        var model = LearnStage.Run(
            screen,
            [request.Files.Log],
            LearnerCatalogue.Default,
            request.Seed,
            request.Files.Model
        );
        var options = outdated.Options with { Seed = SeedPurpose.Predict.Seed(request.Seed) };
        Prediction? refreshed = null;
        foreach (var population in outdated.Populations)
        {
            int[] clients =
            [
                .. outdated.Setups.Where(setup => setup.Profile == population.Name).Select(setup => setup.Clients),
            ];
            double[] thresholds =
            [
                .. outdated
                    .Points.Where(point => point.Profile == population.Name)
                    .Select(point => point.ThresholdMilliseconds)
                    .Distinct()
                    .Order(),
            ];
            var one = PredictStage.Predict(
                model,
                request.Files.Model,
                [population],
                clients,
                thresholds,
                options,
                (_, _) => { },
                interruption.Orderly
            );
            refreshed = refreshed is null
                ? one
                : refreshed with
                {
                    Populations = [.. refreshed.Populations, .. one.Populations],
                    Setups = [.. refreshed.Setups, .. one.Setups],
                    Points = [.. refreshed.Points, .. one.Points],
                    Notes = [.. refreshed.Notes.Union(one.Notes)],
                };
        }
        PredictionFile.Write(request.Files.Prediction, refreshed!);
        screen.Note($"learned and predicted again: {request.Files.Model}, {request.Files.Prediction}");
        return refreshed;
    }
}
