using MqttCheck.Automata.Networks;
using MqttCheck.Automata.Splitting;

namespace MqttCheck.App.Clusters.Split;

/// <summary>A rare event with the estimate of its probability.</summary>
internal sealed record SplitAnswer(NetworkProperty.Probability Property, SplittingEstimate Estimate);
