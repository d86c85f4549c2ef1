using MqttCheck.Latency;
using MqttCheck.Verification;
using MqttCheck.Verification.Planning;

namespace MqttCheck.App.Verify;

/// <summary>A verification before its first run.</summary>
/// <param name="Chosen">Which points are verified.</param>
/// <param name="Schedule">Their runs within the budget.</param>
/// <param name="Test">The test of each of them.</param>
/// <param name="Budget">How long all runs may take.</param>
/// <param name="Drift">How the idle latency has moved since training, in a sentence; null where it has not.</param>
internal sealed record PlannedVerification(
    VerificationChoice Chosen,
    VerificationSchedule Schedule,
    VerificationOptions Test,
    TimeBudget Budget,
    string? Drift = null
)
{
    /// <summary>The features of the measured broker that training did not have.</summary>
    public IReadOnlyList<TrainingFinding> Unlike { get; init; } = [];
}
