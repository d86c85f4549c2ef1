namespace MqttCheck.Automata;

/// <summary>An operation on two numbers, a type of its own so that code is compiled for it.</summary>
internal interface IOperation
{
    static abstract double Apply(double left, double right);
}

/// <summary>The operations of the operators that look at both operands. Comparisons give 1 or 0.</summary>
internal static class Operations
{
    /// <summary>The node of an operator.</summary>
    public static NetworkNode Node(BinaryOperator op, NetworkNode left, NetworkNode right) => op switch
    {
        BinaryOperator.Add => new NetworkNode.Binary<Add>(left, right),
        BinaryOperator.Subtract => new NetworkNode.Binary<Subtract>(left, right),
        BinaryOperator.Multiply => new NetworkNode.Binary<Multiply>(left, right),
        BinaryOperator.Divide => new NetworkNode.Binary<Divide>(left, right),
        BinaryOperator.Modulo => new NetworkNode.Binary<Modulo>(left, right),
        BinaryOperator.Power => new NetworkNode.Binary<Power>(left, right),
        BinaryOperator.Logarithm => new NetworkNode.Binary<Logarithm>(left, right),
        BinaryOperator.Minimum => new NetworkNode.Binary<Minimum>(left, right),
        BinaryOperator.Maximum => new NetworkNode.Binary<Maximum>(left, right),
        BinaryOperator.Less => new NetworkNode.Binary<Less>(left, right),
        BinaryOperator.LessOrEqual => new NetworkNode.Binary<LessOrEqual>(left, right),
        BinaryOperator.Greater => new NetworkNode.Binary<Greater>(left, right),
        BinaryOperator.GreaterOrEqual => new NetworkNode.Binary<GreaterOrEqual>(left, right),
        BinaryOperator.Equal => new NetworkNode.Binary<Equal>(left, right),
        BinaryOperator.NotEqual => new NetworkNode.Binary<NotEqual>(left, right),
        _ => new NetworkNode.Logic(op, left, right),
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
