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
    private static readonly Dictionary<BinaryOperator, Func<NetworkNode, NetworkNode, NetworkNode>> s_numeric = new()
    {
        [BinaryOperator.Add] = Of<Add>,
        [BinaryOperator.Subtract] = Of<Subtract>,
        [BinaryOperator.Multiply] = Of<Multiply>,
        [BinaryOperator.Divide] = Of<Divide>,
        [BinaryOperator.Modulo] = Of<Modulo>,
        [BinaryOperator.Power] = Of<Power>,
        [BinaryOperator.Logarithm] = Of<Logarithm>,
        [BinaryOperator.Minimum] = Of<Minimum>,
        [BinaryOperator.Maximum] = Of<Maximum>,
        [BinaryOperator.Less] = Of<Less>,
        [BinaryOperator.LessOrEqual] = Of<LessOrEqual>,
        [BinaryOperator.Greater] = Of<Greater>,
        [BinaryOperator.GreaterOrEqual] = Of<GreaterOrEqual>,
        [BinaryOperator.Equal] = Of<Equal>,
        [BinaryOperator.NotEqual] = Of<NotEqual>,
    };

    /// <summary>The node of an operator.</summary>
    public static NetworkNode Node(BinaryOperator op, NetworkNode left, NetworkNode right) =>
        s_numeric.TryGetValue(op, out var node) ? node(left, right) : new NetworkNode.Logic(op, left, right);

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
