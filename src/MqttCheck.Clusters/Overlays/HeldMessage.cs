using MqttCheck.Clusters.Hops;

namespace MqttCheck.Clusters.Overlays;

/// <summary>A message that may still have to be sent.</summary>
/// <param name="Message">The message.</param>
/// <param name="Ingress">The place of the neighbour that sent it; -1 for a client of this node.</param>
/// <param name="At">When it came, or was sent.</param>
internal readonly record struct HeldMessage(RoutedMessage Message, int Ingress, long At);
