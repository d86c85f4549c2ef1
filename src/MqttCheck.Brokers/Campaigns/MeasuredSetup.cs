using MqttCheck.Brokers.Campaigns.Calibrations;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>What runs of a setup yielded.</summary>
/// <param name="Setup">The setup.</param>
/// <param name="WorstMilliseconds">
/// For each run the largest latency of each of its sequences; infinite for a failed one.
/// </param>
public sealed record MeasuredSetup(CalibrationSetup Setup, IReadOnlyList<double[]> WorstMilliseconds);
