using MqttCheck.Clusters.Hops;

namespace MqttCheck.Clusters.Transport;

/// <summary>A protocol that wants to know when the transport below it is done with a message.</summary>
internal interface IAcknowledgedCore : IClusterCore
{
    /// <summary>The peer has acknowledged a message, or its process has ended and the message is given up.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="message">The message.</param>
    void Settled(int peer, in RoutedMessage message);
}
