using MqttCheck.App.Compare;
using MqttCheck.App.Explore;
using MqttCheck.App.Predict;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Learning;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.App.Run;

/// <summary>
/// All stages on one broker, one after the other. However they end, what was found until then is here.
/// </summary>
/// <param name="view">Shows the verification.</param>
internal sealed class RunStages(Workplace place, RunRequest request, VerificationView view)
{
    private readonly List<string> _warnings = [];
    private bool _isModelInvalid;
    private bool _hasNoBaseline;

    /// <summary>The warnings to the user; who shows the verdicts adds those about them.</summary>
    public IList<string> Warnings => _warnings;

    /// <summary>The log of the exploration; null before it.</summary>
    public ExchangeLog? Log { get; private set; }

    /// <summary>The model; null before it is learned.</summary>
    public LearnedModel? Model { get; private set; }

    /// <summary>The prediction; null before it is made.</summary>
    public Prediction? Prediction { get; private set; }

    /// <summary>The verification; null before it ends.</summary>
    public VerificationAnswer? Verification { get; private set; }

    /// <summary>Runs the stages.</summary>
    /// <exception cref="OperationCanceledException">It was interrupted.</exception>
    public async Task RunAsync()
    {
        place.Progress.Report(double.NaN, "starting the broker");
        var broker = await request.Broker.StartAsync(place.Orderly);
        try
        {
            var logged = broker.Description.Logged(request.Live.ProtocolVersion, request.Live.Client);
            place.Progress.Note($"broker: {PredictStage.Describe(logged)} at {broker.Address}");
            await using var workers = await request.ConnectAsync();
            await ExploreAsync(broker, workers.Fleets);
            place.Orderly.ThrowIfCancellationRequested();
            await LearnAndPredictAsync();
            place.Orderly.ThrowIfCancellationRequested();
            if (request.VerifyBroker is { } other)
            {
                await broker.DisposeAsync();
                broker = await other.StartAsync(place.Orderly);
            }
            Verification = await VerifyStage.RunAsync(place, broker, Verify(workers.Fleets), view);
        }
        finally
        {
            await broker.DisposeAsync();
        }
    }

    /// <summary>Stores the verified runs, where that was asked for. Without them the verdicts are still good.</summary>
    public void SaveBaseline()
    {
        if (request.SaveBaseline is not { } path || Verification is not { Result: { Interrupted: false } result })
            return;
        try
        {
            CompareBaselineFile.Write(
                path,
                CompareBaselineFile.From(
                    ExchangeLogReader.Read(request.Files.VerificationLog),
                    result.Verdicts.Select(verdict => verdict.Verdict.Point),
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

    /// <summary>The conclusion from the stages that were run.</summary>
    public Conclusion Conclude() =>
        Conclusions.OfAllStages(
            place.Orderly.IsCancellationRequested ? Conclusion.Interrupted : Verification!.Conclude(),
            _isModelInvalid,
            _hasNoBaseline
        );

    private async Task ExploreAsync(IBrokerUnderTest broker, IFleetRunner fleets)
    {
        var explore = request.Explore;
        try
        {
            var exploration = await ExploreStage.RunAsync(
                place,
                broker,
                explore with
                {
                    Live = explore.Live with { Fleets = fleets },
                }
            );
            _warnings.AddRange(RunWarnings.Of(exploration.Runs));
            _isModelInvalid = RunJudgement.AreInvalid(exploration.Runs);
        }
        finally
        {
            if (File.Exists(explore.Log))
                Log = ExchangeLogReader.Read(explore.Log);
        }
    }

    private async Task LearnAndPredictAsync()
    {
        Model = await place.Progress.ProgressAsync(
            "Learn",
            _ => Task.Run(() => LatencyLearning.Learn([Log!], request.Learner, request.Live.Seed)),
            model => Invariant($"{model.Model.Kind} from {model.Training.ExchangesByKind.Sum()} exchanges")
        );
        LatencyModelFile.Write(request.Files.Model, Model);
        var options = new PredictionOptions { Seed = SeedPurpose.Predict.Seed(request.Live.Seed) };
        var asked = new PredictRequest(request.Files.Model, request.Fleets, request.Thresholds, options);
        Prediction = await place.Progress.ProgressAsync(
            "Predict",
            report => Task.Run(() => PredictStage.Predict(Model, asked, report, place.Orderly)),
            prediction =>
                Invariant($"{prediction.Points.Count} points of {prediction.Setups.Count} setups from ")
                + Invariant($"{prediction.Setups.Sum(setup => setup.Exchanges)} simulated exchanges")
        );
        PredictionFile.Write(request.Files.Prediction, Prediction);
    }

    private VerifyRequest Verify(IFleetRunner fleets) =>
        new(
            request.Live with
            {
                Fleets = fleets,
            },
            Prediction!,
            request.Asked with
            {
                AllThresholds = request.Asked.AllThresholds || request.Thresholds.Count > 0,
            },
            request.Files.VerificationLog,
            request.Files.MonteCarloLog
        );
}
