namespace MqttCheck.Latency.Nagle;

/// <summary>A receiver of a publication whose connection withholds an acknowledgement.</summary>
/// <param name="Client">Number of the client.</param>
/// <param name="ReceivedMilliseconds">When it received what it has not acknowledged.</param>
internal readonly record struct DelayedAckReceiver(int Client, double ReceivedMilliseconds);
