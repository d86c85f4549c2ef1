using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using static System.FormattableString;

namespace MqttCheck.Clusters.Properties;

/// <summary>Whether runs go on long enough after their faults for what properties say of a repair.</summary>
internal static class RepairRoom
{
    /// <summary>The faults after which a repair in time would not be seen, each in a sentence.</summary>
    /// <param name="topology">The topology with faults and duration.</param>
    /// <param name="properties">The properties that are asked for.</param>
    public static IEnumerable<string> Findings(Topology topology, IEnumerable<ClusterProperty> properties)
    {
        var allowed = properties
            .SelectMany(property => property.Formula?.Comparisons ?? [])
            .Where(comparison => comparison.Measure.Quantity == ClusterQuantity.Repair)
            .Select(comparison => TimeSpan.FromMilliseconds(comparison.Value))
            .DefaultIfEmpty(TimeSpan.MinValue)
            .Max();
        if (allowed == TimeSpan.MinValue)
            yield break;
        var needed = allowed + TimeSpan.FromMicroseconds(Disturbances.StableNanoseconds / 1000);
        foreach (var fault in topology.Scenario.Faults)
        {
            var over = TimeSpan.FromMicroseconds(
                (fault.At.LatestNanoseconds + (fault.DurationNanoseconds ?? 0)) / 1000
            );
            if (over + needed > topology.Duration)
                yield return $"{topology.Name}: after '{fault}' runs are too short for a repair within "
                    + Invariant($"{allowed.TotalSeconds:0.###} s to be seen: they end at ")
                    + Invariant($"{topology.Duration.TotalSeconds:0.###} s and would have to go on until ")
                    + Invariant(
                        $"{(over + needed).TotalSeconds:0.###} s, for example with '--for' or an earlier fault."
                    );
        }
    }
}
