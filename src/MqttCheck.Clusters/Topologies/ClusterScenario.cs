using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Topologies;

/// <summary>
/// The load, faults and properties that apply to a cluster. A scenario in a file of its own can apply to any cluster.
/// </summary>
internal sealed record ClusterScenario
{
    /// <summary>The name in tables, or empty.</summary>
    public string Name { get; init; } = "";

    /// <summary>One sentence for people.</summary>
    public string Description { get; init; } = "";

    /// <summary>The load of a run; null for the one that suits the cluster (<see cref="Topology.Load"/>).</summary>
    public Workload? Workload { get; init; }

    /// <summary>
    /// The beginning of all topics of a run: levels with a slash behind each, or empty. Bridges that forward some
    /// topics only need it, and so do brokers that allow no others.
    /// </summary>
    public string TopicPrefix { get; init; } = "";

    /// <summary>How long a run lasts; null for the duration of the load.</summary>
    public TimeSpan? Duration { get; init; }

    /// <summary>
    /// How long before a publication a subscription must be granted, and a fault over, so that the delivery is owed.
    /// Default one second.
    /// </summary>
    public TimeSpan Settle { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Which node a client connects to again. Default the same one.</summary>
    public ClientReturn Return { get; init; }

    /// <summary>The clients that share subscriptions or take over across nodes. Default none.</summary>
    public SessionLoad Sessions { get; init; } = SessionLoad.None;

    /// <summary>The faults, in the order of the file.</summary>
    public IReadOnlyList<ClusterFault> Faults { get; init; } = [];

    /// <summary>The properties to decide, in the order of the file.</summary>
    public IReadOnlyList<ScenarioProperty> Properties { get; init; } = [];
}
