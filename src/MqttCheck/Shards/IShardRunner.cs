namespace MqttCheck.Shards;

/// <summary>Computes the replications of a job: on the threads of this process, or elsewhere.</summary>
public interface IShardRunner
{
    /// <summary>
    /// Yields the outcomes of replications 0, 1, 2, ... in this order. They are computed ahead, as far as memory and
    /// the work that would be wasted allow.
    /// </summary>
    /// <typeparam name="TOutcome">The outcome of one replication.</typeparam>
    /// <param name="job">The job.</param>
    /// <param name="replications">How many replications; null to go on until the caller stops to ask.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">A replication failed; of several, the first one's error.</exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    IEnumerable<TOutcome> Run<TOutcome>(
        ReplicationJob<TOutcome> job,
        int? replications,
        CancellationToken cancellation
    );
}
