using System.Text.Json;
using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Exchange;

/// <summary>
/// Writes properties in JANI. A network leaves nothing open, so the largest probability is the only one.
/// </summary>
internal static class JaniPropertyWriter
{
    public static void Write(Utf8JsonWriter writer, JaniExpressionWriter expressions, NetworkProperty property)
    {
        writer.WriteStartObject();
        writer.WriteString("name", property.Name);
        writer.WriteStartObject("expression");
        writer.WriteString("op", "filter");
        writer.WriteString("fun", "max");
        writer.WriteStartObject("states");
        writer.WriteString("op", "initial");
        writer.WriteEndObject();
        writer.WriteStartObject("values");
        if (property is NetworkProperty.Probability probability)
        {
            writer.WriteString("op", "Pmax");
            writer.WritePropertyName("exp");
            Write(writer, expressions, probability.Formula);
        }
        else if (property is NetworkProperty.Expectation expectation)
        {
            writer.WriteString("op", "Emax");
            Member(writer, expressions, "exp", expectation.Quantity, false);
            if (expectation.Accumulate)
            {
                writer.WriteStartArray("accumulate");
                writer.WriteStringValue("time");
                writer.WriteEndArray();
            }
            if (expectation.Reach is not null)
                Member(writer, expressions, "reach", expectation.Reach, true);
            if (expectation.Time is { } time)
                writer.WriteNumber("time-instant", time);
        }
        writer.WriteEndObject();
        writer.WriteEndObject();
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, JaniExpressionWriter expressions, PathFormula formula)
    {
        writer.WriteStartObject();
        switch (formula)
        {
            case PathFormula.Eventually eventually:
                writer.WriteString("op", "F");
                Member(writer, expressions, "exp", eventually.Goal, true);
                break;
            case PathFormula.Always always:
                writer.WriteString("op", "G");
                Member(writer, expressions, "exp", always.Condition, true);
                break;
            case PathFormula.Until until:
                writer.WriteString("op", "U");
                Member(writer, expressions, "left", until.Condition, true);
                Member(writer, expressions, "right", until.Goal, true);
                break;
            default:
                break;
        }
        WriteBound(writer, formula.Bound);
        writer.WriteEndObject();
    }

    private static void WriteBound(Utf8JsonWriter writer, TimeBound bound)
    {
        if (bound == TimeBound.Any)
            return;
        writer.WriteStartObject("time-bounds");
        if (bound.Lower > 0 || bound.LowerOpen)
            writer.WriteNumber("lower", bound.Lower);
        if (bound.LowerOpen)
            writer.WriteBoolean("lower-exclusive", true);
        if (double.IsFinite(bound.Upper))
            writer.WriteNumber("upper", bound.Upper);
        if (bound.UpperOpen && double.IsFinite(bound.Upper))
            writer.WriteBoolean("upper-exclusive", true);
        writer.WriteEndObject();
    }

    private static void Member(
        Utf8JsonWriter writer,
        JaniExpressionWriter expressions,
        string name,
        Expression expression,
        bool truth
    )
    {
        writer.WritePropertyName(name);
        expressions.Write(expression, truth);
    }
}
