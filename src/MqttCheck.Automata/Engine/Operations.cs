using System.Diagnostics;
using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Engine;

/// <summary>An operation on two numbers, a type of its own so that code is compiled for it.</summary>
internal interface IOperation
{
    static abstract double Apply(double left, double right);
}

/// <summary>The operations of the operators that look at both operands. Comparisons give 1 or 0.</summary>
internal static class Operations
{
    /// <summary>The node of an operator.</summary>
    public static NetworkNode Node(BinaryOperator op, NetworkNode left, NetworkNode right) =>
        op switch
        {
            BinaryOperator.Add => Of<Add>(left, right),
            BinaryOperator.Subtract => Of<Subtract>(left, right),
            BinaryOperator.Multiply => Of<Multiply>(left, right),
            BinaryOperator.Divide => Of<Divide>(left, right),
            BinaryOperator.Modulo => Of<Modulo>(left, right),
            BinaryOperator.Power => Of<Power>(left, right),
            BinaryOperator.Logarithm => Of<Logarithm>(left, right),
            BinaryOperator.Minimum => Of<Minimum>(left, right),
            BinaryOperator.Maximum => Of<Maximum>(left, right),
            BinaryOperator.Less => Of<Less>(left, right),
            BinaryOperator.LessOrEqual => Of<LessOrEqual>(left, right),
            BinaryOperator.Greater => Of<Greater>(left, right),
            BinaryOperator.GreaterOrEqual => Of<GreaterOrEqual>(left, right),
            BinaryOperator.Equal => Of<Equal>(left, right),
            BinaryOperator.NotEqual => Of<NotEqual>(left, right),
            BinaryOperator.And or BinaryOperator.Or or BinaryOperator.Implies => new NetworkNode.Logic(op, left, right),
            _ => throw new UnreachableException(),
        };

    private static NetworkNode Of<TOperation>(NetworkNode left, NetworkNode right)
        where TOperation : struct, IOperation =>
        (left, right.ConstantValue) switch
        {
            (NetworkNode.ReadOwn own, { } constant) => new NetworkNode.OwnWithConstant<TOperation>(own.Place, constant),
            (_, { } constant) => new NetworkNode.WithConstant<TOperation>(left, constant),
            _ => new NetworkNode.Binary<TOperation>(left, right),
        };

    private readonly struct Add : IOperation
    {
        public static double Apply(double left, double right) => left + right;
    }

    private readonly struct Subtract : IOperation
    {
        public static double Apply(double left, double right) => left - right;
    }

    private readonly struct Multiply : IOperation
    {
        public static double Apply(double left, double right) => left * right;
    }

    private readonly struct Divide : IOperation
    {
        public static double Apply(double left, double right) => left / right;
    }

    private readonly struct Modulo : IOperation
    {
        public static double Apply(double left, double right) => left - right * Math.Floor(left / right);
    }

    private readonly struct Power : IOperation
    {
        public static double Apply(double left, double right) => Math.Pow(left, right);
    }

    private readonly struct Logarithm : IOperation
    {
        public static double Apply(double left, double right) => Math.Log(left) / Math.Log(right);
    }

    private readonly struct Minimum : IOperation
    {
        public static double Apply(double left, double right) => Math.Min(left, right);
    }

    private readonly struct Maximum : IOperation
    {
        public static double Apply(double left, double right) => Math.Max(left, right);
    }

    private readonly struct Less : IOperation
    {
        public static double Apply(double left, double right) => left < right ? 1 : 0;
    }

    private readonly struct LessOrEqual : IOperation
    {
        public static double Apply(double left, double right) => left <= right ? 1 : 0;
    }

    private readonly struct Greater : IOperation
    {
        public static double Apply(double left, double right) => left > right ? 1 : 0;
    }

    private readonly struct GreaterOrEqual : IOperation
    {
        public static double Apply(double left, double right) => left >= right ? 1 : 0;
    }

    private readonly struct Equal : IOperation
    {
        public static double Apply(double left, double right) => left == right ? 1 : 0;
    }

    private readonly struct NotEqual : IOperation
    {
        public static double Apply(double left, double right) => left != right ? 1 : 0;
    }
}
