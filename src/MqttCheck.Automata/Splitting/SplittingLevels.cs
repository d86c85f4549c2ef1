using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Splitting;

/// <summary>Level functions for splitting.</summary>
internal static class SplittingLevels
{
    /// <summary>
    /// How near a state is to a goal, from 0 at the start to 1 where it holds: a comparison of a quantity with a
    /// threshold (a latency, a queue's length) counts by how much of the way from its first value to the threshold the
    /// quantity has gone; of a conjunction the mean counts, of a disjunction the largest; anything else counts 1 when
    /// it holds.
    /// </summary>
    /// <param name="simulator">The network.</param>
    /// <param name="goal">A condition over shared variables.</param>
    public static Expression Derive(NetworkSimulator simulator, Expression goal)
    {
        var start = simulator.Start(0);
        return Progress(goal);

        Expression Progress(Expression expression) =>
            expression switch
            {
                Binary { Operator: BinaryOperator.And } and => (Progress(and.Left) + Progress(and.Right)) / 2,
                Binary { Operator: BinaryOperator.Or } or => Max(Progress(or.Left), Progress(or.Right)),
                Binary
                {
                    Operator: BinaryOperator.GreaterOrEqual
                        or BinaryOperator.Greater
                        or BinaryOperator.LessOrEqual
                        or BinaryOperator.Less
                        or BinaryOperator.Equal
                } comparison
                    when Start(comparison.Left) - Start(comparison.Right) is var distance and not 0
                        && double.IsFinite(distance) => Max(
                    0,
                    Min(1, 1 - (comparison.Left - comparison.Right) / distance)
                ),
                _ => If(expression, 1, 0),
            };

        double Start(Expression expression) => simulator.Compile(expression, "goal")(start);
    }
}
