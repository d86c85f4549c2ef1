namespace MqttCheck.Broker.Delays;

/// <summary>A time during which the broker sends nothing; what was due then leaves at its end.</summary>
/// <param name="FromNanoseconds">When it begins, counted from the start of the broker.</param>
/// <param name="LengthNanoseconds">How long it lasts.</param>
public readonly record struct Stall(long FromNanoseconds, long LengthNanoseconds);
