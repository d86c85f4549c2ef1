using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.Clusters.Topologies;

/// <summary>How nodes of an overlay find each other and route, and how clients are placed.</summary>
internal sealed record OverlaySettings
{
    /// <summary>
    /// The information that an advertisement of the single overlay carries. Default the first publication.
    /// </summary>
    public AdvertisementMode Advertisement { get; init; }

    /// <summary>Which member is the root of a topic's overlay. Default the one with the highest capability.</summary>
    public RootRule Root { get; init; }

    /// <summary>The weights of <see cref="RootRule.Balance"/>.</summary>
    public RootBalance Balance { get; init; } = new();

    /// <summary>The time between two announcements of a node (T_a), in seconds, above 0. Default 1.</summary>
    public double AnnounceSeconds { get; init; } = 1;

    /// <summary>
    /// The group by which live nodes announce themselves; null for <see cref="MulticastGroup.Default"/>. A simulation
    /// has one broadcast domain.
    /// </summary>
    public MulticastGroup? Multicast { get; init; }

    /// <summary>
    /// Whether live nodes announce themselves over their links instead, for machines that cannot multicast on the
    /// loopback interface. Default no.
    /// </summary>
    public bool AnnouncesOnLinks { get; init; }

    /// <summary>
    /// The probability that a node does not get an announcement of another one, each by itself, 0 .. 1. Default 0.
    /// </summary>
    public double AnnounceLoss { get; init; }

    /// <summary>How long announcements are collected (T_d), in seconds, above 0. Default 2.</summary>
    public double CollectSeconds { get; init; } = 2;

    /// <summary>
    /// How long a node may leave a ping without an answer (T_o), in seconds, above 0; null for three times the keep
    /// alive.
    /// </summary>
    public double? SilenceSeconds { get; init; }

    /// <summary>
    /// How many topics there are, at least 1: every client draws one of them in every run; null for the topics of the
    /// workload.
    /// </summary>
    public int? Topics { get; init; }

    /// <summary>
    /// The places of clients with drawn topics. 100: all clients of a topic are at one node. 0: its publishers are at
    /// one node and its subscribers at another one. 50: each client is at a drawn node.
    /// </summary>
    public int LocalityPercent { get; init; } = 50;

    /// <summary>
    /// How long after a change of its tree a single overlay sends messages to every node, in nanoseconds: the time for
    /// which a tree must stay as it is to count as stable.
    /// </summary>
    /// <param name="keepAliveSeconds">The keep alive (T_k) of the topology.</param>
    internal static long ChangeNanoseconds(double keepAliveSeconds) => (long)Math.Round(2e9 * keepAliveSeconds);
}
