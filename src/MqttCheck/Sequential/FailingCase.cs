namespace MqttCheck.Sequential;

/// <summary>A case in which a property fails.</summary>
/// <param name="Number">The number of the case in its <see cref="PropertySource"/>.</param>
/// <param name="Values">
/// The generated values, one line for each, as FsCheck prints them; after shrinking the smaller ones.
/// </param>
/// <param name="Shrinks">How many times the values were replaced by smaller ones.</param>
/// <param name="Reason">The exception of the property, or that it was false.</param>
/// <param name="Labels">The labels of the property that failed.</param>
public sealed record FailingCase(long Number, string Values, int Shrinks, string Reason, IReadOnlyList<string> Labels);
