using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.Overlays;

/// <summary>A message that may still have to be sent.</summary>
/// <param name="message">The message.</param>
/// <param name="ingress">The place of the neighbour that sent it; -1 for a client of this node.</param>
/// <param name="now">When it came.</param>
internal struct HeldMessage(RoutedMessage message, int ingress, long now)
{
    public readonly RoutedMessage Message = message;
    public readonly int Ingress = ingress;

    /// <summary>When it came, or was sent.</summary>
    public long At = now;

    /// <summary>
    /// To which neighbours it was sent. It waits for them or has come, as long as their link holds and they stay
    /// members.
    /// </summary>
    public PlaceSet SentTo;
}
