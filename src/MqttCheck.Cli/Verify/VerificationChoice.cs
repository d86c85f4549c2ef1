using MqttCheck.Predictions;

namespace MqttCheck.Cli.Verify;

/// <summary>What is to be verified.</summary>
/// <param name="Points">The predictions, at least one.</param>
/// <param name="Notes">What was passed over, and why.</param>
public sealed record VerificationChoice(IReadOnlyList<PredictedPoint> Points, IReadOnlyList<string> Notes);
