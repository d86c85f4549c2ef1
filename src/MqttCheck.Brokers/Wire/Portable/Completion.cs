namespace MqttCheck.Brokers.Wire.Portable;

/// <summary>An operation of a socket that has ended, on its way to the wire's thread.</summary>
/// <param name="Target">Whose it was.</param>
/// <param name="Kind">Which one.</param>
/// <param name="Nanoseconds">When it ended.</param>
internal readonly record struct Completion(ICompletionTarget Target, CompletionKind Kind, long Nanoseconds);
