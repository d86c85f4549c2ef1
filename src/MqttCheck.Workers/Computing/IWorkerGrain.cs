namespace MqttCheck.Workers.Computing;

/// <summary>A worker as a coordinator calls it, over a connection to this worker.</summary>
[Alias("mqttcheck.worker")]
internal interface IWorkerGrain : IGrainWithIntegerKey
{
    /// <summary>What the worker is and does now.</summary>
    [Alias("pulse")]
    Task<WorkerPulse> PulseAsync();

    /// <summary>Tells of a job.</summary>
    /// <param name="kind">Its kind.</param>
    /// <param name="job">Its name.</param>
    /// <param name="parts">The names of its parts.</param>
    /// <param name="software">The software of the coordinator.</param>
    /// <returns>
    /// The names of the parts that the worker does not hold; null where its software is another one, since it was
    /// started anew.
    /// </returns>
    [Alias("offer")]
    Task<string[]?> OfferAsync(string kind, string job, string[] parts, string software);

    /// <summary>Gives a part.</summary>
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
