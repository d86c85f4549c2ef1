using System.Diagnostics;
using System.Globalization;
using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Exchange;

/// <summary>Expressions in the notation of UPPAAL SMC, which knows integers and doubles apart.</summary>
/// <param name="declarations">The variables by name.</param>
/// <param name="where">The name of the place in messages.</param>
internal sealed class UppaalExpressions(IReadOnlyDictionary<string, VariableDeclaration> declarations, string where)
{
    private static readonly Dictionary<BinaryOperator, Func<string, string, string>> s_binary = new()
    {
        [BinaryOperator.Minimum] = (left, right) => $"fmin({left}, {right})",
        [BinaryOperator.Maximum] = (left, right) => $"fmax({left}, {right})",
        [BinaryOperator.Power] = (left, right) => $"pow({left}, {right})",
        [BinaryOperator.Logarithm] = (left, right) => $"(ln({left}) / ln({right}))",
        // A division of integers would drop the remainder; a remainder takes the sign of the divisor here.
        [BinaryOperator.Divide] = (left, right) => $"(1.0 * {left} / {right})",
        [BinaryOperator.Modulo] = (left, right) => $"fmod(fmod({left}, {right}) + {right}, {right})",
        [BinaryOperator.Implies] = (left, right) => $"(!({left}) || {right})",
    };

    // random(x) is uniform from 0 to x, x excluded.
    private static readonly Dictionary<Distribution, Func<string[], string>> s_samples = new()
    {
        [Distribution.Uniform] = p => $"({p[0]} + random({p[1]} - {p[0]}))",
        [Distribution.DiscreteUniform] = p => $"({p[0]} + fint(floor(random({p[1]} - {p[0]} + 1.0))))",
        [Distribution.Exponential] = p => $"(-ln(1.0 - random(1.0)) / {p[0]})",
        [Distribution.Normal] = p => $"random_normal({p[0]}, {p[1]})",
        [Distribution.LogNormal] = p => $"exp(random_normal({p[0]}, {p[1]}))",
        [Distribution.Erlang] = p => $"random_gamma({p[0]}, 1.0 / {p[1]})",
        [Distribution.Gamma] = p => $"random_gamma({p[0]}, 1.0 / {p[1]})",
        [Distribution.Weibull] = p => $"random_weibull({p[0]}, {p[1]})",
        [Distribution.Pareto] = p => $"({p[0]} * pow(1.0 - random(1.0), -1.0 / {p[1]}))",
        [Distribution.Bernoulli] = p => $"(random(1.0) < {p[0]} ? 1 : 0)",
    };

    /// <summary>An expression.</summary>
    /// <exception cref="InputException">UPPAAL has no such operator or distribution.</exception>
    public string Text(Expression expression) =>
        expression switch
        {
            Expression.Number number => UppaalWriter.Number(number.Value),
            Expression.Variable variable => UppaalWriter.Identifier(variable.Name),
            Expression.Element element => $"{UppaalWriter.Identifier(element.Array)}[{Text(element.Index)}]",
            Expression.Unary { Operator: UnaryOperator.Not } not => $"!({Text(not.Operand)})",
            Expression.Unary { Operator: UnaryOperator.Floor } floor => $"floor({Text(floor.Operand)})",
            Expression.Unary { Operator: UnaryOperator.Ceiling } ceiling => $"ceil({Text(ceiling.Operand)})",
            Expression.Unary magnitude => $"fabs({Text(magnitude.Operand)})",
            Expression.Binary binary => Text(binary),
            Expression.Conditional conditional =>
                $"({Text(conditional.Condition)} ? {Text(conditional.Then)} : {Text(conditional.Otherwise)})",
            Expression.Sample sample => Text(sample),
            _ => throw new InputException($"{where}: {expression} cannot be written for UPPAAL"),
        };

    /// <summary>The value that is assigned to a variable.</summary>
    public string Assigned(Expression value, VariableDeclaration variable) =>
        variable.Type switch
        {
            VariableType.Clock => "0",
            VariableType.Boolean when value is Expression.Number number => number.Value != 0 ? "true" : "false",
            VariableType.Integer when !IsInteger(value) => $"fint({Text(value)})",
            VariableType.Boolean or VariableType.Integer or VariableType.Real => Text(value),
            _ => throw new UnreachableException(),
        };

    // Whether UPPAAL computes the expression with integers.
    private bool IsInteger(Expression expression) =>
        expression switch
        {
            Expression.Number number => number.Value == Math.Floor(number.Value)
                && Math.Abs(number.Value) <= int.MaxValue,
            Expression.Variable variable => declarations.GetValueOrDefault(variable.Name)?.Type
                is VariableType.Integer
                    or VariableType.Boolean,
            Expression.Element element => declarations.GetValueOrDefault(element.Array)?.Type
                is VariableType.Integer
                    or VariableType.Boolean,
            Expression.Unary unary => unary.Operator == UnaryOperator.Not,
            Expression.Binary
            {
                Operator: BinaryOperator.Add
                    or BinaryOperator.Subtract
                    or BinaryOperator.Multiply
                    or BinaryOperator.Modulo
            } binary => IsInteger(binary.Left) && IsInteger(binary.Right),
            Expression.Binary { Operator: >= BinaryOperator.Less } => true,
            Expression.Conditional conditional => IsInteger(conditional.Then) && IsInteger(conditional.Otherwise),
            Expression.Sample sample => sample.Distribution is Distribution.DiscreteUniform or Distribution.Bernoulli,
            _ => false,
        };

    private string Text(Expression.Binary binary)
    {
        var (left, right) = (Text(binary.Left), Text(binary.Right));
        return binary.Operator == BinaryOperator.Modulo && IsInteger(binary)
                ? $"(({left} % {right} + {right}) % {right})"
            : s_binary.TryGetValue(binary.Operator, out var form) ? form(left, right)
            : $"({left} {ExpressionText.Symbol(binary.Operator)} {right})";
    }

    private string Text(Expression.Sample sample)
    {
        string[] p = [.. sample.Parameters.Select(Text)];
        return s_samples.TryGetValue(sample.Distribution, out var form)
            ? form(p)
            : throw new InputException(
                $"{where}: the distribution {sample.Distribution} "
                    + "cannot be written for UPPAAL; allowed: every other one"
            );
    }
}
