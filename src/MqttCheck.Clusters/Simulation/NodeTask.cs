using MqttCheck.Clusters.Hops;

namespace MqttCheck.Clusters.Simulation;

/// <summary>Something that waits for a node: a packet from a link, or a client's publication.</summary>
/// <param name="Link">The index of the link that the packet came over; -1 for a publication.</param>
/// <param name="Packet">The packet, or a PUBLISH of the publication.</param>
/// <param name="Owner">The connection of the packet; 0 for a publication.</param>
internal readonly record struct NodeTask(int Link, HopPacket Packet, int Owner);
