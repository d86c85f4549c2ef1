using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>What a calibration measured.</summary>
/// <param name="Cases">The runs that were made, training cases and setups.</param>
/// <param name="Runs">What each run yielded beside the log.</param>
/// <param name="Setups">The measured setups.</param>
/// <param name="Idle">The latency of the idle broker before each turn.</param>
/// <param name="Interrupted">Whether it was cut short.</param>
public sealed record CalibrationRuns(
    IReadOnlyList<RunCase> Cases, IReadOnlyList<FleetRunResult> Runs, IReadOnlyList<MeasuredSetup> Setups, IReadOnlyList<IdleLatency> Idle, bool Interrupted)
{
    /// <summary>By how much the idle latency moved from its least to its greatest median, as a share of the least.</summary>
    public double IdleDrift => Idle.Count == 0 ? 0 : Idle.Max(idle => idle.MedianMilliseconds) / Math.Max(1e-6, Idle.Min(idle => idle.MedianMilliseconds)) - 1;
}
