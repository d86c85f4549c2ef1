namespace MqttCheck.Profiles;

/// <summary>A time in which clients send more or less than their waits say.</summary>
/// <param name="Seconds">How long it lasts, positive.</param>
/// <param name="Load">By how much waits are divided: 2 for twice the load, 0 for silence.</param>
public sealed record LoadStage(double Seconds, double Load);
