namespace MqttCheck.Automata.Networks;

/// <summary>Operators with one operand. Truth values are the numbers 1 and 0.</summary>
internal enum UnaryOperator
{
    /// <summary>Logical negation.</summary>
    Not,

    /// <summary>The largest integer that is not greater.</summary>
    Floor,

    /// <summary>The smallest integer that is not less.</summary>
    Ceiling,

    /// <summary>The absolute value.</summary>
    Absolute,
}
