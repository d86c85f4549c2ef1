using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>What a comparison found.</summary>
/// <param name="Points">One comparison for each pair of brokers and threshold.</param>
/// <param name="Cases">The runs that were made on each broker.</param>
/// <param name="Runs">What each run yielded beside the log: by broker, then in the order of <paramref name="Cases"/>.</param>
/// <param name="Interrupted">Whether it was cut short by the user.</param>
public sealed record ComparisonResult(
    IReadOnlyList<PointComparison> Points,
    IReadOnlyList<IReadOnlyList<RunCase>> Cases,
    IReadOnlyList<IReadOnlyList<FleetRunResult>> Runs,
    bool Interrupted
);
