using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>The result of a verification.</summary>
/// <param name="Verdicts">
/// One verdict per point, in the order of the points, with the time spent on the runs of its setup.
/// </param>
/// <param name="Cases">The runs that were made.</param>
/// <param name="Runs">The result of each run, without the logged exchanges.</param>
/// <param name="Interrupted">Whether it was cut short by the user.</param>
internal sealed record VerificationResult(
    IReadOnlyList<TimedVerdict> Verdicts,
    IReadOnlyList<RunCase> Cases,
    IReadOnlyList<FleetRunResult> Runs,
    bool Interrupted
);
