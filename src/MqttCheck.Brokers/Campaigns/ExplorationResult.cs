using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>What an exploration did.</summary>
/// <param name="Cases">
/// The cases that were run, with their times; the last one is incomplete when the exploration was interrupted.
/// </param>
/// <param name="Runs">What each run yielded beside the log.</param>
/// <param name="Interrupted">Whether it was cut short.</param>
public sealed record ExplorationResult(
    IReadOnlyList<RunCase> Cases,
    IReadOnlyList<FleetRunResult> Runs,
    bool Interrupted
);
