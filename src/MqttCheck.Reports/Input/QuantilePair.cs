namespace MqttCheck.Reports.Input;

/// <summary>One quantile of the held-out latencies, observed and predicted, in milliseconds.</summary>
/// <param name="Probability">Which quantile, inside (0, 1).</param>
/// <param name="PredictedMilliseconds">The quantile of latencies drawn from the model at the same features.</param>
/// <param name="ObservedMilliseconds">The quantile of the observed latencies.</param>
/// <param name="LowerMilliseconds">
/// The bound above which the observed quantile lies in at least 97.5 of 100 cases if the model is right.
/// </param>
/// <param name="UpperMilliseconds">
/// The bound below which it lies in at least 97.5 of 100 cases if the model is right.
/// </param>
public sealed record QuantilePair(
    double Probability,
    double PredictedMilliseconds,
    double ObservedMilliseconds,
    double LowerMilliseconds,
    double UpperMilliseconds
);
