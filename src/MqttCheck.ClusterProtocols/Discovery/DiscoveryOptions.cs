namespace MqttCheck.ClusterProtocols.Discovery;

/// <summary>The timers of discovery, in nanoseconds, all positive.</summary>
internal sealed record DiscoveryOptions
{
    private const long Second = 1_000_000_000;

    /// <summary>The time between two announcements (T_a). Default 1 s.</summary>
    public long AnnounceNanoseconds { get; init; } = Second;

    /// <summary>How long announcements are collected before links are used (T_d). Default 2 s.</summary>
    public long CollectNanoseconds { get; init; } = 2 * Second;

    /// <summary>The time between two pings of a broker (T_k). Default 2 s.</summary>
    public long KeepAliveNanoseconds { get; init; } = 2 * Second;

    /// <summary>How long a broker may leave a ping without an answer (T_o). Default 6 s.</summary>
    public long SilenceNanoseconds { get; init; } = 6 * Second;

    /// <summary>
    /// Whether a node also announces itself on each link that comes up: where links stand in for the broadcast domain,
    /// an announcement may be sent before the link to a node is up.
    /// </summary>
    internal bool AnnouncesOnLinks { get; init; }

    /// <summary>
    /// Whether discovery pings linked brokers itself; otherwise it watches the pings of the protocol that it feeds.
    /// </summary>
    internal bool Pings { get; init; }

    /// <summary>For how long the tree must stay as it is before the node counts as running.</summary>
    internal long StableNanoseconds => 2 * KeepAliveNanoseconds;
}
