using System.Text.Json;
using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Exchange;

/// <summary>Writes expressions in JANI, where truth values and numbers are different types.</summary>
/// <param name="writer">Where to.</param>
/// <param name="isBoolean">Whether the variable or array of a name holds truth values.</param>
internal sealed class JaniExpressionWriter(Utf8JsonWriter writer, Func<string, bool> isBoolean)
{
    /// <summary>Writes an expression.</summary>
    /// <param name="expression">The expression, without draws from laws.</param>
    /// <param name="truth">Whether a truth value is wanted, not a number.</param>
    public void Write(Expression expression, bool truth)
    {
        if (expression is Expression.Number number)
        {
            if (truth)
                writer.WriteBooleanValue(number.Value != 0);
            else
                writer.WriteNumberValue(number.Value);
            return;
        }
        if (truth != IsTruth(expression))
        {
            WriteConverted(expression, truth);
            return;
        }
        switch (expression)
        {
            case Expression.Variable variable:
                writer.WriteStringValue(variable.Name);
                break;
            case Expression.Element element:
                WriteElement(element.Array, element.Index);
                break;
            case Expression.Unary unary:
                Begin(JaniOperators.Name(unary.Operator));
                Member("exp", unary.Operand, unary.Operator == UnaryOperator.Not);
                writer.WriteEndObject();
                break;
            case Expression.Binary binary:
                Begin(JaniOperators.Name(binary.Operator));
                var operands =
                    binary.Operator is BinaryOperator.And or BinaryOperator.Or or BinaryOperator.Implies
                    || (
                        binary.Operator is BinaryOperator.Equal or BinaryOperator.NotEqual
                        && (IsTruth(binary.Left) || IsTruth(binary.Right))
                    );
                Member("left", binary.Left, operands);
                Member("right", binary.Right, operands);
                writer.WriteEndObject();
                break;
            case Expression.Conditional conditional:
                Begin("ite");
                Member("if", conditional.Condition, true);
                Member("then", conditional.Then, truth);
                Member("else", conditional.Otherwise, truth);
                writer.WriteEndObject();
                break;
            case Expression.Sample sample:
                writer.WriteStartObject();
                writer.WriteString("distribution", sample.Distribution.ToString());
                writer.WriteStartArray("args");
                foreach (var parameter in sample.Parameters)
                    Write(parameter, false);
                writer.WriteEndArray();
                writer.WriteEndObject();
                break;
            default:
                throw new ArgumentException($"not an expression that JANI has: {expression}", nameof(expression));
        }
    }

    /// <summary>Writes an element of an array.</summary>
    public void WriteElement(string array, Expression index)
    {
        Begin("aa");
        writer.WriteString("exp", array);
        Member("index", index, false);
        writer.WriteEndObject();
    }

    private void WriteConverted(Expression expression, bool truth)
    {
        if (truth)
        {
            Begin("≠");
            Member("left", expression, false);
            writer.WriteNumber("right", 0);
        }
        else
        {
            Begin("ite");
            Member("if", expression, true);
            writer.WriteNumber("then", 1);
            writer.WriteNumber("else", 0);
        }
        writer.WriteEndObject();
    }

    private void Begin(string op)
    {
        writer.WriteStartObject();
        writer.WriteString("op", op);
    }

    private void Member(string name, Expression expression, bool truth)
    {
        writer.WritePropertyName(name);
        Write(expression, truth);
    }

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
