namespace MqttCheck.Automata.Splitting;

/// <summary>One independent estimate.</summary>
/// <param name="Probability">The estimate.</param>
/// <param name="Steps">How many steps were simulated.</param>
internal readonly record struct SplittingRepetition(double Probability, long Steps);
