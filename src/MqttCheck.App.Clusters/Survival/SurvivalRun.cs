using MqttCheck.Clusters.Properties;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>One run.</summary>
/// <param name="Outcome">What it counted; null if it broke off.</param>
/// <param name="Failure">Why it broke off, or what did not come back afterwards, in words; null if all is well.</param>
internal sealed record SurvivalRun(ClusterOutcome? Outcome, string? Failure);
