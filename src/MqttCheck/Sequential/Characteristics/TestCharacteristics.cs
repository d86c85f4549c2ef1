namespace MqttCheck.Sequential.Characteristics;

/// <summary>How a test behaves at one true probability of success, computed exactly.</summary>
/// <param name="AcceptH0">Probability of accepting the worse hypothesis.</param>
/// <param name="AcceptH1">Probability of accepting the better hypothesis.</param>
/// <param name="ExpectedSamples">Expected number of outcomes up to the decision, or to the truncation.</param>
/// <param name="Undecided">Probability of no decision within the truncation; otherwise less than 1e-13.</param>
public readonly record struct TestCharacteristics(
    double AcceptH0,
    double AcceptH1,
    double ExpectedSamples,
    double Undecided
);
