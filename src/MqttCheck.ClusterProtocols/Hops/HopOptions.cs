using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>How nodes carry messages to their neighbours.</summary>
internal sealed record HopOptions
{
    /// <summary>The highest quality of service on a hop; a message of a lower one keeps its own.</summary>
    public QualityOfService Qos { get; init; } = QualityOfService.ExactlyOnce;

    /// <summary>
    /// The messages that travel inside PINGREQ; then CONNECT is marked as that of a broker. Default null: none do.
    /// </summary>
    public IPingContent? InsidePings { get; init; }

    /// <summary>How many QoS 1 and 2 messages may be unacknowledged; 1 .. 65 535.</summary>
    public int InFlight { get; init; } = 1024;

    /// <summary>How many wait behind these; what comes later is dropped and counted.</summary>
    public int Queued { get; init; } = 100_000;

    /// <summary>The pause before the first attempt to connect again, in nanoseconds. Each one doubles it.</summary>
    public long FirstPauseNanoseconds { get; init; } = 50_000_000;

    /// <summary>The longest pause, in nanoseconds.</summary>
    public long LongestPauseNanoseconds { get; init; } = 2_000_000_000;
}
