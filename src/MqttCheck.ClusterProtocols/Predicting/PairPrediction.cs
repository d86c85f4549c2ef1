namespace MqttCheck.ClusterProtocols.Predicting;

/// <summary>The prediction for the deliveries from one place to another, over all runs together.</summary>
/// <param name="From">The site of the publishers, or their broker where there are no sites.</param>
/// <param name="To">The site of the subscribers, or their broker.</param>
/// <param name="MeanMilliseconds">The mean time of a settled delivery; null without any.</param>
/// <param name="MedianMilliseconds">Its median, at most 1 % too large; null without any.</param>
/// <param name="P99Milliseconds">Its 99 % quantile, at most 1 % too large; null without any.</param>
/// <param name="Owed">How many deliveries were owed or could have come.</param>
/// <param name="Missing">How many of these never came, for any reason.</param>
/// <param name="Lost">How many of these were lost: acknowledged, of QoS 1 or 2, to a settled subscriber.</param>
internal sealed record PairPrediction(
    string From,
    string To,
    double? MeanMilliseconds,
    double? MedianMilliseconds,
    double? P99Milliseconds,
    long Owed,
    long Missing,
    long Lost
);
