using System.Diagnostics;
using MqttCheck.Automata.Networks;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Automata.Engine;

/// <summary>
/// An expression, ready to be evaluated in a run: names are places, and every kind of node is a class with one virtual
/// call.
/// </summary>
internal abstract class NetworkNode
{
    public abstract double Evaluate(NetworkRun run);

    /// <summary>The value of a constant, null for anything else.</summary>
    public virtual double? ConstantValue => null;

    public sealed class Constant(double value) : NetworkNode
    {
        public override double? ConstantValue => value;

        public override double Evaluate(NetworkRun run) => value;
    }

    public sealed class Read(int place) : NetworkNode
    {
        public override double Evaluate(NetworkRun run) => run.Values[place];
    }

    public sealed class ReadClock(int place) : NetworkNode
    {
        public override double Evaluate(NetworkRun run) => run.Now - run.Values[place];
    }

    /// <summary>A variable of the automaton that the run looks at.</summary>
    public sealed class ReadOwn(int place) : NetworkNode
    {
        public int Place => place;

        public override double Evaluate(NetworkRun run) => run.Values[run.First + place];
    }

    public sealed class ReadOwnClock(int place) : NetworkNode
    {
        public override double Evaluate(NetworkRun run) => run.Now - run.Values[run.First + place];
    }

    public sealed class ReadElement(string name, int place, bool own, int length, NetworkNode index) : NetworkNode
    {
        public override double Evaluate(NetworkRun run) =>
            run.Values[(own ? run.First : 0) + place + Index(name, length, index.Evaluate(run))];

        public static int Index(string name, int length, double value) =>
            value >= 0 && value < length && value == Math.Floor(value)
                ? (int)value
                : throw new InputException(
                    FormattableString.Invariant(
                        $"index {value} of the array {name}; allowed: an integer, 0 .. {length - 1}"
                    )
                );
    }

    public sealed class Unary(UnaryOperator op, NetworkNode operand) : NetworkNode
    {
        public override double Evaluate(NetworkRun run)
        {
            var value = operand.Evaluate(run);
            return op switch
            {
                UnaryOperator.Not => value == 0 ? 1 : 0,
                UnaryOperator.Floor => Math.Floor(value),
                UnaryOperator.Ceiling => Math.Ceiling(value),
                UnaryOperator.Absolute => Math.Abs(value),
                _ => throw new UnreachableException(),
            };
        }
    }

    public sealed class SquareRoot(NetworkNode operand) : NetworkNode
    {
        public override double Evaluate(NetworkRun run) => Math.Sqrt(operand.Evaluate(run));
    }

    /// <summary>An operator that looks at both operands, compiled for each operator.</summary>
    public sealed class Binary<TOperation>(NetworkNode left, NetworkNode right) : NetworkNode
        where TOperation : struct, IOperation
    {
        public override double Evaluate(NetworkRun run) => TOperation.Apply(left.Evaluate(run), right.Evaluate(run));
    }

    /// <summary>An operator whose right operand is a constant.</summary>
    public sealed class WithConstant<TOperation>(NetworkNode left, double right) : NetworkNode
        where TOperation : struct, IOperation
    {
        public override double Evaluate(NetworkRun run) => TOperation.Apply(left.Evaluate(run), right);
    }

    /// <summary>
    /// An operator on a variable of the automaton that the run looks at and a constant: most guards, and most changes
    /// of a variable.
    /// </summary>
    public sealed class OwnWithConstant<TOperation>(int place, double right) : NetworkNode
        where TOperation : struct, IOperation
    {
        public override double Evaluate(NetworkRun run) => TOperation.Apply(run.Values[run.First + place], right);
    }

    public sealed class Logic(BinaryOperator op, NetworkNode left, NetworkNode right) : NetworkNode
    {
        public override double Evaluate(NetworkRun run)
        {
            var first = left.Evaluate(run) != 0;
            var holds = op switch
            {
                BinaryOperator.And => first && right.Evaluate(run) != 0,
                BinaryOperator.Or => first || right.Evaluate(run) != 0,
                BinaryOperator.Implies => !first || right.Evaluate(run) != 0,
                _ => throw new UnreachableException(),
            };
            return holds ? 1 : 0;
        }
    }

    public sealed class Conditional(NetworkNode condition, NetworkNode then, NetworkNode otherwise) : NetworkNode
    {
        public override double Evaluate(NetworkRun run) =>
            condition.Evaluate(run) != 0 ? then.Evaluate(run) : otherwise.Evaluate(run);
    }

    public sealed class DrawLaw(Law law) : NetworkNode
    {
        public override double Evaluate(NetworkRun run) => law.Draw(ref run.Stream);
    }

    /// <summary>A draw from an exponential law.</summary>
    private sealed class DrawExponential(NetworkNode rate) : NetworkNode
    {
        public override double Evaluate(NetworkRun run)
        {
            var value = rate.Evaluate(run);
            return value > 0 && double.IsFinite(value)
                ? -Math.Log(run.Stream.NextOpenDouble()) / value
                : DistributionSampling.Draw(Distribution.Exponential, [value], ref run.Stream);
        }
    }

    /// <summary>A draw of an integer between two constants.</summary>
    private sealed class DrawInteger(double smallest, int count) : NetworkNode
    {
        public override double Evaluate(NetworkRun run) => smallest + run.Stream.NextInt(count);
    }

    public sealed class Draw(Distribution distribution, NetworkNode[] parameters) : NetworkNode
    {
        private const int MostParameters = 3;

        private readonly Distribution _distribution = distribution;
        private readonly NetworkNode[] _parameters = parameters;

        /// <summary>The node of a draw: one of its own for the laws that most models consist of.</summary>
        public static NetworkNode Of(Distribution distribution, NetworkNode[] parameters) =>
            (distribution, parameters) switch
            {
                (Distribution.Exponential, [var rate]) => new DrawExponential(rate),
                (Distribution.DiscreteUniform, [{ ConstantValue: { } smallest }, { ConstantValue: { } largest }])
                    when smallest <= largest
                        && smallest == Math.Floor(smallest)
                        && largest == Math.Floor(largest)
                        && largest - smallest < int.MaxValue => new DrawInteger(
                    smallest,
                    (int)(largest - smallest) + 1
                ),
                _ => new Draw(distribution, parameters),
            };

        public override double Evaluate(NetworkRun run)
        {
            // A fixed size costs less than a variable one; another number of parameters is an error that the compiler
            // has noted.
            Span<double> values = stackalloc double[MostParameters];
            for (var i = 0; i < _parameters.Length; i++)
                values[i] = _parameters[i].Evaluate(run);
            return DistributionSampling.Draw(_distribution, values[.._parameters.Length], ref run.Stream);
        }
    }
}
