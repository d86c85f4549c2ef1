namespace MqttCheck.Clusters.Topologies.Systems;

/// <summary>How the brokers of a pipeline use their log and their store.</summary>
internal sealed record PipelineSettings
{
    /// <summary>The store that consists of the cluster's nodes of kind store, each a Redis server.</summary>
    public const string RedisCluster = "redis-cluster";

    /// <summary>How long an append waits for others that go with it, in milliseconds. Default 5.</summary>
    public double LingerMilliseconds { get; init; } = 5;

    /// <summary>The most records that a broker takes from the log at a time. Default 1000.</summary>
    public int PackSize { get; init; } = 1000;

    /// <summary>How many partitions the log's topics have. Default 12.</summary>
    public int Partitions { get; init; } = 12;

    /// <summary>Whether the store has one request of a pack at a time. Default false.</summary>
    public bool HasSynchronousStore { get; init; }

    /// <summary>
    /// How many requests of a pack an asynchronous store has at a time. Default as many as a pack can have.
    /// </summary>
    public int StoreBatch { get; init; } = 1_000_000;

    /// <summary>The most messages that the store keeps for a session. Default 10 000.</summary>
    public int SessionLimit { get; init; } = 10_000;

    /// <summary>The address of the log in a live run, <c>kafka://host:port</c>; null for MqttCheck's own log.</summary>
    public string? Log { get; init; }

    /// <summary>
    /// The store in a live run: <c>redis://host:port</c>, or <see cref="RedisCluster"/>; null for MqttCheck's own.
    /// </summary>
    public string? Store { get; init; }

    /// <summary>How many replicas each primary of a Redis Cluster has. Default 1.</summary>
    public int StoreReplicas { get; init; } = 1;

    /// <summary>
    /// Whether a Redis Cluster has stored a message only when a replica has it too (WAIT). Default true.
    /// </summary>
    public bool WaitsForReplicas { get; init; } = true;

    /// <summary>Whether the nodes of kind store are the servers of a Redis Cluster.</summary>
    public bool HasRedisCluster => Store == RedisCluster;

    /// <summary>Whether log and store are nodes of MqttCheck's own.</summary>
    public bool IsOwn => Log is null && Store is null;
}
