namespace MqttCheck.Clusters.Properties;

/// <summary>
/// Simulated runs of a cluster. A replication depends on the seed and its number alone: any part of them can be
/// computed anywhere, in any order.
/// </summary>
internal interface IReplications
{
    /// <summary>Makes a simulator with memory of its own; one thread at a time may use it.</summary>
    /// <param name="seed">The seed of all.</param>
    /// <returns>From the number of a replication, from 0, to its outcome.</returns>
    Func<int, ClusterOutcome> Start(ulong seed);
}
