using MqttCheck.Profiles;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>One setup on which brokers are compared: its runs serve all its thresholds.</summary>
/// <param name="Population">Who takes part.</param>
/// <param name="Clients">How many.</param>
/// <param name="CountedSequences">How many sequences of each client count in each run.</param>
/// <param name="ThresholdsMilliseconds">The thresholds, at least one.</param>
internal sealed record ComparedSetup(
    Population Population,
    int Clients,
    int CountedSequences,
    IReadOnlyList<double> ThresholdsMilliseconds
)
{
    /// <summary>
    /// Runs of another day, the first sample of every comparison: the worst latency of each counted sequence in
    /// milliseconds, positive infinity for a failed one; null to compare the brokers with each other.
    /// </summary>
    public IReadOnlyList<IReadOnlyList<double>>? StoredRuns { get; init; }

    /// <summary>
    /// The most informative threshold of each broker, in their order: a pair is compared at its own two, because where
    /// both are in time nearly always nothing can be told. Null to compare every pair at every threshold.
    /// </summary>
    public IReadOnlyList<double>? MostInformative { get; init; }

    /// <summary>The thresholds at which two brokers are compared.</summary>
    /// <param name="first">Index of the first broker.</param>
    /// <param name="second">Index of the second.</param>
    public IEnumerable<double> ThresholdsOf(int first, int second) =>
        MostInformative is null
            ? ThresholdsMilliseconds
            : ThresholdsMilliseconds.Where(threshold =>
                threshold == MostInformative[first] || threshold == MostInformative[second]
            );
}
