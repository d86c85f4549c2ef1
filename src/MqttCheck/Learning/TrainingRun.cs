namespace MqttCheck.Learning;

/// <summary>One training case as it ran.</summary>
/// <param name="Clients">How many clients took part.</param>
/// <param name="Exchanges">How many successful exchanges it holds.</param>
/// <param name="MessagesPerSecond">All its exchanges over the time from the first sending to the last end.</param>
public sealed record TrainingRun(int Clients, int Exchanges, double MessagesPerSecond);
