namespace MqttCheck.Latency.Quality;

/// <summary>A learner that competed.</summary>
/// <param name="Learner">Its name.</param>
/// <param name="ReplayError">See <see cref="ReplayQuality.Error"/>; NaN where it could not learn.</param>
/// <param name="Remark">Why it was not considered; empty if it was.</param>
public sealed record CandidateModel(string Learner, double ReplayError, string Remark);
