namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>The limits that a store applies to each session.</summary>
internal sealed record StoreOptions
{
    /// <summary>The most messages of a session; the oldest go first. 1 .. 65 535, as many as there are ids.</summary>
    public int Limit { get; init; } = 10_000;

    /// <summary>How long a message is kept, in nanoseconds. Default one week.</summary>
    public long LifetimeNanoseconds { get; init; } = 7 * 86_400_000_000_000;
}
