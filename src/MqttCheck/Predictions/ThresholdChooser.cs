namespace MqttCheck.Predictions;

/// <summary>
/// Chooses round thresholds at which a prediction says something: where the probability is neither near 0 nor near 1.
/// </summary>
/// <remarks>
/// The choice uses the pilot sample of the prediction, so the estimates at the chosen thresholds are not biased by it.
/// </remarks>
internal static class ThresholdChooser
{
    /// <summary>The probability at which a verification is most informative per sample.</summary>
    public const double MostInformative = .85;

    private const double Lowest = .5,
        Highest = .99;

    private static readonly double[] GridProbabilities = [.6, .75, MostInformative, .95];

    /// <summary>
    /// The round number (2 significant digits, or as many more as needed) at which the predicted probability is nearest
    /// .85.
    /// </summary>
    /// <param name="prediction">A prediction with a pilot sample; without one its own sample is used.</param>
    /// <returns>Milliseconds, positive.</returns>
    public static double Informative(SetupPrediction prediction) => Choose(prediction, MostInformative);

    /// <summary>A few round thresholds with predicted probabilities near .6, .75, .85 and .95.</summary>
    /// <param name="prediction">A prediction with a pilot sample; without one its own sample is used.</param>
    /// <returns>Milliseconds, positive, ascending, at least one.</returns>
    public static IReadOnlyList<double> Grid(SetupPrediction prediction) =>
        [.. GridProbabilities.Select(probability => Choose(prediction, probability)).Distinct().Order()];

    /// <summary>
    /// The round number at which the predicted probability is nearest the given one, among those with a probability in
    /// .5 .. .99.
    /// </summary>
    /// <param name="prediction">A prediction with a pilot sample; without one its own sample is used.</param>
    /// <param name="probability">The probability looked for, in (0, 1).</param>
    /// <returns>Milliseconds, positive. If the latency hardly varies and no number qualifies, it is a round number just
    /// above the latency.</returns>
    public static double Choose(SetupPrediction prediction, double probability)
    {
        Arguments.Require(probability > 0 && probability < 1, probability, "must be in (0, 1)");
        var sample =
            prediction.SortedPilotMilliseconds.Length > 0
                ? prediction.SortedPilotMilliseconds
                : prediction.SortedWorstMilliseconds;
        var around = PredictionQuantiles.Quantile(sample, probability);
        for (var digits = 2; digits <= 6; digits++)
        {
            var best = double.NaN;
            var bestDistance = double.PositiveInfinity;
            // The nearest probability belongs to one of the round numbers on both sides of the quantile.
            foreach (var candidate in RoundNumbersAround(around, digits))
            {
                var p = PredictionQuantiles.ShareBelow(sample, candidate);
                var distance = Math.Abs(p - probability);
                if (candidate > 0 && p is >= Lowest and <= Highest && distance < bestDistance)
                    (best, bestDistance) = (candidate, distance);
            }
            if (!double.IsNaN(best))
                return best;
        }
        return RoundNumbersAround(around, 2).First(candidate => candidate > around);
    }

    // Numbers with so many significant digits: the two next below or at the value and the two next above.
    private static double[] RoundNumbersAround(double value, int digits)
    {
        if (value <= 0)
            return [1e-3, 1e-2];
        var exponent = (int)Math.Floor(Math.Log10(value)) - digits + 1;
        var units = Math.Floor(value / Math.Pow(10, exponent));
        return [.. Enumerable.Range(-1, 4).Select(step => Scale(units + step, exponent))];
    }

    // Dividing by a power of ten that is exact gives the double nearest to the decimal number.
    private static double Scale(double units, int exponent) =>
        exponent >= 0 ? units * Math.Pow(10, exponent) : units / Math.Pow(10, -exponent);
}
