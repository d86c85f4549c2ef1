using MqttCheck.Predictions;

namespace MqttCheck.Cli.Verify;

/// <summary>What is to be verified.</summary>
/// <param name="Notes">What was passed over, and why.</param>
internal sealed record VerificationChoice(IReadOnlyList<PredictedPoint> Points, IReadOnlyList<string> Notes);
