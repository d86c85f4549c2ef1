namespace MqttCheck.Clusters.Pipeline;

/// <summary>How brokers use their log and their store.</summary>
internal sealed record PipelineOptions
{
    /// <summary>How many partitions the topics "all" and "device" have, positive. As in the article.</summary>
    public int Partitions { get; init; } = 12;

    /// <summary>The most records that a stage takes from the log at a time, positive.</summary>
    public int PackSize { get; init; } = 1000;

    /// <summary>What the stage of publications does with a pack in which something failed.</summary>
    public CommitPolicy AllPolicy { get; init; } = CommitPolicy.SkipAll;

    /// <summary>The same of the stage of persistent sessions.</summary>
    public CommitPolicy DevicePolicy { get; init; } = CommitPolicy.RetryAll;

    /// <summary>How often a pack is done again at most.</summary>
    public int Retries { get; init; } = 3;

    /// <summary>The pause before that, and before a session's messages are asked for again, in nanoseconds.</summary>
    public long RetryNanoseconds { get; init; } = 1_000_000_000;

    /// <summary>
    /// How many requests of a pack the store has at a time: 1 for a synchronous client, many for an asynchronous one.
    /// </summary>
    public int StoreRequestsInFlight { get; init; } = int.MaxValue;

    /// <summary>The rule that is broken.</summary>
    public PipelineMutant Mutant { get; init; }
}
