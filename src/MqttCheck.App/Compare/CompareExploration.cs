using MqttCheck.App.Predict;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Learning;
using MqttCheck.Learning.Data;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.App.Compare;

/// <summary>Explores the brokers of a comparison in turns, learns from each and predicts it.</summary>
/// <param name="fleets">Who makes the runs.</param>
/// <param name="warnings">Takes the warnings about runs and predictions.</param>
internal sealed class CompareExploration(
    Workplace place,
    CompareRequest request,
    IReadOnlyList<ComparedBroker> brokers,
    IFleetRunner fleets,
    List<string> warnings
)
{
    /// <summary>Makes the runs, the models and the predictions, and writes their files.</summary>
    /// <returns>What is known of each broker.</returns>
    public async Task<IReadOnlyList<LearnedBroker>> RunAsync()
    {
        var seed = SeedPurpose.Explore.Seed(request.Seed);
        var cases = TrainingDesign.Doe2(
            seed,
            request.Plan.Exploration,
            request.Clients.Max(),
            [.. request.Populations]
        );
        var explored = brokers
            .Select(broker => new Explored(broker, broker.Campaign(seed, fleets), place.Time, request.Plan.Coarse))
            .ToArray();
        try
        {
            await place.Progress.ProgressAsync(
                "Explore",
                report =>
                    Task.Run(() =>
                    {
                        Explore(cases, explored, report);
                        return true;
                    })
            );
            foreach (var (one, broker) in explored.Zip(brokers))
            {
                one.Log.Close(
                    one.Cases,
                    one.Runs,
                    complete: one.Cases.Count == cases.Count && one.Cases.All(done => done.Complete)
                );
                warnings.AddRange(broker.Warnings(one.Runs));
            }
        }
        finally
        {
            foreach (var one in explored)
                one.Log.Dispose();
        }
        place.Orderly.ThrowIfCancellationRequested();
        return await place.Progress.ProgressAsync("Learn and predict", _ => Task.Run(Predict));
    }

    // The same training cases on every broker, case by case in turns.
    private void Explore(IReadOnlyList<TrainingCase> cases, Explored[] explored, Action<double, string> report)
    {
        for (var number = 0; number < cases.Count; number++)
        {
            for (var turn = 0; turn < brokers.Count && !place.Orderly.IsCancellationRequested; turn++)
            {
                var index = (number + turn) % brokers.Count;
                report(
                    ((double)number * brokers.Count + turn) / (cases.Count * brokers.Count),
                    Invariant($"case {number + 1} of {cases.Count}, {brokers[index].Label}")
                );
                explored[index].Add(cases[number], place);
            }
        }
    }

    private List<LearnedBroker> Predict()
    {
        var models = new List<LearnedModel>();
        foreach (var broker in brokers)
        {
            models.Add(
                LatencyLearning.Learn([ExchangeLogReader.Read(broker.Files.Log)], request.Learner, request.Seed)
            );
            LatencyModelFile.Write(broker.Files.Model, models[^1]);
        }
        var options = new PredictionOptions { Seed = SeedPurpose.Predict.Seed(request.Seed) };
        // A difference between brokers is easiest to detect at a probability near .85. Each broker gives the threshold
        // nearest to that, and all brokers are compared at all of them.
        var thresholds =
            request.Thresholds.Count > 0
                ? request.Thresholds
                :
                [
                    .. models
                        .SelectMany(
                            (model, index) =>
                                Predicted(model, brokers[index].Files.Model, [])
                                    .MostInformativePoints.Select(point => point.ThresholdMilliseconds)
                        )
                        .Distinct()
                        .Order(),
                ];
        var learned = new List<LearnedBroker>();
        foreach (var (model, broker) in models.Zip(brokers))
        {
            var prediction = Predicted(model, broker.Files.Model, thresholds);
            PredictionFile.Write(broker.Files.Prediction, prediction);
            warnings.AddRange(broker.Named(prediction.Notes));
            learned.Add(new(model, prediction));
        }
        return learned;

        Prediction Predicted(LearnedModel model, string file, IReadOnlyList<double> given) =>
            PredictStage.Predict(
                model,
                new(file, FleetSizes.Of(request.Clients).Of(request.Populations), given, options),
                (_, _) => { },
                place.Orderly
            );
    }

    // The exploration of one broker.
    private sealed class Explored(ComparedBroker broker, CampaignOptions campaign, TimeProvider time, bool coarse)
    {
        public LoggedRun Log { get; } = new(broker.Files.Log, broker.Running, campaign, time, coarse);

        public List<RunCase> Cases { get; } = [];

        public List<FleetRunResult> Runs { get; } = [];

        public void Add(TrainingCase planned, Workplace place)
        {
            var exploration = new Exploration(broker.Running, campaign, time).Run(
                [planned],
                Log.Sink,
                null,
                place.Orderly,
                place.AtOnce
            );
            Cases.AddRange(exploration.Cases);
            Runs.AddRange(exploration.Runs);
        }
    }
}
