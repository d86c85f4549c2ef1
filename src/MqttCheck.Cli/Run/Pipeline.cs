using MqttCheck.App.Explore;
using MqttCheck.App.Predict;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Compare;
using MqttCheck.Cli.Explore;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Predict;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Cli.Workers;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Learning;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.Cli.Run;

/// <summary>
/// All stages on one broker, one after the other. However it ends, what was found until then is reported.
/// </summary>
internal sealed class Pipeline(Screen screen, Interruption interruption, RunRequest request)
{
    private readonly List<string> _warnings = [];
    private bool _hasNoBaseline;
    private bool _isModelInvalid;
    private ReportOutput? _output;
    private ExchangeLog? _log;
    private LearnedModel? _model;
    private Prediction? _prediction;
    private VerdictDocument? _verdicts;

    /// <summary>Runs the stages.</summary>
    public async Task<Conclusion> RunAsync()
    {
        var explore = new ExploreRequest(
            request.Live,
            [.. request.Fleets.Select(fleet => fleet.Population)],
            request.Plan.Exploration,
            request.Fleets.Max(fleet => fleet.Clients.Max()),
            request.Plan.Coarse,
            request.Files.Log
        );
        // The limits are checked before anything is started or written.
        explore.Require(Expected().Select(expected => expected.Clients));
        Announce();
        var began = screen.Time.GetTimestamp();
        string? failure = null;
        try
        {
            await RunStagesAsync(explore);
        }
        catch (OperationCanceledException) when (interruption.Orderly.IsCancellationRequested)
        {
            // The result so far is reported below.
        }
        catch (Exception exception)
        {
            failure = exception.Message;
            throw;
        }
        finally
        {
            WriteReport(screen.Time.GetElapsedTime(began), failure);
        }

        var interrupted = interruption.Orderly.IsCancellationRequested;
        Print(screen.Time.GetElapsedTime(began), interrupted);
        var verdicts = VerdictTable.Conclude(_verdicts?.Verdicts ?? [], interrupted);
        return Conclusions.OfAllStages(verdicts, _isModelInvalid, _hasNoBaseline);
    }

    private void WriteReport(TimeSpan elapsed, string? failure)
    {
        screen.Report(double.NaN, "writing the report");
        _output = ReportStage.Output(
            new ReportSources
            {
                Log = _log,
                Model = _model,
                Prediction = _prediction,
                Verdicts = _verdicts,
                Earlier = _verdicts is null ? null : EarlierVerdicts.Before(request.Files.Verdicts, _verdicts),
                Seed = request.Live.Seed,
                Repeat = request.Repeat,
                Coarse = request.Plan.Coarse,
                Interrupted = interruption.Orderly.IsCancellationRequested,
                Failure = failure,
                Elapsed = elapsed,
                Warnings = _warnings,
            },
            screen.Time.GetUtcNow()
        );
        _output.Write(request.Files.Report, ReportFormat.Html);
        // A run that failed or was interrupted leaves the last good report alone.
        if (failure is null && !interruption.Orderly.IsCancellationRequested)
            _output.Write(request.Report, ReportFormat.Html);
        if (failure is not null && request.Format is { } format)
            _output.Print(screen, format);
    }

    // The setups to verify are known beforehand; how many runs each needs depends on the precision of the predictions.
    private (Population Population, int Clients)[] Expected() =>
        [
            .. request.Fleets.SelectMany(fleet =>
                (
                    request.Asked.Clients.Count > 0
                        ? fleet.Clients.Intersect(request.Asked.Clients)
                        : [fleet.Clients.Max()]
                ).Select(clients => (fleet.Population, clients))
            ),
        ];

    // How long it takes is known from what clients wait; a budget that cannot suffice is refused here.
    private void Announce()
    {
        var expected = Expected();
        var points = expected.Length * Math.Max(1, request.Thresholds.Count);
        var fitted = Schedule(request.Asked.Budget);
        var wanted = Schedule(null);
        BudgetCheck.Require(fitted, wanted, request.Asked.IsBudgetGiven);
        VerifyText.Announce(screen, request.Plan.Exploration, fitted, wanted);

        VerificationSchedule Schedule(TimeSpan? budget) =>
            VerificationSchedule.Before(expected, request.Asked.Of(points), request.Asked.IsNumberOfRunsFixed, budget);
    }

    private async Task RunStagesAsync(ExploreRequest explore)
    {
        screen.Report(double.NaN, "starting the broker");
        var broker = await request.Broker.StartAsync(interruption.Orderly);
        try
        {
            var logged = LoggedRun.Describe(broker.Description, request.Live.ProtocolVersion, request.Live.Client);
            screen.Note($"broker: {PredictStage.Describe(logged)} at {broker.Address}");
            await using var workers = await request.ConnectAsync();
            await ExploreAsync(broker, workers.Fleets, explore);
            if (interruption.Orderly.IsCancellationRequested)
                return;
            await LearnAndPredictAsync();
            if (interruption.Orderly.IsCancellationRequested)
                return;
            if (request.VerifyBroker is not null)
            {
                await broker.DisposeAsync();
                broker = await request.VerifyBroker.StartAsync(interruption.Orderly);
            }
            await VerifyAsync(broker, workers.Fleets);
        }
        finally
        {
            await broker.DisposeAsync();
        }
    }

