namespace MqttCheck.Automata.Networks;

/// <summary>Symbols of operators, and walks over expressions.</summary>
internal static class ExpressionText
{
    private static readonly Dictionary<BinaryOperator, string> s_symbols = new()
    {
        [BinaryOperator.Add] = "+",
        [BinaryOperator.Subtract] = "-",
        [BinaryOperator.Multiply] = "*",
        [BinaryOperator.Divide] = "/",
        [BinaryOperator.Modulo] = "%",
        [BinaryOperator.Power] = "^",
        [BinaryOperator.Logarithm] = "log",
        [BinaryOperator.Minimum] = "min",
        [BinaryOperator.Maximum] = "max",
        [BinaryOperator.Less] = "<",
        [BinaryOperator.LessOrEqual] = "<=",
        [BinaryOperator.Greater] = ">",
        [BinaryOperator.GreaterOrEqual] = ">=",
        [BinaryOperator.Equal] = "==",
        [BinaryOperator.NotEqual] = "!=",
        [BinaryOperator.And] = "&&",
        [BinaryOperator.Or] = "||",
        [BinaryOperator.Implies] = "=>",
    };

    /// <summary>
    /// The symbol of an operator in the notation of C and UPPAAL, which this project prints; of min, max and log the
    /// name.
    /// </summary>
    public static string Symbol(BinaryOperator op) => s_symbols[op];

    /// <summary>The expression and all its parts, outermost first.</summary>
    public static IEnumerable<Expression> Parts(Expression expression)
    {
        yield return expression;
        IEnumerable<Expression> inner = expression switch
        {
            Expression.Unary unary => [unary.Operand],
            Expression.Binary binary => [binary.Left, binary.Right],
            Expression.Conditional conditional => [conditional.Condition, conditional.Then, conditional.Otherwise],
            Expression.Element element => [element.Index],
            Expression.Sample sample => sample.Parameters,
            _ => [],
        };
        foreach (var part in inner.SelectMany(Parts))
            yield return part;
    }

    /// <summary>The terms of a conjunction, or the expression itself.</summary>
    public static IEnumerable<Expression> Conjuncts(Expression expression) =>
        expression is Expression.Binary { Operator: BinaryOperator.And } and
            ? Conjuncts(and.Left).Concat(Conjuncts(and.Right))
            : [expression];

    /// <summary>Whether a number is drawn anywhere in the expression.</summary>
    public static bool Draws(Expression expression) =>
        Parts(expression).Any(part => part is Expression.Sample or Expression.LawSample);

    /// <summary>The names of the variables, clocks and arrays that the expression reads.</summary>
    public static IEnumerable<string> Names(Expression expression) =>
        Parts(expression)
            .Select(part =>
                part switch
                {
                    Expression.Variable variable => variable.Name,
                    Expression.Element element => element.Array,
                    _ => null,
                }
            )
            .OfType<string>();
}
