using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>What a Monte Carlo estimation on a live broker found.</summary>
/// <param name="Estimates">One per point, in the order of the points.</param>
/// <param name="Cases">The runs that were made.</param>
/// <param name="Runs">What each run yielded beside the log.</param>
/// <param name="Interrupted">Whether it was cut short by the user.</param>
public sealed record MonteCarloResult(
    IReadOnlyList<MonteCarloEstimate> Estimates,
    IReadOnlyList<RunCase> Cases,
    IReadOnlyList<FleetRunResult> Runs,
    bool Interrupted
);
