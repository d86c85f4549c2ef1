namespace MqttCheck.Clusters.Mosquitto;

/// <summary>A <c>connection</c> block: a bridge and its settings, with Mosquitto's defaults.</summary>
internal sealed record ConfBridge
{
    /// <summary>The line <c>connection</c>.</summary>
    public required ConfPlace Place { get; init; }

    /// <summary>The name of the connection.</summary>
    public required string Name { get; init; }

    /// <summary>The remote brokers, at least one. The first one is preferred.</summary>
    public required IReadOnlyList<ConfAddress> Addresses { get; init; }

    /// <summary>The topics that it forwards.</summary>
    public required IReadOnlyList<ConfTopic> Topics { get; init; }

    /// <summary>Every line of the block.</summary>
    public required IReadOnlyList<ConfLine> Lines { get; init; }

    /// <summary><c>cleansession</c>: whether the session at the remote broker ends with the connection.</summary>
    public bool IsCleanSession { get; init; }

    /// <summary><c>local_cleansession</c>; as <see cref="IsCleanSession"/> where it is not given.</summary>
    public bool IsLocalCleanSession { get; init; }

    /// <summary><c>start_type</c>: automatic, lazy or once.</summary>
    public string StartType { get; init; } = "automatic";

    /// <summary><c>bridge_protocol_version</c>: 3, 4 or 5 as in CONNECT. Default 4, MQTT 3.1.1.</summary>
    public int ProtocolVersion { get; init; } = 4;

    /// <summary><c>try_private</c>: whether CONNECT says that a bridge comes.</summary>
    public bool TriesPrivate { get; init; } = true;

    /// <summary><c>bridge_attempt_unsubscribe</c>: whether it unsubscribes from what it only sends.</summary>
    public bool AttemptsUnsubscribe { get; init; } = true;

    /// <summary><c>notifications</c>: whether both brokers publish the state of the connection.</summary>
    public bool Notifies { get; init; } = true;

    /// <summary><c>remote_clientid</c>; null for the name of the host and of the connection.</summary>
    public string? RemoteClientId { get; init; }

    /// <summary><c>local_clientid</c>; null for one made of the remote one.</summary>
    public string? LocalClientId { get; init; }

    /// <summary>Whether it speaks TLS, by certificate or by PSK.</summary>
    public bool IsTls { get; init; }
}
