using MqttCheck.App.Runs;
using MqttCheck.Latency;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using static System.FormattableString;

namespace MqttCheck.App.Predict;

/// <summary>The stage from a model and profiles to a prediction.</summary>
internal static class PredictStage
{
    /// <summary>Simulates every setup and chooses the thresholds that say something, unless they are given.</summary>
    /// <param name="report">Who is told how far it is.</param>
    /// <returns>The prediction; after an interruption that of the setups until then, with a note.</returns>
    /// <exception cref="OperationCanceledException">It was interrupted before the first setup.</exception>
    public static Prediction Predict(
        LearnedModel model,
        PredictRequest request,
        Action<double, string> report,
        CancellationToken cancellation
    )
    {
        var (fleets, options) = (request.Fleets, request.Options);
        var progress = new CountedSetups(model, request, report);
        var made = new List<Forecast>();
        var points = new List<PredictedPoint>();
        var setups = new List<PredictedSetup>();
        var all = fleets.Sum(fleet => fleet.Clients.Count);
        foreach (var (population, clients) in fleets)
        {
            var forecasts = new List<Forecast>();
            foreach (var count in clients)
            {
                var done = made.Count + forecasts.Count;
                progress.Begin(Invariant($"{population.Name}, {count} clients"));
                if (OfSetup(model, population, count, progress.Options, done > 0, cancellation) is not { } forecast)
                    break;
                forecasts.Add(forecast);
            }
            if (forecasts.Count == 0)
                break;
            made.AddRange(forecasts);
            var thresholds =
                request.ThresholdsMilliseconds.Count > 0
                    ? request.ThresholdsMilliseconds
                    : Thresholds([.. forecasts.Select(forecast => forecast.Prediction)]);
            foreach (var one in forecasts)
            {
                setups.Add(PredictedSetup.Of(one.Prediction) with { IsOutsideTraining = one.IsOutsideTraining });
                points.AddRange(thresholds.Select(one.Point));
            }
        }
        return new()
        {
            Model = Describe(model, request.ModelFile),
            Options = options with { Confidence = made[^1].Level },
            Populations =
            [
                .. fleets
                    .Select(fleet => fleet.Population)
                    .Where(one => setups.Any(setup => setup.Profile == one.Name)),
            ],
            Setups = setups,
            Points = points,
            Notes = [.. Notes(model, made, all).Distinct()],
            Cautions = [.. made.SelectMany(one => one.Cautions).Concat(model.Training.Cautions).Distinct()],
        };
    }

    private static List<string> Notes(LearnedModel model, List<Forecast> made, int all)
    {
        var notes = made.SelectMany(forecast => forecast.Notes).ToList();
        if (made.Count < all)
            notes.Insert(0, Invariant($"Interrupted: {made.Count} of {all} setups are predicted."));
        if (model.Training.Coarse)
            notes.Add("The model was learned from a short exploration: the prediction is coarse.");
        notes.AddRange(model.Training.Notes);
        return notes;
    }

    // Null after an interruption that leaves something to write: the setups before are worth a file.
    private static Forecast? OfSetup(
        LearnedModel model,
        Population population,
        int clients,
        PredictionOptions options,
        bool isAnyPredicted,
        CancellationToken cancellation
    )
    {
        try
        {
            return Forecast.Of(model, population, clients, options, cancellation);
        }
        catch (OperationCanceledException) when (isAnyPredicted)
        {
            return null;
        }
    }

    private static PredictionModel Describe(LearnedModel model, string modelFile) =>
        new(modelFile, FileHash.OfFile(modelFile), model.Model.Kind, Describe(model.Broker))
        {
            LearnedFrom = model.Broker,
            IdleMilliseconds = model.IdleMilliseconds,
            ReplayedCases = model.Replay?.Cases.Count ?? 0,
        };

    /// <summary>A broker in words: name, version and the settings that move latencies.</summary>
    public static string Describe(LoggedBroker broker)
    {
        // MQTT 3.1.1 goes without saying: older logs and models do not say it.
        var details = broker
            .Details.Keys.Where(key => (key, broker.Details[key]) != (LoggedBroker.VersionKey, "3.1.1"))
            .Order(StringComparer.Ordinal)
            .Select(key => $", {key} {broker.Details[key]}");
        return $"{broker.Name} {broker.Version} (settings {broker.Settings}{string.Concat(details)})";
    }

    // The same thresholds for every client count, so that rows can be compared: a grid for the middle one, and the most
    // informative one of the largest.
    private static IReadOnlyList<double> Thresholds(List<SetupPrediction> predictions) =>
        [
            .. ThresholdChooser
                .Grid(predictions[predictions.Count / 2])
                .Append(ThresholdChooser.Informative(predictions[^1]))
                .Distinct()
                .Order(),
        ];
}
