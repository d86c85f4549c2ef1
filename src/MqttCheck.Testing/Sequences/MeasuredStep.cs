namespace MqttCheck.Testing.Sequences;

/// <summary>A timed part of a sequence.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Milliseconds">From the call to the completed task; positive infinity where it failed.</param>
public readonly record struct MeasuredStep(string Name, double Milliseconds);
