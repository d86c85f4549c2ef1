using MqttCheck.Latency;
using MqttCheck.Predictions;

namespace MqttCheck.App.Compare;

/// <summary>What was learned of a broker, and predicted.</summary>
internal sealed record LearnedBroker(LearnedModel Model, Prediction Prediction);
