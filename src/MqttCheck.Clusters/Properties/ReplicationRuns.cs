namespace MqttCheck.Clusters.Properties;

/// <summary>Several replications at once.</summary>
internal static class ReplicationRuns
{
    /// <summary>Simulates some replications.</summary>
    /// <param name="replications">The replications.</param>
    /// <param name="seed">The seed of all.</param>
    /// <param name="first">The number of the first one, from 0.</param>
    /// <param name="last">The number of the last one.</param>
    /// <returns>Their outcomes in order.</returns>
    public static IReadOnlyList<ClusterOutcome> Run(this IReplications replications, ulong seed, int first, int last) =>
        [.. Enumerable.Range(first, last - first + 1).Select(replications.Start(seed))];
}
