using MqttCheck.Health;

namespace MqttCheck.Verification.Deciding;

/// <summary>A run's measures of its own quality, and the judgement whether it counts.</summary>
/// <param name="Health">How busy and how late the generator was.</param>
/// <param name="WarmUp">When it became stationary.</param>
/// <param name="Use">Whether it counts.</param>
internal readonly record struct JudgedRun(RunHealth Health, WarmUp WarmUp, RunUse Use);
