using System.Diagnostics;
using System.Globalization;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Automata.Networks;

/// <summary>
/// An expression over the variables and clocks of a network: an immutable tree. Every value is a number; truth values
/// are 1 and 0. Expressions are built with C# operators (<c>x + 1</c>, <c>x >= y</c>, <c>p &amp; q</c>, <c>!p</c>) and
/// the functions below, and print in the usual notation.
/// </summary>
public abstract record Expression
{
    private Expression() { }

    /// <summary>A constant.</summary>
    /// <param name="Value">Its value.</param>
    internal sealed record Number(double Value) : Expression
    {
        /// <inheritdoc/>
        public override string ToString() => Value.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>The value of a variable, or the time since a clock was last set to 0.</summary>
    /// <param name="Name">A name of the automaton's own or a shared one; own names hide shared ones.</param>
    internal sealed record Variable(string Name) : Expression
    {
        /// <inheritdoc/>
        public override string ToString() => Name;
    }

    /// <summary>An element of an array.</summary>
    /// <param name="Array">Name of the array.</param>
    /// <param name="Index">An integer from 0.</param>
    internal sealed record Element(string Array, Expression Index) : Expression
    {
        /// <inheritdoc/>
        public override string ToString() => $"{Array}[{Index}]";
    }

    /// <summary>An operator with one operand.</summary>
    /// <param name="Operator">The operator.</param>
    /// <param name="Operand">The operand.</param>
    internal sealed record Unary(UnaryOperator Operator, Expression Operand) : Expression
    {
        /// <inheritdoc/>
        public override string ToString() =>
            Operator switch
            {
                UnaryOperator.Not => $"!{Operand}",
                UnaryOperator.Absolute => $"abs({Operand})",
                UnaryOperator.Ceiling => $"ceil({Operand})",
                UnaryOperator.Floor => $"floor({Operand})",
                _ => throw new UnreachableException(),
            };
    }

    /// <summary>An operator with two operands.</summary>
    /// <param name="Operator">The operator.</param>
    /// <param name="Left">The left operand.</param>
    /// <param name="Right">The right operand.</param>
    internal sealed record Binary(BinaryOperator Operator, Expression Left, Expression Right) : Expression
    {
        /// <inheritdoc/>
        public override string ToString() =>
            Operator is BinaryOperator.Minimum or BinaryOperator.Maximum or BinaryOperator.Logarithm
                ? $"{ExpressionText.Symbol(Operator)}({Left}, {Right})"
                : $"({Left} {ExpressionText.Symbol(Operator)} {Right})";
    }

    /// <summary>One of two expressions; the other one is not looked at.</summary>
    /// <param name="Condition">Which.</param>
    /// <param name="Then">The value if the condition is true.</param>
    /// <param name="Otherwise">The value if not.</param>
    internal sealed record Conditional(Expression Condition, Expression Then, Expression Otherwise) : Expression
    {
        /// <inheritdoc/>
        public override string ToString() => $"({Condition} ? {Then} : {Otherwise})";
    }

    /// <summary>A random number. Allowed in assignments only, and not inside the parameters of another one.</summary>
    /// <param name="Distribution">The distribution.</param>
    /// <param name="Parameters">Its parameters.</param>
    internal sealed record Sample(Distribution Distribution, ValueList<Expression> Parameters) : Expression
    {
        /// <inheritdoc/>
        public override string ToString() => $"{Distribution}({string.Join(", ", Parameters)})";
    }

    /// <summary>
    /// A random number from a law without parameters that are expressions. Allowed in assignments only.
    /// </summary>
    /// <param name="Law">The law.</param>
    internal sealed record LawSample(Law Law) : Expression
    {
        /// <inheritdoc/>
        public override string ToString() => $"draw({Law})";
    }

    /// <summary>A constant.</summary>
    /// <param name="value">Its value.</param>
    public static implicit operator Expression(double value) => new Number(value);

    /// <summary>A truth value.</summary>
    /// <param name="value">Its value.</param>
    public static implicit operator Expression(bool value) => new Number(value ? 1 : 0);

    /// <summary>The variable or clock of a name.</summary>
    /// <param name="name">The name.</param>
    public static Expression Of(string name) => new Variable(name);

    /// <summary>An element of an array.</summary>
    /// <param name="array">Name of the array.</param>
    /// <param name="index">An integer from 0.</param>
    public static Expression At(string array, Expression index) => new Element(array, index);

    /// <summary>A random number.</summary>
    /// <param name="distribution">The distribution.</param>
    /// <param name="parameters">Its parameters.</param>
    public static Expression Draw(Distribution distribution, params Expression[] parameters) =>
        new Sample(distribution, new(parameters));

    /// <summary>A random number from a law.</summary>
    /// <param name="law">The law.</param>
    public static Expression Draw(Law law) => new LawSample(law);

    /// <summary>The smaller of two.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    public static Expression Min(Expression left, Expression right) => new Binary(BinaryOperator.Minimum, left, right);

    /// <summary>The greater of two.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other.</param>
    public static Expression Max(Expression left, Expression right) => new Binary(BinaryOperator.Maximum, left, right);

    /// <summary>One of two.</summary>
    /// <param name="condition">Which.</param>
    /// <param name="then">The value if the condition is true.</param>
    /// <param name="otherwise">The value if not.</param>
    public static Expression If(Expression condition, Expression then, Expression otherwise) =>
        new Conditional(condition, then, otherwise);

    /// <summary>Whether this equals another expression's value.</summary>
    /// <param name="other">The other one.</param>
    public Expression Is(Expression other) => new Binary(BinaryOperator.Equal, this, other);

    /// <summary>Whether this differs from another expression's value.</summary>
    /// <param name="other">The other one.</param>
    public Expression IsNot(Expression other) => new Binary(BinaryOperator.NotEqual, this, other);

    /// <summary>Sum.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator +(Expression left, Expression right) =>
        new Binary(BinaryOperator.Add, left, right);

    /// <summary>Difference.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator -(Expression left, Expression right) =>
        new Binary(BinaryOperator.Subtract, left, right);

    /// <summary>Product.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator *(Expression left, Expression right) =>
        new Binary(BinaryOperator.Multiply, left, right);

    /// <summary>Quotient of reals.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator /(Expression left, Expression right) =>
        new Binary(BinaryOperator.Divide, left, right);

    /// <summary>Remainder.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator %(Expression left, Expression right) =>
        new Binary(BinaryOperator.Modulo, left, right);

    /// <summary>Less than.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator <(Expression left, Expression right) =>
        new Binary(BinaryOperator.Less, left, right);

    /// <summary>Greater than.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator >(Expression left, Expression right) =>
        new Binary(BinaryOperator.Greater, left, right);

    /// <summary>Less than or equal.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator <=(Expression left, Expression right) =>
        new Binary(BinaryOperator.LessOrEqual, left, right);

    /// <summary>Greater than or equal.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator >=(Expression left, Expression right) =>
        new Binary(BinaryOperator.GreaterOrEqual, left, right);

    /// <summary>Both.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator &(Expression left, Expression right) =>
        new Binary(BinaryOperator.And, left, right);

    /// <summary>One or both.</summary>
    /// <param name="left">Left operand.</param>
    /// <param name="right">Right operand.</param>
    public static Expression operator |(Expression left, Expression right) =>
        new Binary(BinaryOperator.Or, left, right);

    /// <summary>Not.</summary>
    /// <param name="operand">The operand.</param>
    public static Expression operator !(Expression operand) => new Unary(UnaryOperator.Not, operand);
}
