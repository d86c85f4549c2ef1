namespace MqttCheck.Reports.Input;

/// <summary>
/// How held-out exchanges fall into a model's own quantiles. <c>CalibrationReportBuilder</c> computes it.
/// </summary>
public sealed record CalibrationReport
{
    /// <summary>
    /// Number of PIT values (the model's distribution function at the observed latency) in each of equally wide bins of
    /// [0, 1].
    /// </summary>
    public IReadOnlyList<long> PitCounts { get; init; } = [];

    /// <summary>Observed and predicted quantiles of the latencies.</summary>
    public IReadOnlyList<QuantilePair> Quantiles { get; init; } = [];

    /// <summary>The same for each kind of message.</summary>
    public IReadOnlyList<KindQuantiles> QuantilesByKind { get; init; } = [];

    /// <summary>Residuals of a sample of the exchanges; null when not known.</summary>
    public ResidualReport? Residuals { get; init; }
}
