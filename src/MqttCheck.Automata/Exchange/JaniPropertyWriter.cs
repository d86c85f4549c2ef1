using System.Text.Json.Nodes;
using MqttCheck.Automata.Networks;
using MqttCheck.Json;

namespace MqttCheck.Automata.Exchange;

/// <summary>
/// Properties in JANI. A network leaves nothing open, so the largest probability is the only one.
/// </summary>
internal static class JaniPropertyWriter
{
    public static JsonObject Node(JaniExpressionWriter expressions, NetworkProperty property) =>
        JsonNodes.Object(
            ("name", property.Name),
            (
                "expression",
                JsonNodes.Object(
                    ("op", "filter"),
                    ("fun", "max"),
                    ("states", JsonNodes.Object(("op", "initial"))),
                    ("values", Values(expressions, property))
                )
            )
        );

    private static JsonObject Values(JaniExpressionWriter expressions, NetworkProperty property) =>
        property switch
        {
            NetworkProperty.Probability probability => JsonNodes.Object(
                ("op", "Pmax"),
                ("exp", Formula(expressions, probability.Formula))
            ),
            NetworkProperty.Expectation expectation => JsonNodes.Object(
                ("op", "Emax"),
                ("exp", expressions.Node(expectation.Quantity, false)),
                ("accumulate", expectation.Accumulate ? JsonNodes.List(["time"]) : null),
                ("reach", expectation.Reach is null ? null : expressions.Node(expectation.Reach, true)),
                ("time-instant", expectation.Time)
            ),
            _ => throw new ArgumentException("not a property of this library", nameof(property)),
        };

    private static JsonObject Formula(JaniExpressionWriter expressions, PathFormula formula)
    {
        var bound = Bound(formula.Bound);
        return formula switch
        {
            PathFormula.Eventually eventually => JsonNodes.Object(
                ("op", "F"),
                ("exp", expressions.Node(eventually.Goal, true)),
                ("time-bounds", bound)
            ),
            PathFormula.Always always => JsonNodes.Object(
                ("op", "G"),
                ("exp", expressions.Node(always.Condition, true)),
                ("time-bounds", bound)
            ),
            PathFormula.Until until => JsonNodes.Object(
                ("op", "U"),
                ("left", expressions.Node(until.Condition, true)),
                ("right", expressions.Node(until.Goal, true)),
                ("time-bounds", bound)
            ),
            _ => throw new ArgumentException("not a formula of this library", nameof(formula)),
        };
    }

    private static JsonObject? Bound(TimeBound bound)
    {
        if (bound == TimeBound.Any)
            return null;
        var isBounded = double.IsFinite(bound.Upper);
        return JsonNodes.Object(
            ("lower", bound.Lower > 0 || bound.LowerOpen ? bound.Lower : null),
            ("lower-exclusive", bound.LowerOpen ? true : null),
            ("upper", isBounded ? bound.Upper : null),
            ("upper-exclusive", isBounded && bound.UpperOpen ? true : null)
        );
    }
}
