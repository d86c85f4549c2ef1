using MqttCheck.Statistics;

namespace MqttCheck.Reports.Input;

/// <summary>A probability that was measured again with a fixed number of sequences, to check a verdict.</summary>
/// <param name="Samples">Sequences counted.</param>
/// <param name="Runs">Runs that they were spread over.</param>
/// <param name="Probability">The share in time; NaN without a sequence.</param>
/// <param name="Interval">Its interval.</param>
/// <param name="Confidence">The confidence of the interval.</param>
/// <param name="Confirms">Whether it confirms the verdict; null when it cannot tell.</param>
public sealed record MonteCarloReport(
    int Samples,
    int Runs,
    double Probability,
    Interval Interval,
    double Confidence,
    bool? Confirms
);
