using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Cli.Bench;

/// <summary>What a bench is to do, besides the broker.</summary>
internal sealed record BenchRequest
{
    /// <summary>What is sent.</summary>
    public required Workload Workload { get; init; }

    /// <summary>
    /// Whether the workload's version of MQTT is the user's explicit wish; otherwise a broker that lacks it gets 3.1.1.
    /// </summary>
    public bool IsVersionFixed { get; init; }

    /// <summary>Which MQTT client carries the messages.</summary>
    public ClientKind Client { get; init; } = ClientKind.Own;

    /// <summary>How long to wait for what is under way at the end.</summary>
    public required TimeSpan Drain { get; init; }

    /// <summary>Whether messages are logged.</summary>
    public required bool WithLog { get; init; }

    /// <summary>Whether the log is compressed.</summary>
    public bool CompressesLog { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }
}
