using System.Text.Json.Nodes;
using MqttCheck.Automata.Networks;
using MqttCheck.Json;

namespace MqttCheck.Automata.Exchange;

/// <summary>Expressions in JANI, where truth values and numbers are different types.</summary>
/// <param name="isBoolean">Whether the variable or array of a name holds truth values.</param>
internal sealed class JaniExpressionWriter(Func<string, bool> isBoolean)
{
    /// <summary>An expression.</summary>
    /// <param name="expression">The expression, without draws from laws.</param>
    /// <param name="truth">Whether a truth value is wanted, not a number.</param>
    public JsonNode Node(Expression expression, bool truth) =>
        expression switch
        {
            Expression.Number number => truth ? number.Value != 0 : number.Value,
            _ when truth != IsTruth(expression) => Converted(expression, truth),
            Expression.Variable variable => variable.Name,
            Expression.Element element => Element(element.Array, element.Index),
            Expression.Unary unary => JsonNodes.Object(
                ("op", JaniOperators.Name(unary.Operator)),
                ("exp", Node(unary.Operand, unary.Operator == UnaryOperator.Not))
            ),
            Expression.Binary binary => Binary(binary),
            Expression.Conditional conditional => If(
                conditional.Condition,
                Node(conditional.Then, truth),
                Node(conditional.Otherwise, truth)
            ),
            Expression.Sample sample => JsonNodes.Object(
                ("distribution", sample.Distribution.ToString()),
                ("args", JsonNodes.List(sample.Parameters.Select(parameter => Node(parameter, false))))
            ),
            _ => throw new ArgumentException($"not an expression that JANI has: {expression}", nameof(expression)),
        };

    /// <summary>An element of an array.</summary>
    public JsonObject Element(string array, Expression index) =>
        JsonNodes.Object(("op", "aa"), ("exp", array), ("index", Node(index, false)));

    /// <summary>A condition of a location or an edge; null for none.</summary>
    public JsonObject? Condition(Expression? condition) =>
        condition is null ? null : JsonNodes.Object(("exp", Node(condition, true)));

    /// <summary>An assignment.</summary>
    public JsonObject Assigned(Assignment assignment) =>
        JsonNodes.Object(
            (
                "ref",
                assignment.Element is null ? assignment.Variable : Element(assignment.Variable, assignment.Element)
            ),
            ("value", Node(assignment.Value, isBoolean(assignment.Variable))),
            ("index", assignment.Order != 0 ? assignment.Order : null)
        );

    private JsonObject Binary(Expression.Binary binary)
    {
        var operands =
            binary.Operator is BinaryOperator.And or BinaryOperator.Or or BinaryOperator.Implies
            || (
                binary.Operator is BinaryOperator.Equal or BinaryOperator.NotEqual
                && (IsTruth(binary.Left) || IsTruth(binary.Right))
            );
        return JsonNodes.Object(
            ("op", JaniOperators.Name(binary.Operator)),
            ("left", Node(binary.Left, operands)),
            ("right", Node(binary.Right, operands))
        );
    }

    private JsonObject Converted(Expression expression, bool truth) =>
        truth ? JsonNodes.Object(("op", "≠"), ("left", Node(expression, false)), ("right", 0)) : If(expression, 1, 0);

    private JsonObject If(Expression condition, JsonNode then, JsonNode otherwise) =>
        JsonNodes.Object(("op", "ite"), ("if", Node(condition, true)), ("then", then), ("else", otherwise));

    private bool IsTruth(Expression expression) =>
        expression switch
        {
            Expression.Variable variable => isBoolean(variable.Name),
            Expression.Element element => isBoolean(element.Array),
            Expression.Unary unary => unary.Operator == UnaryOperator.Not,
            Expression.Binary binary => binary.Operator >= BinaryOperator.Less,
            // A constant fits both.
            Expression.Conditional conditional => (IsTruth(conditional.Then) || conditional.Then is Expression.Number)
                && (IsTruth(conditional.Otherwise) || conditional.Otherwise is Expression.Number)
                && (conditional.Then is not Expression.Number || conditional.Otherwise is not Expression.Number),
            _ => false,
        };
}
