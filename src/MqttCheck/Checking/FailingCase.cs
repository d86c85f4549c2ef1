namespace MqttCheck.Checking;

/// <summary>A case in which a property fails.</summary>
/// <param name="Number">The number of the case in its <see cref="PropertySource"/>.</param>
/// <param name="Values">The generated values, one line for each, as FsCheck prints them; after shrinking the smaller ones.</param>
/// <param name="Shrinks">How many times the values were replaced by smaller ones.</param>
/// <param name="Reason">What the property threw, or that it was false; null where the case was not looked at to its end.</param>
public sealed record FailingCase(long Number, string Values, int Shrinks, string? Reason);
