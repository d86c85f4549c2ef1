using MqttCheck.Brokers.Loads;
using MqttCheck.Clusters.Properties;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>The result of a live run, without its events.</summary>
internal sealed record LiveClusterResult
{
    /// <summary>The counts and times of the clients of the load.</summary>
    public required LoadResult Load { get; init; }

    /// <summary>The traffic on each directed link that has a relay, in the order of the topology's links.</summary>
    public required IReadOnlyList<LinkTraffic> Links { get; init; }

    /// <summary>By how much the latest fault was late, in nanoseconds; 0 without faults.</summary>
    public required long FaultLatenessNanoseconds { get; init; }

    /// <summary>The time of the last event, on the clock of events, in nanoseconds.</summary>
    public required long EndNanoseconds { get; init; }

    /// <summary>The fates of retained messages; null where none were written for that.</summary>
    public KeptOutcome? Kept { get; init; }

    /// <summary>Sentences about what faults did, such as which files they damaged.</summary>
    public IReadOnlyList<string> FaultNotes { get; init; } = [];

    /// <summary>Null, or which node did not come back after a fault, with the last lines that it printed.</summary>
    public string? NotBack { get; init; }

    /// <summary>Null, or how a node ended that no fault had ended.</summary>
    public required string? NodeFailure { get; init; }
}
