namespace MqttCheck.Broker.Sessions;

/// <summary>A will: what to publish when a connection has ended badly, and how long to wait.</summary>
/// <param name="Topic">The topic name.</param>
/// <param name="Message">The message; its expiry is counted from publication.</param>
/// <param name="DelaySeconds">The Will Delay Interval.</param>
/// <param name="ExpirySeconds">The Message Expiry Interval; null for none.</param>
internal sealed record Will(string Topic, Message Message, uint DelaySeconds, uint? ExpirySeconds);
