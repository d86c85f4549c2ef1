using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>The result of a comparison.</summary>
/// <param name="Points">One comparison for each pair of brokers and threshold.</param>
/// <param name="Cases">The runs that were made on each broker.</param>
/// <param name="Runs">
/// The result of each run, without the logged exchanges: by broker, then in the order of <paramref name="Cases"/>.
/// </param>
/// <param name="Interrupted">Whether it was cut short by the user.</param>
internal sealed record ComparisonResult(
    IReadOnlyList<PointComparison> Points,
    IReadOnlyList<IReadOnlyList<RunCase>> Cases,
    IReadOnlyList<IReadOnlyList<FleetRunResult>> Runs,
    bool Interrupted
)
{
    /// <summary>The runs that were made of a setup.</summary>
    /// <param name="broker">The index of the broker.</param>
    /// <param name="setup">The setup.</param>
    public IReadOnlyList<FleetRunResult> RunsOf(int broker, ComparedSetup setup)
    {
        return
        [
            .. Cases[broker]
                .Zip(Runs[broker])
                .Where(made => made.First.Population == setup.Population && made.First.Clients == setup.Clients)
                .Select(made => made.Second),
        ];
    }
}
