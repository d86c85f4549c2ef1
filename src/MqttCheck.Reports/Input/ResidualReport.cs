using MqttCheck.Clients;

namespace MqttCheck.Reports.Input;

/// <summary>
/// Quantile residuals (Dunn and Smyth 1996) of a sample of held-out exchanges: standard normal when the model is right,
/// whatever its shape.
/// </summary>
/// <param name="PredictedMilliseconds">The model's median for each exchange.</param>
/// <param name="Scores">The normal score of its PIT value.</param>
public sealed record ResidualReport(IReadOnlyList<double> PredictedMilliseconds, IReadOnlyList<double> Scores)
{
    /// <summary>The kind of each exchange.</summary>
    public IReadOnlyList<MessageKind> Kinds { get; init; } = [];

    /// <summary>The features of the exchanges, as they were known at the time of sending.</summary>
    public IReadOnlyList<FeatureValues> Features { get; init; } = [];
}
