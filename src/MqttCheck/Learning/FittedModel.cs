using MqttCheck.Latency;

namespace MqttCheck.Learning;

/// <summary>What a learner has learned.</summary>
/// <param name="Model">The model.</param>
/// <param name="Notes">What the user should know: conditions that were hardly seen, regressors that were left out.</param>
public sealed record FittedModel(LatencyModel Model, IReadOnlyList<string> Notes);
