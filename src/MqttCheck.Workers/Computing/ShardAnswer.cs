namespace MqttCheck.Workers.Computing;

/// <summary>What a worker answers to a shard.</summary>
[GenerateSerializer]
[Alias("mqttcheck.shard-answer")]
internal sealed record ShardAnswer
{
    /// <summary>The outcomes; null where there are none.</summary>
    [Id(0)]
    public byte[]? Outcomes { get; init; }

    /// <summary>How long they were computed.</summary>
    [Id(1)]
    public double Milliseconds { get; init; }

    /// <summary>Why the job or a replication of it is wrong, whoever computes it.</summary>
    [Id(2)]
    public string? InputError { get; init; }

    /// <summary>Whether the worker does not know the job, and has to be told of it.</summary>
    [Id(3)]
    public bool IsUnknown { get; init; }
}
