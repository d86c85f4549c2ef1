namespace MqttCheck.Pipeline.Stores;

/// <summary>How a store on Redis names its keys, and what it takes for stored.</summary>
internal sealed record RedisSettings
{
    /// <summary>The beginning of the names of all keys.</summary>
    public string Prefix { get; init; } = "mqttcheck";

    /// <summary>How many replicas must have a message before it counts as stored. Default none.</summary>
    public int Replicas { get; init; }

    /// <summary>
    /// How long a request is repeated that fails, such as while a replica takes over. Default not at all.
    /// </summary>
    public TimeSpan Patience { get; init; }

    /// <summary>Whether messages are for sessions that are open or were, and others get none. Default no.</summary>
    public bool NeedsSession { get; init; }
}
