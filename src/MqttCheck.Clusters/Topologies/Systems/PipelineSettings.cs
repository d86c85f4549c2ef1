namespace MqttCheck.Clusters.Topologies.Systems;

/// <summary>How the brokers of a pipeline use their log and their store.</summary>
internal sealed record PipelineSettings
{
    /// <summary>How long an append waits for others that go with it, in milliseconds. Default 5.</summary>
    public double LingerMilliseconds { get; init; } = 5;

    /// <summary>The most records that a broker takes from the log at a time. Default 1000.</summary>
    public int PackSize { get; init; } = 1000;

    /// <summary>How many partitions the log's topics have. Default 12.</summary>
    public int Partitions { get; init; } = 12;

    /// <summary>Whether the store has one request of a pack at a time. Default false.</summary>
    public bool HasSynchronousStore { get; init; }

    /// <summary>The most messages that the store keeps for a session. Default 10 000.</summary>
    public int SessionLimit { get; init; } = 10_000;

    /// <summary>The address of the log in a live run, <c>kafka://host:port</c>; null for MqttCheck's own log.</summary>
    public string? Log { get; init; }

    /// <summary>
    /// The address of the store in a live run, <c>redis://host:port</c>; null for MqttCheck's own store.
    /// </summary>
    public string? Store { get; init; }
}
