namespace MqttCheck.Sequential.Characteristics;

/// <summary>How a two-sided test behaves at one true probability of success, computed exactly.</summary>
/// <param name="Confirmed">Probability that both sides accept the prediction.</param>
/// <param name="Worse">Probability of finding the broker worse than predicted.</param>
/// <param name="Better">Probability of finding it better than predicted.</param>
/// <param name="ExpectedSamples">Expected number of outcomes up to the verdict.</param>
internal readonly record struct TwoSidedCharacteristics(
    double Confirmed,
    double Worse,
    double Better,
    double ExpectedSamples
);
