using MqttCheck.ClusterProtocols.SpanningTree;

namespace MqttCheck.ClusterProtocols.Overlays;

/// <summary>A node's record of another node in the overlay of a topic.</summary>
internal struct TopicPeer
{
    public const long Never = -1;

    /// <summary>Whether it has said that it is a member.</summary>
    public bool Claims;

    /// <summary>When it has said so last.</summary>
    public long ClaimedAt;

    /// <summary>When it answered a ping last; <see cref="Never"/> if it has not.</summary>
    public long AnsweredAt;

    /// <summary>Whether this node counts it among the members.</summary>
    public bool IsMember;

    /// <summary>Its own version of the members; 0 for none.</summary>
    public long Version;

    /// <summary>The number of its tree.</summary>
    public long Tree;

    /// <summary>Whether the topic's tree may use the link to it.</summary>
    public bool IsUp;

    /// <summary>The role of the link in the topic's tree.</summary>
    public LinkRole Role;

    public readonly bool IsActive => Role != LinkRole.Blocked;

    public void Leave() => (Claims, AnsweredAt, Version) = (false, Never, 0);
}
