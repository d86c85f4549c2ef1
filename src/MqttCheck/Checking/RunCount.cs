namespace MqttCheck.Checking;

/// <summary>What one live run contributes to a test: its counted sequences and those in time.</summary>
/// <param name="Successes">Sequences in time, 0 .. <paramref name="Samples"/>.</param>
/// <param name="Samples">Counted sequences, at least 1.</param>
public readonly record struct RunCount(int Successes, int Samples);
