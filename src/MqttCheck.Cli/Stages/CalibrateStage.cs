using System.Globalization;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Checking;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency;
using MqttCheck.Learning;
using MqttCheck.Logs;

namespace MqttCheck.Cli.Stages;

/// <summary>The stage that measures how far predictions are from the truth.</summary>
public static class CalibrateStage
{
    /// <summary>The confidence of all intervals.</summary>
    public const double Confidence = .95;

    // Above it two runs of the same setup differ so much that a prediction cannot be judged by a few of them.
    private const double QuietNoiseFloor = .03;

    /// <summary>Trains and measures in turns, predicts, prints and writes the tables.</summary>
    /// <param name="screen">Where to print.</param>
    /// <param name="interruption">Ctrl-C and SIGTERM.</param>
    /// <param name="request">What to do.</param>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public static async Task<int> RunAsync(Screen screen, Interruption interruption, CalibrateRequest request)
    {
        ArgumentNullException.ThrowIfNull(screen);
        ArgumentNullException.ThrowIfNull(interruption);
        ArgumentNullException.ThrowIfNull(request);
        await using var broker = await request.Broker.StartAsync(interruption.Orderly);
        var seed = StageSeeds.Explore(request.Seed);
        var campaign = new CampaignOptions { Seed = seed, Prefix = FleetSetup.NewPrefix(), MaximumRequestsPerSecond = request.Broker.RateCap, ProtocolVersion = request.ProtocolVersion };
        var cases = TrainingDesign.Doe2(seed, request.Training, request.Populations);
        var setups = request.Populations
            .SelectMany(population => request.Clients.Select(clients => new CalibrationSetup(population, clients, request.SequencesPerClient))).ToArray();
        CalibrationRuns runs;
        using (var log = new LoggedRun(request.Files.Log, broker, campaign, screen.Time, coarse: request.Training < RunPlan.SoundExploration))
        {
            runs = await screen.ProgressAsync("Calibrate", report => Task.Run(() => new Calibration(broker, campaign, screen.Time).Run(
                cases, setups, request.Runs, log.Sink, new ScreenProgress(report), interruption.Orderly, interruption.AtOnce)));
            log.Close(runs.Cases, runs.Runs, complete: !runs.Interrupted, runs.Idle.Count > 0 ? runs.Idle[0].MedianMilliseconds : null);
        }
        foreach (var warning in VerifyStage.Warnings(runs.Runs)) screen.Warn(warning);
        screen.Line(string.Create(CultureInfo.InvariantCulture,
            $"broker: {PredictStage.Describe(LoggedRun.Describe(broker.Description, request.ProtocolVersion))}; idle latency {string.Join(", ", runs.Idle.Select(idle => idle.MedianMilliseconds.ToString("0.###", CultureInfo.InvariantCulture)))} ms before the turns"));
        if (runs.IdleDrift > IdleDrift.Largest)
            screen.Line(string.Create(CultureInfo.InvariantCulture, $"Note: the idle latency moved by {runs.IdleDrift:P0}: other work disturbed the machine, or it changed."));
        screen.Line($"log: {request.Files.Log}");
        if (runs.Setups.All(setup => setup.WorstMilliseconds.Count < 2))
        {
            screen.Line("Too few runs to compare anything.");
            return runs.Interrupted ? ExitCode.Interrupted : ExitCode.Withheld;
        }

        var data = TrainingData.From(ExchangeLogReader.Read(request.Files.Log));
        var models = new List<LearnedModel>();
        var tables = new List<CalibrationTable>();
        foreach (var learner in request.Learners)
        {
            screen.Note($"learning: {learner.Name}");
            try
            {
                var model = LatencyLearning.Learn(data, learner, request.Seed);
                tables.Add(TableOf(learner, model, runs, request, interruption.Orderly));
                models.Add(model);
            }
            catch (InputException exception)
            {
                screen.Warn(exception.Message);
            }
        }
        LatencyModelFile.Write(request.Files.Model, models[0]);
        CalibrationFile.Write(request.Files.Calibration, request, runs, tables, models);
        Print(screen, tables, models);
        screen.Line();
        screen.Line($"model:  {request.Files.Model}");
        screen.Line($"table:  {request.Files.Calibration}");
        screen.Line($"repeat: {request.Repeat}");
        return runs.Interrupted ? ExitCode.Interrupted : ExitCode.Success;
    }

    private static CalibrationTable TableOf(ILearner learner, LearnedModel model, CalibrationRuns runs, CalibrateRequest request, CancellationToken cancellation)
    {
        var options = new PredictionOptions
        {
            Seed = StageSeeds.Predict(request.Seed),
            Confidence = Confidence,
            SequencesPerClient = request.SequencesPerClient,
            PilotSequences = 0,
        };
        return CalibrationTable.Of(learner.Name, runs.Setups, setup => Forecast.Of(model, setup.Population, setup.Clients, options, cancellation),
            request.ThresholdsMilliseconds, Confidence);
    }

    private static void Print(Screen screen, List<CalibrationTable> tables, List<LearnedModel> models)
    {
        var first = tables[0];
        if (first.Points.Count == 0)
        {
            screen.Line(string.Create(CultureInfo.InvariantCulture,
                $"At no threshold did between {CalibrationTable.LeastMeasured} and {CalibrationTable.MostMeasured} of the sequences arrive in time; choose other thresholds with --threshold."));
            return;
        }
        screen.Line();
        var table = new TextTable("profile", "clients", "threshold", "predicted", "interval", "measured", "interval", "error", "noise floor");
        foreach (var point in first.Points)
        {
            table.Add(point.Predicted.Profile, point.Predicted.Clients.ToString(CultureInfo.InvariantCulture), Text.Milliseconds(point.Predicted.ThresholdMilliseconds),
                Text.Probability(point.Predicted.Probability), Text.Probability(point.Predicted.Interval),
                Text.Probability(point.Measured), Text.Probability(point.MeasuredInterval), Signed(point.Error), Text.Probability(point.NoiseFloor));
        }
        table.Print(screen);
        screen.Line();
        var summary = new TextTable("learner", "took", "points", "mean error", "largest", "bias", "noise floor", "coverage", "median width", "interval score", "constant width");
        foreach (var (one, model) in tables.Zip(models))
        {
            summary.Add(one.Learner, model.Model.Kind, one.Points.Count.ToString(CultureInfo.InvariantCulture), Text.Probability(one.MeanError), Text.Probability(one.LargestError),
                Signed(one.Bias), Text.Probability(one.NoiseFloor), Text.Probability(one.Coverage), Text.Probability(one.MedianWidth), Text.Probability(one.IntervalScore),
                Text.Probability(one.ConstantWidthScore));
        }
        summary.Print(screen);
        foreach (var quiet in tables.Select(one => one.WithNoiseFloorUpTo(QuietNoiseFloor)).Where(quiet => quiet.Points.Count > 0))
        {
            screen.Line(string.Create(CultureInfo.InvariantCulture,
                $"{quiet.Learner}, {quiet.Points.Count} points with a noise floor of at most {QuietNoiseFloor}: mean error {quiet.MeanError:0.000}, largest {quiet.LargestError:0.000}, coverage {quiet.Coverage:0.000}, median width {quiet.MedianWidth:0.000}"));
        }
        foreach (var note in models[0].Training.Notes) screen.Line($"Note: {note}");
    }

    private static string Signed(double value) => value.ToString("+0.000;-0.000;0.000", CultureInfo.InvariantCulture);
}
