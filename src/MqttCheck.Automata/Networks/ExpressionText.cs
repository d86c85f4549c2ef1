using System.Diagnostics;

namespace MqttCheck.Automata.Networks;

/// <summary>Symbols of operators, and walks over expressions.</summary>
internal static class ExpressionText
{
    /// <summary>The symbol of an operator in the notation of C and UPPAAL, which this project prints.</summary>
    public static string Symbol(BinaryOperator op) =>
        op switch
        {
            BinaryOperator.Add => "+",
            BinaryOperator.Subtract => "-",
            BinaryOperator.Multiply => "*",
            BinaryOperator.Divide => "/",
            BinaryOperator.Modulo => "%",
            BinaryOperator.Power => "^",
            BinaryOperator.Less => "<",
            BinaryOperator.LessOrEqual => "<=",
            BinaryOperator.Greater => ">",
            BinaryOperator.GreaterOrEqual => ">=",
            BinaryOperator.Equal => "==",
            BinaryOperator.NotEqual => "!=",
            BinaryOperator.And => "&&",
            BinaryOperator.Or => "||",
            BinaryOperator.Implies => "=>",
            BinaryOperator.Logarithm or BinaryOperator.Minimum or BinaryOperator.Maximum => op.ToString(),
            _ => throw new UnreachableException(),
        };

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
