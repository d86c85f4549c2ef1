using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>The result of an exploration.</summary>
/// <param name="Cases">
/// The cases that were run, with their times; the last one is incomplete when the exploration was interrupted.
/// </param>
/// <param name="Runs">The result of each run, without the logged exchanges.</param>
/// <param name="Interrupted">Whether it was cut short.</param>
internal sealed record ExplorationResult(
    IReadOnlyList<RunCase> Cases,
    IReadOnlyList<FleetRunResult> Runs,
    bool Interrupted
);
