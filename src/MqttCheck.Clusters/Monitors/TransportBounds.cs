namespace MqttCheck.Clusters.Monitors;

/// <summary>How much the queues of a transport may hold, by its rules.</summary>
/// <param name="ReceiveQueue">The most messages in a receive queue.</param>
/// <param name="Shed">The length of a peer's receive queue above which a node takes no new message.</param>
/// <param name="SendQueue">The most messages in a send queue.</param>
internal readonly record struct TransportBounds(long ReceiveQueue, long Shed, long SendQueue);
