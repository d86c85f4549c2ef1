using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Joining;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Clusters.Show;

/// <summary>The answers that files alone give about a cluster, before anything runs.</summary>
internal sealed record ClusterShowAnswer
{
    /// <summary>The cluster.</summary>
    public required Topology Topology { get; init; }

    /// <summary>The configurations that describe it; null for a topology.</summary>
    public ConfTopology? Configurations { get; init; }

    /// <summary>The routes of publications over bridges.</summary>
    public required IReadOnlyList<BridgeRoute> Routes { get; init; }

    /// <summary>Nodes that get a publication more than once.</summary>
    public required IReadOnlyList<BridgeRepeat> Repeats { get; init; }

    /// <summary>The remarks about configurations, the gravest first.</summary>
    public IReadOnlyList<ConfFinding> Findings { get; init; } = [];

    /// <summary>The routes that never end, one for each circle.</summary>
    public IEnumerable<BridgeRoute> Loops =>
        Routes.Where(route => route.Loop.Count > 0).DistinctBy(route => string.Join(' ', route.Loop));

    /// <summary>Whether no publication comes back for ever or comes twice.</summary>
    public Conclusion Conclusion => Conclusions.Of(Repeats.Count == 0 && !Loops.Any());
}