    private async Task ExploreAsync(IBrokerUnderTest broker, IFleetRunner fleets, ExploreRequest explore)
    {
        try
        {
            var exploration = await ExploreStage.RunAsync(
                interruption.At(screen),
                broker,
                explore with
                {
                    Live = request.Live with { Fleets = fleets },
                }
            );
            _warnings.AddRange(RunWarnings.Of(exploration.Runs));
            _isModelInvalid = RunJudgement.AreInvalid(exploration.Runs);
        }
        finally
        {
            if (File.Exists(request.Files.Log))
                _log = ExchangeLogReader.Read(request.Files.Log);
        }
    }

    private async Task LearnAndPredictAsync()
    {
        _model = await screen.ProgressAsync(
            "Learn",
            _ => Task.Run(() => LatencyLearning.Learn([_log!], request.Learner, request.Live.Seed)),
            model => Invariant($"{model.Model.Kind} from {model.Training.ExchangesByKind.Sum()} exchanges")
        );
        LatencyModelFile.Write(request.Files.Model, _model);
        _prediction = await screen.ProgressAsync(
            "Predict",
            report =>
                Task.Run(() =>
                    PredictStage.Predict(
                        _model,
                        new(
                            request.Files.Model,
                            request.Fleets,
                            request.Thresholds,
                            new()
                            {
                                Seed = SeedPurpose.Predict.Seed(request.Live.Seed),
                                Runner = new CountingRunner(screen, Environment.ProcessorCount),
                            }
                        ),
                        report,
                        interruption.Orderly
                    )
                ),
            prediction =>
                Invariant($"{prediction.Points.Count} points of {prediction.Setups.Count} setups from ")
                + Invariant($"{prediction.Setups.Sum(setup => setup.Exchanges)} simulated exchanges")
        );
        PredictionFile.Write(request.Files.Prediction, _prediction);
    }

    private async Task VerifyAsync(IBrokerUnderTest broker, IFleetRunner fleets)
    {
        var answer = await VerifyStage.RunAsync(
            interruption.At(screen),
            broker,
            new(
                request.Live with
                {
                    Fleets = fleets,
                },
                _prediction!,
                request.Asked with
                {
                    AllThresholds = request.Asked.AllThresholds || request.Thresholds.Count > 0,
                },
                request.Files.VerificationLog,
                request.Files.MonteCarloLog
            ),
            VerifyText.On(screen)
        );
        _verdicts = VerifyText.Write(screen, answer, request.Files.Prediction, request.Files.Verdicts, request.Repeat);
        _warnings.AddRange(_verdicts.Warnings);
        VerdictMetrics.Of(_verdicts, screen.Time.GetUtcNow()).Write(request.Metrics);
        if (request.SaveBaseline is not null && !_verdicts.Interrupted)
            Save(request.SaveBaseline, _verdicts);
    }

    // Without a baseline the verdicts are still worth a report.
    private void Save(string path, VerdictDocument verdicts)
    {
        try
        {
            CompareBaselineFile.Write(
                path,
                CompareBaselineFile.From(
                    ExchangeLogReader.Read(request.Files.VerificationLog),
                    verdicts.Verdicts,
                    request.Live.Seed,
                    _warnings.Add
                )
            );
        }
        catch (InputException exception)
        {
            _warnings.Add($"No baseline is stored in {path}: {exception.Message}");
            _hasNoBaseline = true;
        }
    }

    private void Print(TimeSpan elapsed, bool interrupted)
    {
        screen.Warn(_warnings.Distinct());
        if (request.Format is { } format)
        {
            _output!.Print(screen, format);
            return;
        }
        if (interrupted)
            screen.Line("Interrupted: what follows is partial.");
        if (request.Plan.Coarse)
            screen.Line("Coarse result of a short run.");
        if (_prediction is { } prediction)
        {
            var verdicts = _verdicts?.Verdicts ?? [];
            if (screen.IsVerbose)
            {
                foreach (var note in prediction.Notes)
                    screen.Line($"Note: {note}");
                VerdictTable.Print(screen, prediction, verdicts);
            }
            else
                RunSummary.Print(screen, prediction, verdicts);
        }
        screen.Line();
        screen.Line(
            $"log:    {request.Files.Log}" + (_log is { } log ? Invariant($" ({log.Exchanges.Length} exchanges)") : "")
        );
        if (_model is not null)
            screen.Line($"model:  {request.Files.Model}");
        screen.Line(
            interrupted
                ? $"report: {request.Files.Report}"
                : $"report: {request.Report} (a copy of {request.Files.Report})"
        );
        screen.Line($"repeat: {request.Repeat}");
        screen.Line($"took:   {NumberText.Seconds(elapsed)}");
    }
}
