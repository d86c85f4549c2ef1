namespace MqttCheck.Automata.Networks;

/// <summary>Gives a variable a new value, or sets a clock to 0.</summary>
/// <param name="Variable">Name of the variable, array or clock.</param>
/// <param name="Value">The value; it may draw random numbers. 0 for a clock.</param>
public sealed record Assignment(string Variable, Expression Value)
{
    /// <summary>For an array: which element.</summary>
    public Expression? Element { get; init; }

    /// <summary>
    /// Assignments of an edge are made in groups of ascending order; those of one group at once, so that all their
    /// expressions see the values from before the group.
    /// </summary>
    public int Order { get; init; }
}
