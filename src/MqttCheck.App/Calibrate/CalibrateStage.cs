using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Learning;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Statistics;

namespace MqttCheck.App.Calibrate;

/// <summary>The stage that measures how far predictions are from the truth.</summary>
internal static class CalibrateStage
{
    /// <summary>The confidence of all intervals.</summary>
    public const double Confidence = .95;

    /// <summary>Trains and measures in turns, predicts, and writes log, model and tables.</summary>
    public static async Task<CalibrateAnswer> RunAsync(Workplace place, CalibrateRequest request)
    {
        var seed = SeedPurpose.Explore.Seed(request.Seed);
        var cases = TrainingDesign.Doe2(seed, request.Training, request.Clients.Max(), request.Populations);
        request.Broker.Live(request.ProtocolVersion).Require(request.Populations);
        SystemLimits.Require(Math.Max(cases.Max(planned => planned.Clients), request.Clients.Max()));
        await using var broker = await request.Broker.StartAsync(place.Orderly);
        var runs = await MakeRunsAsync(place, request, broker, cases);
        place.Progress.Warn(RunWarnings.Of(runs.Runs));
        var logged = broker.Description.Logged(request.ProtocolVersion, request.Broker.Client);
        if (runs.Setups.All(setup => setup.WorstMilliseconds.Count < 2))
            return new(logged, runs, null);
        var learned = Learn(
            place,
            ExchangeLogReader.Read(request.Files.Log),
            runs.Setups,
            request.Learners,
            request.ThresholdsMilliseconds,
            request.Seed
        );
        LatencyModelFile.Write(request.Files.Model, learned.Models[0]);
        CalibrationFile.Write(
            request.Files.Calibration,
            new(
                request.Files.Log,
                request.Repeat,
                runs.Interrupted,
                request.SequencesPerClient,
                [.. runs.Idle.Select(idle => idle.MedianMilliseconds)]
            ),
            learned
        );
        return new(logged, runs, learned);
    }

    private static async Task<CalibrationRuns> MakeRunsAsync(
        Workplace place,
        CalibrateRequest request,
        IBrokerUnderTest broker,
        IReadOnlyList<TrainingCase> cases
    )
    {
        var campaign = request.Broker.Live(request.ProtocolVersion).Campaign(SeedPurpose.Explore);
        var setups = request
            .Populations.SelectMany(population =>
                request.Clients.Select(clients => new CalibrationSetup(population, clients, request.SequencesPerClient))
            )
            .ToArray();
        using var log = new LoggedRun(
            request.Files.Log,
            broker,
            campaign,
            place.Time,
            coarse: request.Training < RunPlan.SoundExploration
        );
        var runs = await place.Progress.ProgressAsync(
            "Calibrate",
            report =>
                Task.Run(() =>
                    new Calibration(broker, campaign, place.Time).Run(
                        cases,
                        setups,
                        request.Runs,
                        log.Sink,
                        new CampaignRelay(report),
                        place.Orderly,
                        place.AtOnce
                    )
                )
        );
        log.Close(
            runs.Cases,
            runs.Runs,
            complete: !runs.Interrupted,
            runs.Idle.Count > 0 ? runs.Idle[0].MedianMilliseconds : null
        );
        return runs;
    }

    /// <summary>Learns from the training cases of a log and predicts what its other runs measured.</summary>
    /// <returns>A table and a model for each learner that can learn from the log.</returns>
    /// <exception cref="InputException">None can.</exception>
    public static LearnedTables Learn(
        Workplace place,
        ExchangeLog log,
        IReadOnlyList<MeasuredSetup> setups,
        IReadOnlyList<ILearner> learners,
        IReadOnlyList<double> thresholdsMilliseconds,
        ulong seed
    )
    {
        var data = TrainingData.From(log);
        var models = new List<LearnedModel>();
        var tables = new List<CalibrationTable>();
        foreach (var learner in learners)
        {
            place.Progress.Note($"learning: {learner.Name}");
            try
            {
                var model = LatencyLearning.Learn(data, learner, seed);
                tables.Add(TableOf(learner, model, setups, thresholdsMilliseconds, seed, place.Orderly));
                models.Add(model);
            }
            // One of several learners may be unable to learn from these data. The others can still be compared.
            catch (InputException exception) when (learners.Count > 1)
            {
                place.Progress.Warn(exception.Message);
            }
        }
        return models.Count > 0
            ? new(tables, models)
            : throw new InputException(
                $"{log.Source}: none of the learners can learn from this "
                    + $"log; allowed: --learner {LearnerCatalogue.Default.Name}"
            );
    }

    private static CalibrationTable TableOf(
        ILearner learner,
        LearnedModel model,
        IReadOnlyList<MeasuredSetup> setups,
        IReadOnlyList<double> thresholdsMilliseconds,
        ulong seed,
        CancellationToken cancellation
    )
    {
        var options = new PredictionOptions
        {
            Seed = SeedPurpose.Predict.Seed(seed),
            Confidence = Confidence,
            PilotSequences = 0,
        };
        return CalibrationTable.Of(
            learner.Name,
            setups,
            setup =>
                Forecast.Of(
                    model,
                    setup.Population,
                    setup.Clients,
                    options with
                    {
                        SequencesPerClient = setup.SequencesPerClient,
                    },
                    cancellation
                ),
            thresholdsMilliseconds,
            Confidence
        );
    }
}
