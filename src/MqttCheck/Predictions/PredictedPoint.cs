using MqttCheck.Statistics;

namespace MqttCheck.Predictions;

/// <summary>
/// One prediction that a live broker can confirm or refute: the probability that all messages of a sequence arrive
/// within a threshold.
/// </summary>
/// <param name="Profile">Name of the usage profile or population.</param>
/// <param name="Clients">Number of clients.</param>
/// <param name="ThresholdMilliseconds">The threshold, positive.</param>
/// <param name="Probability">The predicted probability.</param>
/// <param name="Interval">Its interval at the prediction's confidence.</param>
public sealed record PredictedPoint(
    string Profile,
    int Clients,
    double ThresholdMilliseconds,
    double Probability,
    Interval Interval
)
{
    /// <summary>Whether another prediction is about the same profile and number of clients.</summary>
    public bool IsOfSetup(PredictedPoint other) => Profile == other.Profile && Clients == other.Clients;

    /// <summary>How far its own interval reaches, to the farther side.</summary>
    public double Reach => Math.Max(Probability - Interval.Lower, Interval.Upper - Probability);

    /// <summary>
    /// A prediction whose own interval reaches farther than this, and than the indifference, to either side says too
    /// little to be confirmed; it can still be refuted.
    /// </summary>
    public const double LargestReach = .25;

    /// <summary>
    /// Whether its own interval is so wide that a verification can refute it but not confirm it: see
    /// <see cref="LargestReach"/>.
    /// </summary>
    /// <param name="indifference">The indifference of the verification.</param>
    public bool IsVague(double indifference) => Reach > Math.Max(LargestReach, indifference);
}
