using MqttCheck.Clusters.Properties;

namespace MqttCheck.Brokers.Clusters.Verdicts;

/// <summary>What is asked of a cluster, and how long it may take.</summary>
public sealed record ClusterVerificationOptions
{
    /// <summary>The properties, in the order of their verdicts; none for one run and its invariants.</summary>
    public required IReadOnlyList<ClusterPropertyTest> Tests { get; init; }

    /// <summary>The most runs, at least 1. What asks for a value takes them all.</summary>
    public required int MostRuns { get; init; }

    /// <summary>The seed of faults, schedules and payloads.</summary>
    public required ulong Seed { get; init; }

    /// <summary>
    /// Whether the cluster is made ready before a run by messages that have to arrive everywhere. Not with a loop, in
    /// which they would never end.
    /// </summary>
    public bool IsMadeReady { get; init; } = true;
}
