namespace MqttCheck.Reports.Input;

/// <summary>One quantile of the held-out latencies, observed and predicted, in milliseconds.</summary>
/// <param name="Probability">Which quantile, inside (0, 1).</param>
/// <param name="PredictedMilliseconds">That of latencies drawn from the model at the same features.</param>
/// <param name="ObservedMilliseconds">That of the observed latencies.</param>
/// <param name="LowerMilliseconds">
/// Where the observed one would lie at least in 97.5 of 100 cases if the model were right.
/// </param>
/// <param name="UpperMilliseconds">Where it would lie at most in 97.5 of 100 cases.</param>
public sealed record QuantilePair(
    double Probability,
    double PredictedMilliseconds,
    double ObservedMilliseconds,
    double LowerMilliseconds,
    double UpperMilliseconds
);
