namespace MqttCheck.Workers.Computing;

/// <summary>A worker as a coordinator calls it, over a connection to this worker.</summary>
[Alias("mqttcheck.worker")]
internal interface IWorkerGrain : IGrainWithIntegerKey
{
    /// <summary>The present state of the worker.</summary>
    [Alias("pulse")]
    Task<WorkerPulse> PulseAsync();

    /// <summary>Announces a job.</summary>
    /// <param name="kind">Its kind.</param>
    /// <param name="job">Its name.</param>
    /// <param name="parts">The names of its parts.</param>
    /// <param name="software">The software of the coordinator.</param>
    /// <returns>
    /// The names of the parts that the worker does not hold. It is null if the worker was restarted with other
    /// software.
    /// </returns>
    [Alias("offer")]
    Task<string[]?> OfferAsync(string kind, string job, string[] parts, string software);

    /// <summary>Supplies a part.</summary>
    /// <param name="name">Its name: the hash of its content.</param>
    /// <param name="content">The content.</param>
    /// <returns>Why it is refused; null if it is not.</returns>
    [Alias("supply")]
    Task<string?> SupplyAsync(string name, byte[] content);

    /// <summary>Computes a shard when a slot is free.</summary>
    /// <param name="job">The name of the job.</param>
    /// <param name="first">The number of the first replication.</param>
    /// <param name="count">How many replications.</param>
    /// <param name="cancellation">Ends the work.</param>
    [Alias("compute")]
    [ResponseTimeout("1.00:00:00")]
    Task<ShardAnswer> ComputeAsync(string job, int first, int count, CancellationToken cancellation);
}
