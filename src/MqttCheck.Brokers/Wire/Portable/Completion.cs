namespace MqttCheck.Brokers.Wire.Portable;

/// <summary>An operation of a socket that has ended, on its way to the wire's thread.</summary>
/// <param name="Ended">What is done there; given the time of the end.</param>
/// <param name="Nanoseconds">When it ended.</param>
internal readonly record struct Completion(Action<long> Ended, long Nanoseconds);
