namespace MqttCheck.Brokers.Wire;

/// <summary>When bytes were handed to the socket.</summary>
/// <param name="Nanoseconds">The middle between the clock before and after the call that sent them.</param>
/// <param name="BoundNanoseconds">Half the time between the two: how far the stamp may be off.</param>
public readonly record struct SendStamp(long Nanoseconds, long BoundNanoseconds);
