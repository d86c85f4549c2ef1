using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies;

/// <summary>A link between two nodes. Both directions have the same law, and each draws for itself.</summary>
internal sealed record TopologyLink
{
    /// <summary>The index of one end in <see cref="Topology.Nodes"/>; the end that opens the connection.</summary>
    public required int From { get; init; }

    /// <summary>The index of the other end.</summary>
    public required int To { get; init; }

    /// <summary>The one-way delay of what is sent, in milliseconds.</summary>
    public Law DelayMilliseconds { get; init; } = new ConstantLaw(0);

    /// <summary>How many bits pass in a second; positive, null for no limit.</summary>
    public double? BitsPerSecond { get; init; }

    /// <summary>The probability that a segment of 1460 bytes is lost and sent again. 0 .. 1, default 0.</summary>
    public double Loss { get; init; }

    /// <summary>
    /// The topics that a bridge forwards, as the end that opens it (<see cref="From"/>) states them; empty for systems
    /// without bridges.
    /// </summary>
    public IReadOnlyList<BridgeTopic> Topics { get; init; } = [];

    /// <summary>
    /// Whether a bridge begins a new session with every connection, so that messages of a time without connection are
    /// not kept. Default false.
    /// </summary>
    public bool IsCleanSession { get; init; }

    /// <summary>
    /// Whether the broker that opens a bridge drops the bridge's subscriptions with every connection, so that messages
    /// to send are not kept meanwhile. Default false.
    /// </summary>
    public bool IsLocalCleanSession { get; init; }

    /// <summary>
    /// Whether the far end of a bridge sends back over a connection what came over it, because it sees no bridge in
    /// its client and no subscription without local messages. Default false.
    /// </summary>
    public bool IsEchoed { get; init; }

    /// <summary>
    /// Whether a bridge speaks MQTT 5, so that lines with overlapping filters bring a copy each. Default false.
    /// </summary>
    public bool IsVersion5 { get; init; }

    /// <summary>Other settings of a bridge, by their names in mosquitto.conf. Default none.</summary>
    public IReadOnlyDictionary<string, string> Options { get; init; } = BridgeSettings.None;

    /// <summary>
    /// Whether a bridge unsubscribes at the far end from what a line only sends, as Mosquitto does by default. Such a
    /// line ends what an earlier line fetches by the same filter. Default true.
    /// </summary>
    public bool IsUnsubscribing { get; init; } = true;

    /// <summary>The name of the bridge at the end that opens it; null for one of the names of both ends.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// Whether the far broker puts something of its own in front of the topics of a bridge, which then stands in the
    /// remote prefixes. Default false.
    /// </summary>
    public bool IsMounted { get; init; }

    /// <summary>Whether a bridge connects only when it has something to send. Default false.</summary>
    public bool IsOnDemand { get; init; }
}
