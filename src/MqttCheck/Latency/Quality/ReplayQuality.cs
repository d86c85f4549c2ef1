namespace MqttCheck.Latency.Quality;

/// <summary>
/// How far predictions of training cases were off when each case was simulated with a model learned without it. It
/// holds everything that separates a prediction from a measurement on the same broker: the wrong shape of a law,
/// missing features, and that two runs of one setup differ.
/// </summary>
/// <param name="Error">
/// Root mean square of the error of the probability that a sequence is in time, the sampling error of the cases taken
/// off.
/// </param>
/// <param name="Cases">The cases.</param>
public sealed record ReplayQuality(double Error, IReadOnlyList<ReplayedCase> Cases)
{
    /// <summary>
    /// Below half a millisecond a threshold asks how fast the operating system wakes processes up, which differs from
    /// minute to minute, rather than about the broker: learners are judged above it as far as cases have latencies
    /// above it.
    /// </summary>
    public const double ResolutionMilliseconds = 0.5;

    /// <summary>
    /// The length of each case where the cases are blocks of the time of one run; null where they are whole runs.
    /// </summary>
    public double? BlockSeconds { get; init; }

    // No comparison has a smaller sampling error, so that one large case does not decide alone.
    private const double LeastNoise = 0.03;

    /// <summary>The quality of replayed cases.</summary>
    /// <param name="cases">The cases, at least one.</param>
    /// <param name="fewest">
    /// So many cases must have a threshold above the resolution; otherwise all thresholds count.
    /// </param>
    internal static ReplayQuality Of(IReadOnlyList<ReplayedCase> cases, int fewest)
    {
        var least =
            cases.Count(replayed => replayed.Points.Any(point => point.ThresholdMilliseconds >= ResolutionMilliseconds))
            >= fewest
                ? ResolutionMilliseconds
                : 0;
        double sum = 0,
            weights = 0;
        foreach (var replayed in cases)
        {
            var points = replayed.Points.Where(point => point.ThresholdMilliseconds >= least).ToArray();
            foreach (var point in points)
            {
                var weight = Weight(point) / points.Length;
                (sum, weights) = (sum + weight * Excess(point), weights + weight);
            }
        }
        return new(Math.Sqrt(Math.Max(0, sum / weights)), cases);
    }

    /// <summary>
    /// The law of the error of a predicted probability near .5, at a given load and threshold; smaller towards 0 and 1,
    /// see <see cref="Shape"/>. A case of the same load counts once, at the thresholds that are nearest.
    /// </summary>
    /// <param name="meanActive">Mean of the open exchanges at the start of an exchange.</param>
    /// <param name="thresholdMilliseconds">The threshold, positive.</param>
    public ReplayErrorLaw ErrorsAt(double meanActive, double thresholdMilliseconds)
    {
        var relevance = new ReplayRelevance(Cases, thresholdMilliseconds);
        var likelihoods = relevance
            .Points.Select(point => ReplayErrorLaw.Likelihood(point.Error, point.Noise, Shape(point.Observed)))
            .ToArray();
        var contents = new double[relevance.Nearest.Count];
        for (var i = 0; i < contents.Length; i++)
        {
            var (point, law) = (relevance.Nearest[i], ReplayErrorLaw.Of(likelihoods, relevance.WeightsFor(i)));
            contents[i] = law.Within(Math.Abs(point.Error), Shape(point.Observed), point.Noise * point.Noise);
        }
        return ReplayErrorLaw.Of(likelihoods, relevance.Weights(meanActive), contents);
    }

