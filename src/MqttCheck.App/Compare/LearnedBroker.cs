using MqttCheck.Latency;
using MqttCheck.Predictions;

namespace MqttCheck.App.Compare;

/// <summary>The model of a broker, and its prediction.</summary>
internal sealed record LearnedBroker(LearnedModel Model, Prediction Prediction);
