using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.Discovery;

/// <summary>A node's record of another broker that it has discovered.</summary>
internal sealed class DiscoveredPeer(int node)
{
    public const long Never = -1;

    /// <summary>Control messages that come before the link is used; the newest say what counts.</summary>
    private const int MostEarly = 16;

    public int Node { get; } = node;

    /// <summary>The messages that wait until the link is used.</summary>
    public Queue<PeerMessage> Early { get; } = new();

    /// <summary>Whether it has announced itself, or been heard of otherwise, and was not forgotten since.</summary>
    public bool IsKnown { get; set; }

    /// <summary>The process that has announced itself; null where it was heard of otherwise.</summary>
    public ulong? Incarnation { get; set; }

    /// <summary>Whether the connections in both directions are open.</summary>
    public bool IsUp { get; set; }

    /// <summary>Whether the node's protocol uses the link.</summary>
    public bool IsLinked { get; set; }

    /// <summary>Whether it fell silent, and the protocol is to be told so at the end of this discovery.</summary>
    public bool IsForgotten { get; set; }

    /// <summary>When the ping was sent that has no answer yet; <see cref="Never"/> for none.</summary>
    public long PingedAt { get; set; } = Never;

    public void Clear()
    {
        (IsKnown, Incarnation, IsUp, IsLinked, IsForgotten, PingedAt) = (false, null, false, false, false, Never);
        Early.Clear();
    }

    public void Keep(in PeerMessage message)
    {
        if (Early.Count == MostEarly)
            Early.Dequeue();
        Early.Enqueue(message);
    }
}
