using MqttCheck.App.Runs;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Predictions;

namespace MqttCheck.App.Diff;

/// <summary>
/// The differences of two predictions. Where both are of one model, whose file is still there, their setups are
/// simulated again with common random numbers.
/// </summary>
internal static class PairedPredictions
{
    /// <summary>Compares.</summary>
    /// <param name="first">One prediction.</param>
    /// <param name="second">The other.</param>
    /// <param name="cancellation">Stops the simulations.</param>
    /// <exception cref="InputException">No setup of one can be compared with one of the other.</exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static IReadOnlyList<PredictionDifference> Between(
        Prediction first,
        Prediction second,
        CancellationToken cancellation
    )
    {
        var differences = PredictionDifference.Between(first, second);
        if (CommonModel(first, second) is not { } model)
            return differences;
        return
        [
            .. differences
                .GroupBy(difference => (difference.First, difference.Second))
                .SelectMany(pair =>
                {
                    var one = Simulate(first, pair.Key.First);
                    var other = Simulate(second, pair.Key.Second);
                    return pair.Select(difference => difference.By(one, other));
                }),
        ];

        // Both have the options of the first, so that replication i of both has the same seed.
        Forecast Simulate(Prediction prediction, PredictedSetup setup) =>
            Forecast.Of(
                model,
                prediction.Populations.First(population => population.Name == setup.Profile),
                setup.Clients,
                first.Options with
                {
                    Beyond = true,
                },
                cancellation
            );
    }

    private static LearnedModel? CommonModel(Prediction first, Prediction second) =>
        first.Model.Sha256 == second.Model.Sha256
        && first.Options.SequencesPerClient == second.Options.SequencesPerClient
        && new[] { first.Model.File, second.Model.File }.FirstOrDefault(file =>
            File.Exists(file) && FileHash.OfFile(file) == first.Model.Sha256
        )
            is { } found
            ? LatencyModelFile.Read(found)
            : null;
}
