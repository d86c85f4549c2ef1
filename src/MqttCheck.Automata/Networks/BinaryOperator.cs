namespace MqttCheck.Automata.Networks;

/// <summary>Operators with two operands. Truth values are the numbers 1 and 0.</summary>
internal enum BinaryOperator
{
    /// <summary>Sum.</summary>
    Add,

    /// <summary>Difference.</summary>
    Subtract,

    /// <summary>Product.</summary>
    Multiply,

    /// <summary>Quotient of reals.</summary>
    Divide,

    /// <summary>Remainder, with the sign of the divisor.</summary>
    Modulo,

    /// <summary>Power.</summary>
    Power,

    /// <summary>Logarithm of the left operand to the base of the right one.</summary>
    Logarithm,

    /// <summary>The smaller one.</summary>
    Minimum,

    /// <summary>The greater one.</summary>
    Maximum,

    /// <summary>Less than.</summary>
    Less,

    /// <summary>Less than or equal.</summary>
    LessOrEqual,

    /// <summary>Greater than.</summary>
    Greater,

    /// <summary>Greater than or equal.</summary>
    GreaterOrEqual,

    /// <summary>Equal.</summary>
    Equal,

    /// <summary>Not equal.</summary>
    NotEqual,

    /// <summary>Both; the right operand is not looked at if the left one is false.</summary>
    And,

    /// <summary>One or both; the right operand is not looked at if the left one is true.</summary>
    Or,

    /// <summary>The right one if the left one.</summary>
    Implies,
}
