namespace MqttCheck.Automata.Networks;

/// <summary>A variable or clock of a network or of an automaton.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">The type of its values.</param>
/// <param name="InitialValue">Its value at the start; 0 for a clock.</param>
/// <param name="Length">0 for a single value, otherwise the number of elements of an array.</param>
public sealed record VariableDeclaration(string Name, VariableType Type, double InitialValue = 0, int Length = 0)
{
    /// <summary>The smallest value allowed, for a bounded integer or real.</summary>
    public double? LowerBound { get; init; }

    /// <summary>The largest value allowed, for a bounded integer or real.</summary>
    public double? UpperBound { get; init; }
}
