using MqttCheck.Clusters.Topologies;

namespace MqttCheck.ClusterProtocols.Interest;

/// <summary>How nodes route by interest.</summary>
internal sealed record InterestOptions
{
    /// <summary>The information that an advertisement carries.</summary>
    public AdvertisementMode Advertisement { get; init; }

    /// <summary>
    /// How long after its last publication a node still counts as a publisher of a topic, in nanoseconds, positive.
    /// Default 60 s. A protocol does not see the sessions of publishers.
    /// </summary>
    public long TopicLifeNanoseconds { get; init; } = 60_000_000_000;

    /// <summary>
    /// How long after a change of the tree messages go to every node, in nanoseconds, not negative. Default 4 s. The
    /// tree and the tables have to be right again after half of it.
    /// </summary>
    public long ChangeNanoseconds { get; init; } = 4_000_000_000;

    /// <summary>A defect to be found.</summary>
    internal OverlayMutant Mutant { get; init; }
}
