using System.Globalization;
using MqttCheck.Profiles;

namespace MqttCheck.Predictions;

/// <summary>
/// The result of one call of the predictor for one or more setups. It holds everything that a verification needs: the
/// points to confirm or refute, and their populations. <see cref="PredictionFile"/> saves and reads it.
/// </summary>
public sealed record Prediction
{
    /// <summary>Which latency model it was made with.</summary>
    public required PredictionModel Model { get; init; }

    /// <summary>How it was made. The number of threads does not matter and is not kept.</summary>
    public required PredictionOptions Options { get; init; }

    /// <summary>
    /// How far from the predicted probability the truth may lie and still count as predicted, in (0, .5). Default .1.
    /// </summary>
    public double Indifference { get; init; } = .1;

    /// <summary>The populations of the setups, each once.</summary>
    public required IReadOnlyList<Population> Populations { get; init; }

    /// <summary>The setups, in the order in which they were asked for.</summary>
    public required IReadOnlyList<PredictedSetup> Setups { get; init; }

    /// <summary>The predicted probabilities at the chosen thresholds.</summary>
    public required IReadOnlyList<PredictedPoint> Points { get; init; }

    /// <summary>
    /// Warnings about the validity of the prediction, for example that a setup lies outside of the model's range.
    /// </summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Those of the notes that say not to rely on the prediction.</summary>
    public IReadOnlyList<string> Cautions { get; init; } = [];

    /// <summary>The notes that nobody may miss: all, if a setup is outside of training.</summary>
    internal IReadOnlyList<string> Warnings => Setups.Any(setup => setup.IsOutsideTraining) ? Notes : Cautions;

    /// <summary>The share of the points' intervals that hold what they are of.</summary>
    public double Level => Options.Confidence;

    /// <summary>The title of a column with the points' intervals.</summary>
    public string IntervalTitle => string.Create(CultureInfo.InvariantCulture, $"{Level:P0} interval");

    /// <summary>Explains the intervals in a sentence.</summary>
    public string IntervalMeaning =>
        Model.ReplayedCases switch
        {
            null => string.Create(
                CultureInfo.InvariantCulture,
                $"The intervals are of an earlier version, which called them {Level:P0} intervals; some "
            ) + "93 of 100 such intervals held. Predict again for intervals that hold what they say.",
            0 => "The intervals hold the error of the simulation only: no training "
                + "case was replayed, so nothing is known of the model's own error.",
            _ => string.Create(
                CultureInfo.InvariantCulture,
                $"{100 * Level:0.#} of 100 such intervals hold what one long "
                    + $"measurement shows, on the same broker and machine, if errors are "
                    + $"like those of the {Model.ReplayedCases} replayed training cases."
            ),
        };

    /// <summary>The population that a point is about.</summary>
    /// <param name="point">A point of this prediction.</param>
    /// <exception cref="ArgumentException">The point is not of this prediction.</exception>
    public Population PopulationOf(PredictedPoint point)
    {
        ArgumentNullException.ThrowIfNull(point);
        return Populations.FirstOrDefault(population => population.Name == point.Profile)
            ?? throw new ArgumentException($"The prediction has no population '{point.Profile}'.", nameof(point));
    }

    /// <summary>
    /// The points where a verification says most: of each setup the one with the predicted probability nearest .85, of
    /// those that are not too vague to be confirmed if there is one.
    /// </summary>
    public IReadOnlyList<PredictedPoint> MostInformativePoints =>
        [
            .. Points
                .GroupBy(point => (point.Profile, point.Clients))
                .Select(setup =>
                    setup
                        .OrderBy(point => point.IsVague(Indifference))
                        .ThenBy(point => Math.Abs(point.Probability - ThresholdChooser.MostInformative))
                        .First()
                ),
        ];
}
