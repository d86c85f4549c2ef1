using System.Globalization;
using MqttCheck.App.Predict;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Predict;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Learning;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Calibrate;

/// <summary>The stage that measures how far predictions are from the truth.</summary>
internal static class CalibrateStage
{
    /// <summary>The confidence of all intervals.</summary>
    public const double Confidence = .95;

    /// <summary>Trains and measures in turns, predicts, prints and writes the tables.</summary>
    /// <returns>
    /// <see cref="Conclusion.Withheld"/> if too few runs were made to compare anything, or half of them or more are
    /// invalid.
    /// </returns>
    public static async Task<Conclusion> RunAsync(Screen screen, Interruption interruption, CalibrateRequest request)
    {
        var seed = SeedPurpose.Explore.Seed(request.Seed);
        var cases = TrainingDesign.Doe2(seed, request.Training, request.Clients.Max(), request.Populations);
        SystemLimits.Require(Math.Max(cases.Max(planned => planned.Clients), request.Clients.Max()));
        await using var broker = await request.Broker.StartAsync(interruption.Orderly);
        var campaign = request.Broker.Live(request.ProtocolVersion).Campaign(SeedPurpose.Explore);
        var runs = await MakeRunsAsync(screen, interruption, request, broker, campaign, cases);
        Describe(screen, request, broker, runs);
        if (runs.Setups.All(setup => setup.WorstMilliseconds.Count < 2))
        {
            screen.Line("Too few runs to compare anything.");
            return Conclusions.Of(isMet: null, runs.Interrupted);
        }

        var (tables, models) = Tables(
            screen,
            ExchangeLogReader.Read(request.Files.Log),
            runs.Setups,
            request.Learners,
            request.ThresholdsMilliseconds,
            request.Seed,
            interruption.Orderly
        );
        LatencyModelFile.Write(request.Files.Model, models[0]);
        CalibrationFile.Write(
            request.Files.Calibration,
            new(
                request.Files.Log,
                request.Repeat,
                runs.Interrupted,
                request.SequencesPerClient,
                [.. runs.Idle.Select(idle => idle.MedianMilliseconds)]
            ),
            tables,
            models
        );
        if (request.Plots is { } plots)
            PlotFiles.Print(screen, CalibrationPlots.Draw(tables, plots), plots);
        CalibrationText.Print(screen, tables, models);
        screen.Line();
        screen.Line($"model:  {request.Files.Model}");
        screen.Line($"table:  {request.Files.Calibration}");
        screen.Line($"repeat: {request.Repeat}");
        // Neither a model nor a measurement of invalid runs says anything of the broker.
        return Conclusions.Of(runs.Runs, runs.Interrupted);
    }

    private static async Task<CalibrationRuns> MakeRunsAsync(
        Screen screen,
        Interruption interruption,
        CalibrateRequest request,
        IBrokerUnderTest broker,
        CampaignOptions campaign,
        IReadOnlyList<TrainingCase> cases
    )
    {
        var setups = request
            .Populations.SelectMany(population =>
                request.Clients.Select(clients => new CalibrationSetup(population, clients, request.SequencesPerClient))
            )
            .ToArray();
        using (
            var log = new LoggedRun(
                request.Files.Log,
                broker,
                campaign,
                screen.Time,
                coarse: request.Training < RunPlan.SoundExploration
            )
        )
        {
            var runs = await screen.ProgressAsync(
                "Calibrate",
                report =>
                    Task.Run(() =>
                        new Calibration(broker, campaign, screen.Time).Run(
                            cases,
                            setups,
                            request.Runs,
                            log.Sink,
                            new CampaignRelay(report),
                            interruption.Orderly,
                            interruption.AtOnce
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
    }

    private static void Describe(Screen screen, CalibrateRequest request, IBrokerUnderTest broker, CalibrationRuns runs)
    {
        foreach (var warning in RunWarnings.Of(runs.Runs))
            screen.Warn(warning);
        var logged = LoggedRun.Describe(broker.Description, request.ProtocolVersion, request.Broker.Client);
        var idle = runs.Idle.Select(one => Invariant($"{one.MedianMilliseconds:0.###}"));
        screen.Line(
            $"broker: {PredictStage.Describe(logged)}; idle latency {string.Join(", ", idle)} ms before the turns"
        );
        if (runs.IdleDrift > IdleDrift.Largest)
            screen.Line(
                Invariant($"Note: the idle latency moved by {runs.IdleDrift:P0}: ")
                    + "other work disturbed the machine, or it changed."
            );
        screen.Line($"log: {request.Files.Log}");
    }

    /// <summary>Learns from the training cases of a log and predicts what its other runs measured.</summary>
    /// <returns>A table and a model for each learner that can learn from the log.</returns>
    /// <exception cref="InputException">None can.</exception>
    internal static (IReadOnlyList<CalibrationTable> Tables, IReadOnlyList<LearnedModel> Models) Tables(
        Screen screen,
        ExchangeLog log,
        IReadOnlyList<MeasuredSetup> setups,
        IReadOnlyList<ILearner> learners,
        IReadOnlyList<double> thresholdsMilliseconds,
        ulong seed,
        CancellationToken cancellation
    )
    {
        var data = TrainingData.From(log);
        var models = new List<LearnedModel>();
        var tables = new List<CalibrationTable>();
        foreach (var learner in learners)
        {
            screen.Note($"learning: {learner.Name}");
            try
            {
                var model = LatencyLearning.Learn(data, learner, seed);
                tables.Add(TableOf(learner, model, setups, thresholdsMilliseconds, seed, cancellation));
                models.Add(model);
            }
            // One of several learners may be unable to learn from these data. The others can still be compared.
            catch (InputException exception) when (learners.Count > 1)
            {
                screen.Warn(exception.Message);
            }
        }
        return models.Count > 0
            ? (tables, models)
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
