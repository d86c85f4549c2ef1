namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// The settings of Mosquitto that a topology may pass on as they are: those that say how much is kept and how a bridge
/// behaves. Listeners, logins and files belong to the program that starts the brokers.
/// </summary>
internal static class BridgeSettings
{
    /// <summary>No setting.</summary>
    public static IReadOnlyDictionary<string, string> None { get; } = new Dictionary<string, string>();

    /// <summary>The settings of a broker.</summary>
    public static IReadOnlyList<string> OfBroker { get; } =
    [
        "allow_duplicate_messages",
        "autosave_interval",
        "autosave_on_changes",
        "max_inflight_bytes",
        "max_inflight_messages",
        "max_keepalive",
        "max_packet_size",
        "max_queued_bytes",
        "memory_limit",
        "message_size_limit",
        "persistent_client_expiration",
        "queue_qos0_messages",
        "retain_available",
        "set_tcp_nodelay",
        "sys_interval",
        "upgrade_outgoing_qos",
    ];

    /// <summary>The settings of a bridge.</summary>
    public static IReadOnlyList<string> OfBridge { get; } =
    [
        Unsubscribing,
        "bridge_max_packet_size",
        "bridge_outgoing_retain",
        Version,
        "idle_timeout",
        "notification_topic",
        "notifications",
        "notifications_local_only",
        "restart_timeout",
        Start,
        "threshold",
        Private,
    ];

    /// <summary>Whether a bridge says in its CONNECT that it is one.</summary>
    public const string Private = "try_private";

    private const string Version = "bridge_protocol_version",
        Start = "start_type",
        Unsubscribing = "bridge_attempt_unsubscribe";

    /// <summary>A link with what its settings and the broker at its far end mean for messages.</summary>
    /// <param name="link">The link.</param>
    /// <param name="peer">The broker that does not open it.</param>
    public static TopologyLink Of(TopologyLink link, BridgePeer peer)
    {
        var version = link.Options.GetValueOrDefault(Version) switch
        {
            "mqttv31" => 3,
            "mqttv50" => 5,
            _ => 4,
        };
        return link with
        {
            IsVersion5 = version == 5,
            IsUnsubscribing = link.Options.GetValueOrDefault(Unsubscribing) is not ("false" or "0"),
            IsOnDemand = link.Options.GetValueOrDefault(Start) == "lazy",
            IsEchoed = BridgePeers
                .Of(peer)
                .Echoes(version, link.Options.GetValueOrDefault(Private) is not ("false" or "0")),
        };
    }
}
