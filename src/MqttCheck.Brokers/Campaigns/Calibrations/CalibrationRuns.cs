using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Probes;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>The result of a calibration.</summary>
/// <param name="Cases">The runs that were made, training cases and setups.</param>
/// <param name="Runs">The result of each run, without the logged exchanges.</param>
/// <param name="Setups">The measured setups.</param>
/// <param name="Idle">The latency of the idle broker before each turn.</param>
/// <param name="Interrupted">Whether it was cut short.</param>
internal sealed record CalibrationRuns(
    IReadOnlyList<RunCase> Cases,
    IReadOnlyList<FleetRunResult> Runs,
    IReadOnlyList<MeasuredSetup> Setups,
    IReadOnlyList<IdleLatency> Idle,
    bool Interrupted
)
{
    /// <summary>
    /// By how much the idle latency moved from its least to its greatest median, as a share of the least. The first is
    /// left out: before it nothing was busy, and a processor that has just been busy wakes up faster than one that has
    /// not.
    /// </summary>
    public double IdleDrift =>
        Idle.Count < 3
            ? 0
            : Idle.Skip(1).Max(idle => idle.MedianMilliseconds)
                / Math.Max(1e-6, Idle.Skip(1).Min(idle => idle.MedianMilliseconds))
                - 1;
}
