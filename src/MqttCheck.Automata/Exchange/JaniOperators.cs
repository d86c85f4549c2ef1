using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Exchange;

/// <summary>The names of operators in JANI.</summary>
internal static class JaniOperators
{
    private static readonly (BinaryOperator Operator, string Name)[] s_binary =
    [
        (BinaryOperator.Add, "+"),
        (BinaryOperator.Subtract, "-"),
        (BinaryOperator.Multiply, "*"),
        (BinaryOperator.Divide, "/"),
        (BinaryOperator.Modulo, "%"),
        (BinaryOperator.Power, "pow"),
        (BinaryOperator.Logarithm, "log"),
        (BinaryOperator.Minimum, "min"),
        (BinaryOperator.Maximum, "max"),
        (BinaryOperator.Less, "<"),
        (BinaryOperator.LessOrEqual, "≤"),
        (BinaryOperator.Greater, ">"),
        (BinaryOperator.GreaterOrEqual, "≥"),
        (BinaryOperator.Equal, "="),
        (BinaryOperator.NotEqual, "≠"),
        (BinaryOperator.And, "∧"),
        (BinaryOperator.Or, "∨"),
        (BinaryOperator.Implies, "⇒"),
    ];

    private static readonly (UnaryOperator Operator, string Name)[] s_unary =
    [
        (UnaryOperator.Not, "¬"),
        (UnaryOperator.Floor, "floor"),
        (UnaryOperator.Ceiling, "ceil"),
        (UnaryOperator.Absolute, "abs"),
    ];

    /// <summary>All names, for messages.</summary>
    public static string All { get; } =
        string.Join(' ', s_binary.Select(pair => pair.Name).Concat(s_unary.Select(pair => pair.Name))) + " ite aa";

    public static string Name(BinaryOperator op) => s_binary.First(pair => pair.Operator == op).Name;

    public static string Name(UnaryOperator op) => s_unary.First(pair => pair.Operator == op).Name;

    public static bool TryBinary(string name, out BinaryOperator op) => Find(s_binary, name, out op);

    public static bool TryUnary(string name, out UnaryOperator op) => Find(s_unary, name, out op);

    private static bool Find<T>((T Operator, string Name)[] all, string name, out T op)
    {
        var index = Array.FindIndex(all, pair => pair.Name == name);
        op = all[Math.Max(0, index)].Operator;
        return index >= 0;
    }
}
