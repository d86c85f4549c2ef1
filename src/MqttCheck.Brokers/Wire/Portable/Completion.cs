namespace MqttCheck.Brokers.Wire.Portable;

/// <summary>An operation of a socket that has ended, on its way to the wire's thread.</summary>
/// <param name="Ended">The action on the wire's thread, which gets the time of the end.</param>
/// <param name="Nanoseconds">When it ended.</param>
internal readonly record struct Completion(Action<long> Ended, long Nanoseconds);
