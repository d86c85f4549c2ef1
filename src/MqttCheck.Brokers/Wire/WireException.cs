namespace MqttCheck.Brokers.Wire;

/// <summary>A socket could not do what was asked; the message says what, where and what helps.</summary>
/// <param name="message">What failed, where, and what helps.</param>
public sealed class WireException(string message) : Exception(message);
