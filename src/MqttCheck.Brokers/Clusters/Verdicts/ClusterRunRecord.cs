using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.Brokers.Clusters.Verdicts;

/// <summary>One live run.</summary>
public sealed record ClusterRunRecord
{
    /// <summary>What it gave.</summary>
    public required ClusterOutcome Outcome { get; init; }

    /// <summary>
    /// What a simulation of the run gave, with the same clients, topics and faults; null for systems that are no
    /// overlays.
    /// </summary>
    public ClusterOutcome? Simulated { get; init; }

    /// <summary>Its faults, with the times and targets that were drawn.</summary>
    public required IReadOnlyList<ScheduledFault> Faults { get; init; }

    /// <summary>What passed each directed link that has a relay.</summary>
    public required IReadOnlyList<LinkTraffic> Links { get; init; }

    /// <summary>By how much the latest fault was late, in nanoseconds.</summary>
    public required long FaultLatenessNanoseconds { get; init; }

    /// <summary>How the load or a node failed without a fault; null if neither did.</summary>
    public string? Failure { get; init; }

    /// <summary>The time from the first message until a loop was seen, in nanoseconds; null without one.</summary>
    public long? LoopAfterNanoseconds { get; init; }
}
