using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Captures.Replay;

/// <summary>A packet that a client sent, or the end of a connection.</summary>
/// <param name="Nanoseconds">When, since the first packet of the capture.</param>
/// <param name="Connection">The number of the connection.</param>
internal sealed record ReplayStep(long Nanoseconds, int Connection)
{
    /// <summary>A packet other than a message; null for a message, and for the end of a connection.</summary>
    public Packet? Packet { get; init; }

    /// <summary>A message; null for anything else.</summary>
    public ReplayMessage? Message { get; init; }
}

/// <summary>A message without its payload, which is made up.</summary>
/// <param name="Topic">The topic in UTF-8.</param>
/// <param name="Qos">The quality of service.</param>
/// <param name="IsRetained">The retain flag.</param>
/// <param name="Size">The bytes of the payload.</param>
internal sealed record ReplayMessage(byte[] Topic, QualityOfService Qos, bool IsRetained, int Size);

/// <summary>A connection that stood when the capture began.</summary>
/// <param name="Connect">Sets it up.</param>
/// <param name="Subscriptions">The subscriptions that follow from what was delivered.</param>
internal sealed record JoinedConnection(ConnectPacket Connect, IReadOnlyList<SubscriptionRequest> Subscriptions);
