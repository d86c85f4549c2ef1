namespace MqttCheck.Workers.Computing;

/// <summary>The answer of a worker to a shard.</summary>
[GenerateSerializer]
[Alias("mqttcheck.shard-answer")]
internal sealed record ShardAnswer
{
    /// <summary>The outcomes; null where there are none.</summary>
    [Id(0)]
    public byte[]? Outcomes { get; init; }

    /// <summary>The computing time in milliseconds.</summary>
    [Id(1)]
    public double Milliseconds { get; init; }

    /// <summary>The error in the job or in a replication, which every worker would report.</summary>
    [Id(2)]
    public string? InputError { get; init; }

    /// <summary>Whether the worker does not know the job, and has to be told of it.</summary>
    [Id(3)]
    public bool IsUnknown { get; init; }
}
