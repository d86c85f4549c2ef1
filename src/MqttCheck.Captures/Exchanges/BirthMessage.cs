namespace MqttCheck.Captures.Exchanges;

/// <summary>A message that a client publishes each time it has connected, and at no other time.</summary>
/// <param name="Topic">Its topic.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="Qos">Its quality of service.</param>
/// <param name="IsRetained">Whether the broker keeps it.</param>
/// <param name="Count">How often it was seen.</param>
internal sealed record BirthMessage(SeenTopic Topic, int Bytes, int Qos, bool IsRetained, long Count);
