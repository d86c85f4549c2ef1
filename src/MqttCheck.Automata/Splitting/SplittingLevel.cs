namespace MqttCheck.Automata.Splitting;

/// <summary>A value of the level at which runs are split.</summary>
/// <param name="Threshold">The value.</param>
/// <param name="Share">The share of the pilot runs from the level before that reached it.</param>
internal readonly record struct SplittingLevel(double Threshold, double Share);
