using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>
/// Something that waits for a node: a packet from a link, the end of a connection, a publication, a delivery, or a
/// subscription that begins or ends.
/// </summary>
/// <param name="Link">
/// The index of the link of packet or connection; -1 for a publication, otherwise one of the constants.
/// </param>
/// <param name="Packet">The packet, or a PUBLISH of the publication.</param>
/// <param name="Owner">
/// The connection of the packet, or how many were opened; of the constants the place of the subscription.
/// </param>
/// <param name="IsEnd">Whether the connection that the node has opened last has ended.</param>
internal readonly record struct NodeTask(int Link, HopPacket Packet, int Owner, bool IsEnd = false)
{
    /// <summary>A message for one subscriber of the node.</summary>
    public const int Delivery = -2;

    /// <summary>A client's SUBSCRIBE to a node that stands still.</summary>
    public const int Subscribe = -3;

    /// <summary>A client's UNSUBSCRIBE to a node that stands still.</summary>
    public const int Unsubscribe = -4;
}
