using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.ClusterProtocols.Overlays;

/// <summary>How nodes build an overlay for each topic.</summary>
internal sealed record TopicOverlayOptions
{
    /// <summary>Which member is the root.</summary>
    public RootRule Root { get; init; }

    /// <summary>The weights of <see cref="RootRule.Balance"/>.</summary>
    public RootBalance Balance { get; init; } = new();

    /// <summary>The rules of the trees; T_k is also the time between two pings of a topic.</summary>
    public SpanningTreeOptions Tree { get; init; } = new();

    /// <summary>
    /// How long after its last publication a node still counts as a publisher of a topic, in nanoseconds, positive.
    /// Default 60 s.
    /// </summary>
    public long TopicLifeNanoseconds { get; init; } = 60_000_000_000;

    /// <summary>How many messages of a topic wait while members do not agree, positive. Default 100.</summary>
    public int MostHeld { get; init; } = 100;

    /// <summary>A defect to be found.</summary>
    internal OverlayMutant Mutant { get; init; }

    /// <summary>
    /// How long answers to a ping are awaited (T_t), a fifth of T_k. A tree that has not changed for so long is
    /// complete.
    /// </summary>
    internal long AnswerNanoseconds => Tree.KeepAliveNanoseconds / 5;

    /// <summary>For how long an answer makes a node a member (3 T_k).</summary>
    internal long MembershipNanoseconds => 3 * Tree.KeepAliveNanoseconds;
}
