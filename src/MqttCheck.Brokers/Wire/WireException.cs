namespace MqttCheck.Brokers.Wire;

/// <summary>A socket operation failed; the message has the operation, the address and a remedy.</summary>
/// <param name="message">The failure, its place, and a remedy.</param>
internal sealed class WireException(string message) : Exception(message);
