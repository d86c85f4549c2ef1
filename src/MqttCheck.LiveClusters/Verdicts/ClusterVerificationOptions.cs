using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.Verification.Planning;

namespace MqttCheck.LiveClusters.Verdicts;

/// <summary>The properties to verify on a cluster, and the limits of the verification.</summary>
internal sealed record ClusterVerificationOptions
{
    /// <summary>The properties, in the order of their verdicts; none for one run and its invariants.</summary>
    public required IReadOnlyList<ClusterPropertyTest> Tests { get; init; }

    /// <summary>The most runs, at least 1. A property that asks for a value takes them all.</summary>
    public required int MostRuns { get; init; }

    /// <summary>How long the runs may take; null where only their number is limited.</summary>
    public TimeBudget? Budget { get; init; }

    /// <summary>
    /// How many messages the load may send in a second; null (the default) for no limit. A closed loop keeps to it, and
    /// so do the messages that show whether a cluster is ready.
    /// </summary>
    public double? MostPerSecond { get; init; }

    /// <summary>
    /// Load and faults in place of those that the cluster was started with; null (the default) for none.
    /// </summary>
    public ClusterScenario? Scenario { get; init; }

    /// <summary>
    /// How long a run waits for what is missing, and how long where nothing more is owed; null (the default) for what
    /// suits the cluster.
    /// </summary>
    public RunPatience? Patience { get; init; }

    /// <summary>Whether runs write retained messages and ask for them at the end. Default no.</summary>
    public bool KeepsMessages { get; init; }

    /// <summary>The seed of faults, schedules and payloads.</summary>
    public required ulong Seed { get; init; }

    /// <summary>
    /// Whether messages first have to arrive everywhere before a run begins. This must be off for a cluster with a
    /// loop, in which the messages would never end.
    /// </summary>
    public bool IsMadeReady { get; init; } = true;
}
