using MqttCheck.App.Explore;
using MqttCheck.App.Predict;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
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
internal sealed class Pipeline(Screen screen, Interruption interruption)
{
    /// <summary>How much to do.</summary>
    public required RunPlan Plan { get; init; }

    /// <summary>The broker.</summary>
    public required BrokerChoice Broker { get; init; }

    /// <summary>Connects to those who make the runs, once the broker is there.</summary>
    public required Func<Task<LiveWorkers>> ConnectAsync { get; init; }

    /// <summary>The broker to verify on, if it is not the same; for demonstrations.</summary>
    public BrokerChoice? VerifyBroker { get; init; }

    /// <summary>The profiles and their client counts.</summary>
    public required IReadOnlyList<AskedFleet> Fleets { get; init; }

    /// <summary>The thresholds in milliseconds, none to have them chosen.</summary>
    public required IReadOnlyList<double> Thresholds { get; init; }

    /// <summary>The verification that was asked for. Given thresholds are all verified.</summary>
    public required AskedTest Asked { get; init; }

    /// <summary>The learner.</summary>
    public required ILearner Learner { get; init; }

    /// <summary>The protocol that the clients speak.</summary>
    public required ProtocolVersion ProtocolVersion { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>The files that the stages write.</summary>
    public required RunFiles Files { get; init; }

    /// <summary>The file in which the verified runs are stored as a baseline for later ones; null for none.</summary>
    public string? SaveBaseline { get; init; }

    /// <summary>The file that takes the verdicts as metrics, or null.</summary>
    public string? Metrics { get; init; }

    /// <summary>The copy of the last good report.</summary>
    public required string Report { get; init; }

    /// <summary>The format that is printed instead of the summary; null to print the summary.</summary>
    public ReportFormat? Format { get; init; }

    /// <summary>The command that repeats the run.</summary>
    public required string Repeat { get; init; }

    private readonly List<string> _warnings = [];
    private bool _hasNoBaseline;
    private bool _isModelInvalid;
    private ReportOutput? _output;
    private ExchangeLog? _log;
    private LearnedModel? _model;
    private Prediction? _prediction;
    private VerdictDocument? _verdicts;

    /// <summary>Runs the stages.</summary>
    public async Task<int> RunAsync()
    {
        var request = new ExploreRequest
        {
            Seed = Seed,
            ProtocolVersion = ProtocolVersion,
            Client = Broker.Client,
            RateCap = Broker.RateCap,
            Populations = [.. Fleets.Select(fleet => fleet.Population)],
            Time = Plan.Exploration,
            MostClients = Fleets.Max(fleet => fleet.Clients.Max()),
            Coarse = Plan.Coarse,
            Log = Files.Log,
        };
        // The limits are checked before anything is started or written.
        SystemLimits.Require(
            Math.Max(request.Cases.Max(planned => planned.Clients), Expected().Max(expected => expected.Clients))
        );
        Announce();
        var began = screen.Time.GetTimestamp();
        string? failure = null;
        try
        {
            await RunStagesAsync(request);
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
        return ExitCode.Of(Conclusions.OfAllStages(verdicts, _isModelInvalid, _hasNoBaseline));
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
                Earlier = _verdicts is null ? null : EarlierVerdicts.Before(Files.Verdicts, _verdicts),
                Seed = Seed,
                Repeat = Repeat,
                Coarse = Plan.Coarse,
                Interrupted = interruption.Orderly.IsCancellationRequested,
                Failure = failure,
                Elapsed = elapsed,
                Warnings = _warnings,
            },
            screen.Time.GetUtcNow()
        );
        _output.Write(Files.Report, ReportFormat.Html);
        // A run that failed or was interrupted leaves the last good report alone.
        if (failure is null && !interruption.Orderly.IsCancellationRequested)
            _output.Write(Report, ReportFormat.Html);
        if (failure is not null && Format is { } format)
            _output.Print(screen, format);
    }

    // The setups to verify are known beforehand; how many runs each needs depends on the precision of the predictions.
    private (Population Population, int Clients)[] Expected() =>
        [
            .. Fleets.SelectMany(fleet =>
                (Asked.Clients.Count > 0 ? fleet.Clients.Intersect(Asked.Clients) : [fleet.Clients.Max()]).Select(
                    clients => (fleet.Population, clients)
                )
            ),
        ];

    // How long it takes is known from what clients wait; a budget that cannot suffice is refused here.
    private void Announce()
    {
        var expected = Expected();
        var points = expected.Length * Math.Max(1, Thresholds.Count);
        var fitted = Schedule(Asked.Budget);
        var wanted = Schedule(null);
        BudgetCheck.Require(fitted, wanted, Asked.IsBudgetGiven);
        BudgetCheck.Announce(screen, Plan.Exploration, fitted, wanted);

        VerificationSchedule Schedule(TimeSpan? budget) =>
            VerificationSchedule.Before(expected, Asked.Of(points), Asked.IsNumberOfRunsFixed, budget);
    }

