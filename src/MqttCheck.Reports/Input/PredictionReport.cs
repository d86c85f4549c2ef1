using MqttCheck.Predictions;

namespace MqttCheck.Reports.Input;

/// <summary>The prediction for one setup.</summary>
public sealed record PredictionReport
{
    /// <summary>Name of the usage profile or population.</summary>
    public required string Profile { get; init; }

    /// <summary>Number of clients.</summary>
    public required int Clients { get; init; }

    /// <summary>Number of independent simulations of the setup.</summary>
    public int Replications { get; init; }

    /// <summary>The confidence of the band and of the points' intervals, for example .95.</summary>
    public double Confidence { get; init; } = 0.95;

    /// <summary>The meaning of the points' intervals, in a sentence; empty if it is not known.</summary>
    public string IntervalMeaning { get; init; } = "";

    /// <summary>
    /// Half width of the band around the distribution function of <see cref="SortedWorstMilliseconds"/>, for all
    /// thresholds at once.
    /// </summary>
    public double BandHalfWidth { get; init; }

    /// <summary>
    /// The largest latency of each simulated sequence in milliseconds, ascending, thinned; infinity for a sequence that
    /// failed.
    /// </summary>
    public IReadOnlyList<double> SortedWorstMilliseconds { get; init; } = [];

    /// <summary>The predicted points.</summary>
    public IReadOnlyList<PredictedPoint> Points { get; init; } = [];
}
