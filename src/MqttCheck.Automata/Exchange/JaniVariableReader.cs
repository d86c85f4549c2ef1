using System.Text.Json;
using MqttCheck.Automata.Networks;
using MqttCheck.Json;

namespace MqttCheck.Automata.Exchange;

/// <summary>Reads the variables of a JANI model or automaton.</summary>
internal static class JaniVariableReader
{
    private const string Types =
        "\"bool\", \"int\", \"real\", \"clock\", a bounded int or real, or an array of one of them";

    public static List<VariableDeclaration> Read(IReadOnlyList<JsonTree> items, JaniExpressionReader expressions) =>
        [.. items.Select(item => Read(item, expressions))];

    private static VariableDeclaration Read(JsonTree item, JaniExpressionReader expressions)
    {
        var findings = expressions.Findings;
        var reader = new JsonObjectReader(item, findings);
        var name = reader.Text("name", null);
        reader.Optional("comment");
        if (reader.Optional("transient") is { Type: not JsonTokenType.False } transient)
            findings.Add(transient, "transient variables are not supported; allowed: false");
        var type = reader.Required("type", Types);
        var initial = reader.Optional("initial-value");
        reader.End();
        var array = type?.Member("kind") is { Text: "array" };
        var variable =
            type is null ? new(name, VariableType.Real)
            : array ? ReadArray(type, name, expressions)
            : ReadBasic(type, name, expressions);
        if (initial is null)
        {
            findings.Add(
                item,
                $"the variable {name} has no initial value, so it may begin with any; allowed: an initial-value"
            );
            return variable;
        }
        if (!array)
            return variable with { InitialValue = expressions.ReadConstant(initial, $"the initial value of {name}") };
        var (length, value) = ReadArrayValue(initial, name, expressions);
        return variable with { InitialValue = value, Length = length };
    }

    private static VariableDeclaration ReadArray(JsonTree type, string name, JaniExpressionReader expressions)
    {
        var reader = JaniReader.Open(type, expressions.Findings, "kind");
        var basis = reader.Required("base", Types);
        reader.End();
        var variable = basis is null ? new(name, VariableType.Real) : ReadBasic(basis, name, expressions);
        if (variable.Type == VariableType.Clock)
            expressions.Findings.Add(type, "arrays of clocks are not supported; allowed: arrays of bool, int and real");
        return variable;
    }

    private static VariableDeclaration ReadBasic(JsonTree type, string name, JaniExpressionReader expressions)
    {
        var findings = expressions.Findings;
        if (type.Member("kind") is { Text: "bounded" })
        {
            var reader = JaniReader.Open(type, findings, "kind");
            var basis = reader.Text("base", null);
            var lower = reader.Optional("lower-bound");
            var upper = reader.Optional("upper-bound");
            reader.End();
            if (basis is not ("int" or "real"))
                findings.Add(type, $"the base of a bounded type is {basis}; allowed: int, real");
            return new(name, basis == "int" ? VariableType.Integer : VariableType.Real)
            {
                LowerBound = lower is null ? null : expressions.ReadConstant(lower, "the lower bound"),
                UpperBound = upper is null ? null : expressions.ReadConstant(upper, "the upper bound"),
            };
        }
        var known = type.Type == JsonTokenType.String ? NetworkText.TypeNamed(type.Text) : null;
        if (known is null)
            findings.Add(type, $"the type {type.Given} is not supported; allowed: {Types}");
        return new(name, known ?? VariableType.Real);
    }

    // Arrays begin with the same value everywhere.
    private static (int Length, double Value) ReadArrayValue(
        JsonTree initial,
        string name,
        JaniExpressionReader expressions
    )
    {
        var findings = expressions.Findings;
        var reader = new JsonObjectReader(initial, findings);
        switch (reader.Text("op", null))
        {
            case "ac":
                reader.Text("var", null);
                var length = reader.Required("length", "a constant") is { } given
                    ? expressions.ReadConstant(given, "the length")
                    : 1;
                var value = reader.Required("exp", "an expression") is { } expression
                    ? expressions.ReadConstant(expression, $"the initial value of {name}")
                    : 0;
                reader.End();
                if (length >= 1 && length == Math.Floor(length) && length <= 10_000_000)
                    return ((int)length, value);
                findings.Add(initial, $"the length is {length}; allowed: an integer, 1 .. 10000000");
                return (1, value);
            case "av":
                var values = reader
                    .Array("elements", "an array of constants")
                    .Select(element => expressions.ReadConstant(element, $"an element of {name}"))
                    .ToList();
                reader.End();
                if (values.Count == 0 || values.Distinct().Count() > 1)
                    findings.Add(
                        initial,
                        $"the elements of {name} begin with different values "
                            + $"or there are none; allowed: at least one, all alike"
                    );
                return (Math.Max(1, values.Count), values.FirstOrDefault());
            default:
                findings.Add(
                    initial,
                    $"the initial value of the array {name} is not supported; allowed: the operators ac and av"
                );
                return (1, 0);
        }
    }
}
