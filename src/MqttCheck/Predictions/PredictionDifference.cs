using MqttCheck.Statistics;

namespace MqttCheck.Predictions;

/// <summary>One threshold of two predictions side by side.</summary>
/// <param name="First">The setup of the first prediction.</param>
/// <param name="Second">The setup of the second prediction that is compared with it.</param>
/// <param name="ThresholdMilliseconds">The threshold.</param>
/// <param name="FirstProbability">The probability by the first prediction.</param>
/// <param name="SecondProbability">The probability by the second one.</param>
/// <param name="Interval">
/// The interval of the second minus the first probability, at the lower of both levels; null where a prediction has no
/// point at the threshold, and so no interval.
/// </param>
internal sealed record PredictionDifference(
    PredictedSetup First,
    PredictedSetup Second,
    double ThresholdMilliseconds,
    double FirstProbability,
    double SecondProbability,
    Interval? Interval
)
{
    /// <summary>The second minus the first probability.</summary>
    public double Difference => SecondProbability - FirstProbability;

    /// <summary>
    /// The interval of the difference in the model alone, by simulations with common random numbers; null where they
    /// were not made.
    /// </summary>
    public Interval? InModel { get; init; }

    /// <summary>Which of the two is better, as far as the intervals show it.</summary>
    public string Verdict { get; init; } = Describe(Interval);

    /// <summary>The same difference by simulations of both setups with common random numbers.</summary>
    /// <param name="first">The forecast of the first setup.</param>
    /// <param name="second">The forecast of the second setup, by the same model and seed.</param>
    public PredictionDifference By(Forecast first, Forecast second)
    {
        var paired = PairedDifference.Of(first, second, ThresholdMilliseconds);
        return this with
        {
            FirstProbability = paired.First,
            SecondProbability = paired.Second,
            Interval = paired.OnBroker ?? paired.InModel,
            InModel = paired.InModel,
            Verdict = paired.Verdict,
        };
    }

    /// <summary>
    /// Compares two predictions at every threshold of either: setups of the same profile and number of clients with
    /// each other, and what is left in the order of the files.
    /// </summary>
    /// <param name="first">One prediction.</param>
    /// <param name="second">The other.</param>
    /// <exception cref="InputException">No setup of one can be compared with one of the other.</exception>
    /// <remarks>
    /// The errors of the two are assumed independent, so their squares add. Predictions with one model share some
    /// errors, so the interval is then wider than necessary.
    /// </remarks>
    public static IReadOnlyList<PredictionDifference> Between(Prediction first, Prediction second)
    {
        return
        [
            .. Pairs(first, second)
                .SelectMany(pair =>
                    PointsOf(first, pair.First)
                        .Concat(PointsOf(second, pair.Second))
                        .Select(point => point.ThresholdMilliseconds)
                        .Distinct()
                        .Order()
                        .Select(threshold => At(first, second, pair, threshold))
                ),
        ];
    }

    /// <summary>The interval of a difference of probabilities whose errors are independent.</summary>
    /// <param name="first">One probability.</param>
    /// <param name="firstInterval">Its interval.</param>
    /// <param name="second">The other.</param>
    /// <param name="secondInterval">Its interval.</param>
    /// <returns>The interval of the second minus the first, at the lower of both levels, within -1 .. 1.</returns>
    public static Interval IntervalOf(double first, Interval firstInterval, double second, Interval secondInterval) =>
        new(
            Math.Max(-1, second - first - Root(second - secondInterval.Lower, firstInterval.Upper - first)),
            Math.Min(1, second - first + Root(secondInterval.Upper - second, first - firstInterval.Lower))
        );

    /// <summary>Which of two predictions is better, as far as the interval of their difference shows it.</summary>
    /// <param name="difference">The interval of the second minus the first; null where it is not known.</param>
    public static string Describe(Interval? difference) =>
        difference switch
        {
            null => "",
            { Lower: > 0 } => "second is better",
            { Upper: < 0 } => "second is worse",
            _ => "no difference is shown",
        };

    private static PredictionDifference At(
        Prediction first,
        Prediction second,
        (PredictedSetup First, PredictedSetup Second) pair,
        double threshold
    )
    {
        var (one, other) = (Point(first, pair.First, threshold), Point(second, pair.Second, threshold));
        var (before, after) = (Probability(pair.First, one), Probability(pair.Second, other));
        return new(
            pair.First,
            pair.Second,
            threshold,
            before,
            after,
            one is null || other is null ? null : IntervalOf(before, one.Interval, after, other.Interval)
        );

        double Probability(PredictedSetup setup, PredictedPoint? point) =>
            point?.Probability ?? PredictionQuantiles.ShareBelow([.. setup.WorstMilliseconds], threshold);
    }

    private static double Root(double one, double other) => Math.Sqrt(one * one + other * other);

    private static PredictedPoint? Point(Prediction prediction, PredictedSetup setup, double threshold) =>
        PointsOf(prediction, setup).FirstOrDefault(point => point.ThresholdMilliseconds == threshold);

    private static IEnumerable<PredictedPoint> PointsOf(Prediction prediction, PredictedSetup setup) =>
        prediction.Points.Where(point => point.Profile == setup.Profile && point.Clients == setup.Clients);

    private static List<(PredictedSetup First, PredictedSetup Second)> Pairs(Prediction first, Prediction second)
    {
        var pairs = (
            from one in first.Setups
            join other in second.Setups on (one.Profile, one.Clients) equals (other.Profile, other.Clients)
            select (one, other)
        ).ToList();
        var (left, right) = (
            first.Setups.Except(pairs.Select(pair => pair.one)).ToArray(),
            second.Setups.Except(pairs.Select(pair => pair.other)).ToArray()
        );
        if (left.Length == right.Length)
            pairs.AddRange(left.Zip(right));
        return pairs.Count > 0
            ? pairs
            : throw new InputException(
                $"diff: the predictions have no setup in common, and not as many: {Names(first)} and {Names(second)}; "
                    + "allowed: the same profiles or the same numbers of clients."
            );
    }

    private static string Names(Prediction prediction) =>
        string.Join(", ", prediction.Setups.Select(setup => $"{setup.Profile} with {setup.Clients} clients"));
}
