namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>How brokers use their log and their store.</summary>
internal sealed record PipelineOptions
{
    /// <summary>How many partitions the topics "all" and "device" have, positive. As in the article.</summary>
    public int Partitions { get; init; } = 12;

    /// <summary>The most records that a stage takes from the log at a time, positive.</summary>
    public int PackSize { get; init; } = 1000;

    /// <summary>
    /// The pause before a pack is done again in which something failed, and before a session's messages are asked for
    /// again, in nanoseconds.
    /// </summary>
    public long RetryNanoseconds { get; init; } = 1_000_000_000;

    /// <summary>
    /// How many requests of a pack the store has at a time: 1 for a synchronous client, many for an asynchronous one.
    /// </summary>
    public int StoreRequestsInFlight { get; init; } = int.MaxValue;

    /// <summary>The rule that is broken.</summary>
    public PipelineMutant Mutant { get; init; }
}
