using MqttCheck.Brokers.Campaigns.Calibrations;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>The measured latencies of the runs of a setup.</summary>
/// <param name="Setup">The setup.</param>
/// <param name="WorstMilliseconds">
/// For each run the largest latency of each of its sequences; infinite for a failed one.
/// </param>
internal sealed record MeasuredSetup(CalibrationSetup Setup, IReadOnlyList<double[]> WorstMilliseconds);
