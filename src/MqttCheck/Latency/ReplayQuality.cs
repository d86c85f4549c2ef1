namespace MqttCheck.Latency;

/// <summary>
/// How far predictions of training cases were off when each case was simulated with a model learned without it. It holds everything that separates a prediction from a measurement on
/// the same broker: the wrong shape of a law, missing features, and that two runs of one setup differ.
/// </summary>
/// <param name="Error">Root mean square of the error of the probability that a sequence is in time, the sampling error of the cases taken off.</param>
/// <param name="Cases">The cases.</param>
public sealed record ReplayQuality(double Error, IReadOnlyList<ReplayedCase> Cases)
{
    // A factor of this in the mean open exchanges makes a case half as relevant.
    private const double Bandwidth = 3;
    // A sampling error that no case falls below, so that one large case does not decide alone.
    private const double LeastNoise = 0.03;
    // Each regime is given so many cases' worth of the error over all regimes, so that two lucky cases do not promise accuracy.
    private const double Shrinkage = 3;

    /// <summary>The quality of replayed cases.</summary>
    /// <param name="cases">The cases, at least one.</param>
    internal static ReplayQuality Of(IReadOnlyList<ReplayedCase> cases)
    {
        double sum = 0, weights = 0;
        foreach (var replayed in cases)
        {
            var weight = Weight(replayed);
            (sum, weights) = (sum + weight * Excess(replayed), weights + weight);
        }
        return new(Math.Sqrt(Math.Max(0, sum / weights)), cases);
    }

    /// <summary>The standard deviation of the error of a predicted probability near .5, at a given load; smaller towards 0 and 1, see <see cref="Shape"/>.</summary>
    /// <param name="meanActive">Mean of the open exchanges at the start of an exchange.</param>
    public double DeviationAt(double meanActive)
    {
        if (Cases.Count == 0) return 0;
        double all = 0, allWeight = 0, near = 0, nearWeight = 0;
        foreach (var replayed in Cases)
        {
            var weight = Weight(replayed);
            var excess = Excess(replayed) / MeanShape;
            (all, allWeight) = (all + weight * excess, allWeight + weight);
            var distance = Math.Log(Math.Max(1, replayed.MeanActive) / Math.Max(1, meanActive)) / Math.Log(Bandwidth);
            var relevance = Math.Pow(2, -distance * distance) * weight;
            (near, nearWeight) = (near + relevance * excess, nearWeight + relevance);
        }
        var prior = all / allWeight;
        var meanWeight = allWeight / Cases.Count;
        return Math.Sqrt(Math.Max(0, (near + Shrinkage * meanWeight * prior) / (nearWeight + Shrinkage * meanWeight)));
    }

    /// <summary>By how much the error of a probability is smaller towards 0 and 1: 4 p (1 - p), of the variance.</summary>
    /// <param name="probability">The probability p.</param>
    public static double Shape(double probability) => 4 * probability * (1 - probability);

    // How much of the squared error is not sampling error; negative by chance.
    private static double Excess(ReplayedCase replayed) => replayed.Error * replayed.Error - replayed.Noise * replayed.Noise;

    // The variance of a squared error grows with the square of the noise.
    private static double Weight(ReplayedCase replayed) => Math.Pow(replayed.Noise * replayed.Noise + LeastNoise * LeastNoise, -2);

    // The mean of Shape over the probabilities at which replays are compared.
    private const double MeanShape = 0.59;
}
