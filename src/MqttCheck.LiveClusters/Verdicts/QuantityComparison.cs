using MqttCheck.Clusters.Properties;
using MqttCheck.Statistics;

namespace MqttCheck.LiveClusters.Verdicts;

/// <summary>
/// A quantity in live runs and in simulations with the same clients and faults, run by run. Times of messages are their
/// mean in a run.
/// </summary>
/// <param name="Quantity">The quantity.</param>
/// <param name="Runs">How many runs know it, live and simulated.</param>
/// <param name="Live">Its mean in live runs; in milliseconds for times; null if they do not know it.</param>
/// <param name="Simulated">Its mean in their simulations; null if these do not know it.</param>
/// <param name="Difference">
/// The interval of the mean of live less simulated; null where runs do not tell how much they vary.
/// </param>
/// <param name="Agrees">Whether the interval contains 0, or no run differs from its simulation; or null.</param>
internal sealed record QuantityComparison(
    ClusterQuantity Quantity,
    int Runs,
    double? Live,
    double? Simulated,
    Interval? Difference,
    bool? Agrees
)
{
    /// <summary>The nominal probability that an interval does not contain the mean difference.</summary>
    public const double Error = .05;

    /// <summary>The comparison of each quantity that is known either way, in the order of messages.</summary>
    /// <param name="runs">Live runs. Those that failed, and those without a simulation, do not count.</param>
    public static IReadOnlyList<QuantityComparison> Of(IEnumerable<ClusterRunRecord> runs)
    {
        var counted = runs.Where(run => run is { Failure: null, LoopAfterNanoseconds: null, Simulated: not null })
            .ToList();
        return [.. ClusterQuantity.All.Select(quantity => Of(quantity, counted)).OfType<QuantityComparison>()];
    }

    private static QuantityComparison? Of(ClusterQuantity quantity, List<ClusterRunRecord> runs)
    {
        var measure = new ClusterMeasure(quantity, IsPerPublication: false);
        var live = runs.Select(run => measure.MeanOf(run.Outcome)).ToList();
        var simulated = runs.Select(run => measure.MeanOf(run.Simulated!)).ToList();
        if (live.All(double.IsNaN) && simulated.All(double.IsNaN))
            return null;
        var pairs = live.Zip(simulated).Where(pair => !double.IsNaN(pair.First) && !double.IsNaN(pair.Second)).ToList();
        // Two times that never end do not differ.
        var differences = pairs.Select(pair => pair.First.Equals(pair.Second) ? 0 : pair.First - pair.Second).ToList();
        var interval = differences.All(double.IsFinite) ? StudentInterval.Of(differences, Error) : null;
        bool? agrees =
            differences.Count == 0 ? null
            : differences.All(difference => difference == 0) ? true
            : !differences.All(double.IsFinite) ? false
            : interval?.Contains(0);
        return new(quantity, pairs.Count, MeanOf(live), MeanOf(simulated), interval, agrees);
    }

    private static double? MeanOf(IEnumerable<double> values) =>
        values.Where(value => !double.IsNaN(value)).ToList() is { Count: > 0 } known ? known.Average() : null;
}
