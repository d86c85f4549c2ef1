namespace MqttCheck.Reports.Input;

/// <summary>The quantile residual of one exchange (Dunn and Smyth 1996): standard normal when the model is right, whatever its shape.</summary>
/// <param name="PredictedMilliseconds">The model's median for the exchange.</param>
/// <param name="Score">The normal score of its PIT value.</param>
public readonly record struct Residual(double PredictedMilliseconds, double Score);
