using System.Text.Json;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using MqttCheck.Json;

namespace MqttCheck.Automata.Exchange;

/// <summary>
/// Reads expressions of JANI. Constants become numbers; what is not understood is noted by name, with its place.
/// </summary>
/// <param name="findings">The collector of findings.</param>
/// <param name="constants">The values of the constants known so far.</param>
internal sealed class JaniExpressionReader(JsonFindings findings, IReadOnlyDictionary<string, double> constants)
{
    /// <summary>The collector of the reader's findings.</summary>
    public JsonFindings Findings => findings;

    /// <summary>The same reader with findings of its own.</summary>
    public JaniExpressionReader With(JsonFindings other) => new(other, constants);

    /// <summary>Reads an expression; a stand-in after a finding.</summary>
    public Expression Read(JsonTree tree)
    {
        switch (tree.Type)
        {
            case JsonTokenType.Number:
                return tree.Number;
            case JsonTokenType.True or JsonTokenType.False:
                return tree.Type == JsonTokenType.True;
            case JsonTokenType.String:
                return constants.TryGetValue(tree.Text, out var constant) ? constant : Expression.Of(tree.Text);
            case JsonTokenType.StartObject when tree.Member("op") is { } op:
                return ReadOperation(tree, op);
            case JsonTokenType.StartObject when tree.Member("distribution") is { } distribution:
                return ReadDistribution(tree, distribution);
            case JsonTokenType.StartObject when tree.Member("constant") is { Text: "e" or "π" } named:
                return named.Text == "e" ? Math.E : Math.PI;
            default:
                findings.Add(tree, $"{tree.Given} given; allowed: an expression");
                return 0;
        }
    }

    /// <summary>Reads the expression of a key that must be there.</summary>
    public Expression Member(JsonObjectReader reader, string key) =>
        reader.Required(key, "an expression") is { } tree ? Read(tree) : 0;

    /// <summary>Reads an expression that has a constant value.</summary>
    /// <param name="tree">The expression.</param>
    /// <param name="what">The purpose of the expression, for messages.</param>
    public double ReadConstant(JsonTree tree, string what)
    {
        var expression = Read(tree);
        if (NetworkCompiler.ConstantOf(expression) is { } value && double.IsFinite(value))
            return value;
        findings.Add(tree, $"{what} is {expression}; allowed: a finite constant");
        return 0;
    }

    /// <summary>Reads an element of an array as its name and index.</summary>
    public (string Array, Expression Index) ReadElement(JsonTree tree)
    {
        var reader = JaniReader.Open(tree, findings, "op", "comment");
        var array = reader.Text("exp", null);
        var index = Member(reader, "index");
        reader.End();
        return (array, index);
    }

    private Expression ReadOperation(JsonTree tree, JsonTree op)
    {
        if (op.Text == "aa")
        {
            var (array, index) = ReadElement(tree);
            return Expression.At(array, index);
        }
        var reader = JaniReader.Open(tree, findings, "op", "comment");
        Expression result;
        if (JaniOperators.TryBinary(op.Text, out var binary))
            result = new Expression.Binary(binary, Member(reader, "left"), Member(reader, "right"));
        else if (JaniOperators.TryUnary(op.Text, out var unary))
            result = new Expression.Unary(unary, Member(reader, "exp"));
        else if (op.Text == "ite")
            result = Expression.If(Member(reader, "if"), Member(reader, "then"), Member(reader, "else"));
        else
        {
            findings.Add(op, $"the operator {op.Given} is not supported; allowed: {JaniOperators.All}");
            return 0;
        }
        reader.End();
        return result;
    }

    private Expression ReadDistribution(JsonTree tree, JsonTree distribution)
    {
        var reader = JaniReader.Open(tree, findings, "distribution", "comment");
        var folded = distribution.Text == "FoldedNormal";
        var arguments = reader.Array("args", "an array of expressions").Select(Read).ToList();
        reader.End();
        if (
            !Enum.TryParse<Distribution>(folded ? nameof(Distribution.Normal) : distribution.Text, out var known)
            || !Enum.IsDefined(known)
            || char.IsAsciiDigit(distribution.Text[0])
        )
        {
            findings.Add(
                distribution,
                $"the distribution {distribution.Given} is not supported; allowed: "
                    + $"{string.Join(", ", Enum.GetNames<Distribution>())}, FoldedNormal"
            );
            return 0;
        }
        Expression sample = new Expression.Sample(known, [.. arguments]);
        return folded ? new Expression.Unary(UnaryOperator.Absolute, sample) : sample;
    }
}
