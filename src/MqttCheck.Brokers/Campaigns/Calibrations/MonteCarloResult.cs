using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>The result of a Monte Carlo estimation on a live broker.</summary>
/// <param name="Estimates">One per point, in the order of the points.</param>
/// <param name="Cases">The runs that were made.</param>
/// <param name="Runs">The result of each run, without the logged exchanges.</param>
/// <param name="Interrupted">Whether it was cut short by the user.</param>
public sealed record MonteCarloResult(
    IReadOnlyList<MonteCarloEstimate> Estimates,
    IReadOnlyList<RunCase> Cases,
    IReadOnlyList<FleetRunResult> Runs,
    bool Interrupted
);
