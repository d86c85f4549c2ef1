namespace MqttCheck.Sequential.Characteristics;

/// <summary>How an estimation rule behaves at one true probability of success, computed exactly.</summary>
/// <param name="Error">Probability that the estimate misses the truth by more than the promised half width.</param>
/// <param name="ExpectedSamples">Expected number of samples.</param>
internal readonly record struct EstimationCharacteristics(double Error, double ExpectedSamples);
