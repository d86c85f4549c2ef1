namespace MqttCheck.Properties.Formulas;

/// <summary>
/// How tightly an operator binds; a formula in a place that binds more tightly stands in parentheses.
/// </summary>
internal enum FormulaPrecedence
{
    Lowest,
    Implication,
    Disjunction,
    Conjunction,
    Until,
    Unary,
}