    /// <summary>
    /// The law of the difference of the errors at two loads: that of replayed cases which lie about as far apart. What
    /// the errors of both loads share is not in it. A case is in two pairs, so a pair counts half.
    /// </summary>
    /// <param name="firstActive">Mean of the open exchanges at one load.</param>
    /// <param name="secondActive">The same at the other load.</param>
    /// <param name="thresholdMilliseconds">The threshold, positive.</param>
    /// <returns>Null where no cases lie so far apart.</returns>
    internal ReplayErrorLaw? DifferencesAt(double firstActive, double secondActive, double thresholdMilliseconds)
    {
        var pairs = new ReplayRelevance(Cases, thresholdMilliseconds).PairsAsFarApart(firstActive, secondActive);
        if (pairs is null)
            return null;
        (double Error, double Noise, double Shape)[] differences =
        [
            .. pairs.Select(pair =>
                (
                    pair.Upper.Error - pair.Lower.Error,
                    Math.Sqrt(pair.Upper.Noise * pair.Upper.Noise + pair.Lower.Noise * pair.Lower.Noise),
                    (Shape(pair.Upper.Observed) + Shape(pair.Lower.Observed)) / 2
                )
            ),
        ];
        double[][] likelihoods =
        [
            .. differences.Select(one => ReplayErrorLaw.Likelihood(one.Error, one.Noise, one.Shape)),
        ];
        double[] weights = [.. differences.Select(_ => .5)];
        var law = ReplayErrorLaw.Of(likelihoods, weights);
        return ReplayErrorLaw.Of(
            likelihoods,
            weights,
            [.. differences.Select(one => law.Within(Math.Abs(one.Error), one.Shape, one.Noise * one.Noise))]
        );
    }

    /// <summary>
    /// How far the alternatives of the model were from it, at a given load and threshold: root mean square of the
    /// difference of the probabilities near .5, smaller towards 0 and 1, see <see cref="Shape"/>. So much disagreement
    /// is known to go with the errors of <see cref="ErrorsAt"/>; only more than that says something new.
    /// </summary>
    /// <param name="meanActive">Mean of the open exchanges at the start of an exchange.</param>
    /// <param name="thresholdMilliseconds">The threshold, positive.</param>
    public double SpreadAt(double meanActive, double thresholdMilliseconds)
    {
        double squares = 0,
            shapes = 0;
        var relevance = new ReplayRelevance(Cases, thresholdMilliseconds);
        var weights = relevance.Weights(meanActive);
        for (var i = 0; i < weights.Length; i++)
        {
            var point = relevance.Points[i];
            (squares, shapes) = (
                squares + weights[i] * point.Spread * point.Spread,
                shapes + weights[i] * Shape(point.Observed)
            );
        }
        return shapes == 0 ? 0 : Math.Sqrt(squares / shapes);
    }

    /// <summary>The same quality with how far alternatives were from the model.</summary>
    /// <param name="alternatives">The replays of the same cases by the alternatives.</param>
    internal ReplayQuality Beside(IReadOnlyList<ReplayQuality> alternatives) =>
        this with
        {
            Cases =
            [
                .. Cases.Select(
                    (replayed, i) =>
                        replayed with
                        {
                            Points =
                            [
                                .. replayed.Points.Select(point =>
                                    point with
                                    {
                                        Spread = Spread(
                                            point,
                                            [
                                                .. alternatives
                                                    .Where(other => other.Cases.Count == Cases.Count)
                                                    .Select(other => other.Cases[i]),
                                            ]
                                        ),
                                    }
                                ),
                            ],
                        }
                ),
            ],
        };

    /// <summary>
    /// By how much the error of a probability is smaller towards 0 and 1: the root of 4 p (1 - p), of the variance.
    /// That of sampling is 4 p (1 - p) itself, and a law that is off in its tail is off by as much as in its middle;
    /// what predictions were off by lies between.
    /// </summary>
    /// <param name="probability">The probability p.</param>
    public static double Shape(double probability) => Math.Sqrt(Math.Max(0, 4 * probability * (1 - probability)));

    // The difference of two errors at a threshold is the difference of the probabilities.
    private static double Spread(ReplayedPoint point, ReplayedCase[] others)
    {
        var squares = others
            .SelectMany(other => other.Points)
            .Where(other => other.ThresholdMilliseconds == point.ThresholdMilliseconds)
            .Select(other => Math.Pow(other.Error - point.Error, 2))
            .ToArray();
        return squares.Length == 0 ? 0 : Math.Sqrt(squares.Average());
    }

    // How much of the squared error is not sampling error; negative by chance.
    private static double Excess(ReplayedPoint point) => point.Error * point.Error - point.Noise * point.Noise;

    // The variance of a squared error grows with the square of the noise.
    private static double Weight(ReplayedPoint point) =>
        Math.Pow(point.Noise * point.Noise + LeastNoise * LeastNoise, -2);
}
