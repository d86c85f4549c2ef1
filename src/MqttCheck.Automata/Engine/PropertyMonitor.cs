using MqttCheck.Automata.Networks;
using MqttCheck.Protocol;

namespace MqttCheck.Automata.Engine;

/// <summary>
/// Decides a property on single runs of a network. Between two steps the variables do not change, so a run is a row of
/// stays; a condition that holds only between two simultaneous steps holds at that time. Not thread-safe.
/// </summary>
internal sealed class PropertyMonitor
{
    private readonly Func<NetworkRun, double> _condition,
        _goal;
    private readonly NetworkProperty _property;
    private readonly NetworkRun _run;

    /// <summary>A monitor of a property.</summary>
    /// <param name="simulator">The network.</param>
    /// <param name="property">The property.</param>
    /// <exception cref="InputException">
    /// The property names what the network does not have, or reads a clock.
    /// </exception>
    public PropertyMonitor(NetworkSimulator simulator, NetworkProperty property)
    {
        _property = property;
        (_condition, _goal) = property switch
        {
            NetworkProperty.Probability { Formula: PathFormula.Until until } => (
                Compile(until.Condition),
                Compile(until.Goal)
            ),
            NetworkProperty.Probability { Formula: PathFormula.Eventually eventually } => (
                Compile(true),
                Compile(eventually.Goal)
            ),
            // G p is: never a time at which p does not hold.
            NetworkProperty.Probability { Formula: PathFormula.Always always } => (
                Compile(true),
                Compile(!always.Condition)
            ),
            NetworkProperty.Expectation expectation => (
                Compile(expectation.Quantity),
                Compile(expectation.Reach ?? false)
            ),
            _ => throw new ArgumentException("not a property of this library", nameof(property)),
        };
        _run = simulator.Start(0);

        Func<NetworkRun, double> Compile(Expression expression)
        {
            if (simulator.ReadsClock(expression))
                throw new InputException(
                    $"property {property.Name}: {expression} reads a clock; allowed: conditions without clocks"
                );
            return simulator.Compile(expression, $"property {property.Name}");
        }
    }

    /// <summary>
    /// The shared variables that a property reads: those whose values between simultaneous steps matter.
    /// </summary>
    /// <param name="property">The property.</param>
    /// <param name="network">The network.</param>
    public static ValueList<string> Reads(NetworkProperty property, AutomataNetwork network)
    {
        var shared = network.Variables.Select(variable => variable.Name).ToHashSet(StringComparer.Ordinal);
        return [.. Expressions(property).SelectMany(ExpressionText.Names).Distinct().Where(shared.Contains)];
    }

    /// <summary>The conditions and quantities of a property.</summary>
    internal static IReadOnlyList<Expression> Expressions(NetworkProperty property) =>
        property switch
        {
            NetworkProperty.Probability { Formula: PathFormula.Until until } => [until.Condition, until.Goal],
            NetworkProperty.Probability { Formula: PathFormula.Eventually eventually } => [eventually.Goal],
            NetworkProperty.Probability { Formula: PathFormula.Always always } => [always.Condition],
            NetworkProperty.Expectation { Reach: { } reach } expectation => [expectation.Quantity, reach],
            NetworkProperty.Expectation expectation => [expectation.Quantity],
            _ => [],
        };

    /// <summary>Simulates one replication as far as needed.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="replication">Number of the replication.</param>
    /// <returns>For a probability 1 or 0, for an expectation the quantity; NaN if its condition never holds.</returns>
    /// <exception cref="InputException">
    /// The run makes no sense or does not end within the bounds of the simulator.
    /// </exception>
    public double Replicate(ulong seed, ulong replication)
    {
        _run.Restart(seed, replication);
        return _property switch
        {
            NetworkProperty.Probability { Formula: PathFormula.Always always } => 1 - Reached(always.Bound),
            NetworkProperty.Probability probability => Reached(probability.Formula.Bound),
            NetworkProperty.Expectation expectation => Quantity(expectation),
            _ => double.NaN,
        };
    }

    // Whether the goal is met in the interval, and the condition holds until then.
    private double Reached(TimeBound bound)
    {
        while (true)
        {
            var now = _run.Now;
            if (bound.IsOverAt(now))
                return 0;
            var until = _run.NextTime;
            var holds = _condition(_run) != 0;
            if (_goal(_run) != 0)
            {
                // If the interval of the bound begins later in this stay, the condition has to hold until it begins.
                if (bound.Meets(now, now) || (holds && bound.Meets(now, until)))
                    return 1;
            }
            if (!holds || !_run.Step())
                return 0;
        }
    }

    private double Quantity(NetworkProperty.Expectation expectation)
    {
        var integral = 0.0;
        var end = expectation.Time ?? double.PositiveInfinity;
        while (true)
        {
            if (_goal(_run) != 0)
                return expectation.Accumulate ? integral : _condition(_run);
            var (now, next) = (_run.Now, _run.NextTime);
            var value = _condition(_run);
            // The value at a time is the one after all steps of that time.
            if (next > end)
                return expectation.Accumulate ? integral + value * (end - now) : value;
            if (!_run.Step())
                return double.NaN;
            integral += value * (next - now);
        }
    }
}
