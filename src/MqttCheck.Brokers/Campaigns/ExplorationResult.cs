using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;
using MqttCheck.Verification.Deciding;

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
)
{
    /// <summary>When the runs became stationary, in a sentence; null where all are too short to say.</summary>
    public string? WarmUp => RunJudgement.WarmUp(Runs);
}
