namespace MqttCheck.Clusters.Properties;

/// <summary>
/// Simulated runs of a cluster. A replication depends on the seed and its number alone: any part of them can be
/// computed anywhere, in any order.
/// </summary>
public interface IReplications
{
    /// <summary>Simulates some replications.</summary>
    /// <param name="seed">The seed of all.</param>
    /// <param name="first">The number of the first one, from 0.</param>
    /// <param name="last">The number of the last one.</param>
    /// <param name="cancellation">Ends the work between two replications.</param>
    /// <returns>Their outcomes in order; fewer if cancelled.</returns>
    IReadOnlyList<ClusterOutcome> Run(ulong seed, int first, int last, CancellationToken cancellation = default);
}
