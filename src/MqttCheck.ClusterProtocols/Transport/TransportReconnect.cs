namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>The connections between two nodes are lost, with what is under way, and made again at once.</summary>
/// <param name="Nanoseconds">When, from the start.</param>
/// <param name="One">A node.</param>
/// <param name="Other">The other one.</param>
internal readonly record struct TransportReconnect(long Nanoseconds, int One, int Other);