    private async Task RunStagesAsync(ExploreRequest request)
    {
        screen.Report(double.NaN, "starting the broker");
        var broker = await Broker.StartAsync(interruption.Orderly);
        try
        {
            var logged = LoggedRun.Describe(broker.Description, ProtocolVersion, Broker.Client);
            screen.Note($"broker: {PredictStage.Describe(logged)} at {broker.Address}");
            await using var workers = await ConnectAsync();
            await ExploreAsync(broker, workers.Fleets, request);
            if (interruption.Orderly.IsCancellationRequested)
                return;
            await LearnAndPredictAsync();
            if (interruption.Orderly.IsCancellationRequested)
                return;
            if (VerifyBroker is not null)
            {
                await broker.DisposeAsync();
                broker = await VerifyBroker.StartAsync(interruption.Orderly);
            }
            await VerifyAsync(broker, workers.Fleets);
        }
        finally
        {
            await broker.DisposeAsync();
        }
    }

    private async Task ExploreAsync(IBrokerUnderTest broker, IFleetRunner fleets, ExploreRequest request)
    {
        try
        {
            var exploration = await ExploreStage.RunAsync(
                interruption.At(screen),
                broker,
                request with
                {
                    Fleets = fleets,
                }
            );
            _warnings.AddRange(RunWarnings.Of(exploration.Runs));
            _isModelInvalid = RunJudgement.AreInvalid(exploration.Runs);
        }
        finally
        {
            if (File.Exists(Files.Log))
                _log = ExchangeLogReader.Read(Files.Log);
        }
    }

    private async Task LearnAndPredictAsync()
    {
        _model = await screen.ProgressAsync(
            "Learn",
            _ => Task.Run(() => LatencyLearning.Learn([_log!], Learner, Seed)),
            model => Invariant($"{model.Model.Kind} from {model.Training.ExchangesByKind.Sum()} exchanges")
        );
        LatencyModelFile.Write(Files.Model, _model);
        _prediction = await screen.ProgressAsync(
            "Predict",
            report =>
                Task.Run(() =>
                    PredictStage.Predict(
                        _model,
                        new(
                            Files.Model,
                            Fleets,
                            Thresholds,
                            new()
                            {
                                Seed = SeedPurpose.Predict.Seed(Seed),
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
        PredictionFile.Write(Files.Prediction, _prediction);
    }

    private async Task VerifyAsync(IBrokerUnderTest broker, IFleetRunner fleets)
    {
        var asked = Asked with { AllThresholds = Asked.AllThresholds || Thresholds.Count > 0 };
        _verdicts = await VerifyStage.RunAsync(
            screen,
            interruption,
            broker,
            new()
            {
                Prediction = _prediction!,
                PredictionFile = Files.Prediction,
                Chosen = asked.Choose(_prediction!),
                Asked = asked,
                Seed = Seed,
                RateCap = Broker.RateCap,
                ProtocolVersion = ProtocolVersion,
                Client = Broker.Client,
                Fleets = fleets,
                MonteCarloLog = Files.MonteCarloLog,
                Log = Files.VerificationLog,
                Output = Files.Verdicts,
                Repeat = Repeat,
            }
        );
        _warnings.AddRange(_verdicts.Warnings);
        VerdictMetrics.Of(_verdicts, screen.Time.GetUtcNow()).Write(Metrics);
        if (SaveBaseline is not null && !_verdicts.Interrupted)
            Save(SaveBaseline, _verdicts);
    }

    // Without a baseline the verdicts are still worth a report.
    private void Save(string path, VerdictDocument verdicts)
    {
        try
        {
            CompareBaselineFile.Write(
                path,
                CompareBaselineFile.From(
                    ExchangeLogReader.Read(Files.VerificationLog),
                    verdicts.Verdicts,
                    Seed,
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
        if (Format is { } format)
        {
            _output!.Print(screen, format);
            return;
        }
        if (interrupted)
            screen.Line("Interrupted: what follows is partial.");
        if (Plan.Coarse)
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
            $"log:    {Files.Log}" + (_log is { } log ? Invariant($" ({log.Exchanges.Length} exchanges)") : "")
        );
        if (_model is not null)
            screen.Line($"model:  {Files.Model}");
        screen.Line(interrupted ? $"report: {Files.Report}" : $"report: {Report} (a copy of {Files.Report})");
        screen.Line($"repeat: {Repeat}");
        screen.Line($"took:   {NumberText.Seconds(elapsed)}");
    }
}
