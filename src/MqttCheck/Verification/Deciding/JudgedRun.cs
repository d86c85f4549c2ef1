using MqttCheck.Health;

namespace MqttCheck.Verification.Deciding;

/// <summary>What a run says of itself, and what it is good for.</summary>
/// <param name="Health">How busy and how late the generator was.</param>
/// <param name="WarmUp">When it became stationary.</param>
/// <param name="Use">What it is good for.</param>
public readonly record struct JudgedRun(RunHealth Health, WarmUp WarmUp, RunUse Use);
