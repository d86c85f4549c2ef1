using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies;

/// <summary>Clients at one place, and the broker that they connect to.</summary>
internal sealed record TopologySite
{
    /// <summary>The name in tables.</summary>
    public required string Name { get; init; }

    /// <summary>The index of their broker in <see cref="Topology.Nodes"/>.</summary>
    public required int Node { get; init; }

    /// <summary>The one-way delay between clients and broker, in milliseconds.</summary>
    public Law DelayMilliseconds { get; init; } = new ConstantLaw(0);

    /// <summary>
    /// The beginning of the topics that its clients publish on and subscribe to, where bridges rename topics; null (the
    /// default) for <see cref="ClusterScenario.TopicPrefix"/>.
    /// </summary>
    public string? TopicPrefix { get; init; }

    /// <summary>How many clients publish, at least 0.</summary>
    public int Publishers { get; init; }

    /// <summary>How many clients subscribe, at least 0.</summary>
    public int Subscribers { get; init; }
}
