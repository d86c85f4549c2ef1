using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Runs;

namespace MqttCheck.LiveClusters.Verdicts;

/// <summary>One live run.</summary>
internal sealed record ClusterRunRecord
{
    /// <summary>The outcome of the run.</summary>
    public required ClusterOutcome Outcome { get; init; }

    /// <summary>
    /// The outcome of a simulation with the same clients and faults; null for a system or load that is not simulated.
    /// </summary>
    public ClusterOutcome? Simulated { get; init; }

    /// <summary>Why a system of our own was not simulated; null where it was, and for other systems.</summary>
    public string? WhyNotSimulated { get; init; }

    /// <summary>Its faults, with the times and targets that were drawn.</summary>
    public required IReadOnlyList<ScheduledFault> Faults { get; init; }

    /// <summary>When the first message that counts was due, on the monotonic clock.</summary>
    public long StartNanoseconds { get; init; }

    /// <summary>When the run ended, likewise.</summary>
    public long EndNanoseconds { get; init; }

    /// <summary>Sentences about what faults did, such as which files they damaged.</summary>
    public IReadOnlyList<string> FaultNotes { get; init; } = [];

    /// <summary>
    /// Which node did not come back after a fault, with the last lines that it printed; null if all did.
    /// </summary>
    public string? NotBack { get; init; }

    /// <summary>The traffic on each directed link that has a relay.</summary>
    public required IReadOnlyList<LinkTraffic> Links { get; init; }

    /// <summary>By how much the latest fault was late, in nanoseconds.</summary>
    public required long FaultLatenessNanoseconds { get; init; }

    /// <summary>How the load or a node failed without a fault; null if neither did.</summary>
    public string? Failure { get; init; }

    /// <summary>The time from the first message until a loop was seen, in nanoseconds; null without one.</summary>
    public long? LoopAfterNanoseconds { get; init; }
}
