namespace MqttCheck;

/// <summary>Halves an interval between a number for which a condition holds and one for which it does not.</summary>
internal static class Bisection
{
    /// <summary>Both ends of the last interval.</summary>
    /// <param name="holds">An end for which the condition holds.</param>
    /// <param name="fails">The end for which it does not.</param>
    /// <param name="condition">The condition, which changes once in between.</param>
    /// <param name="width">How narrow the interval must be, from the end for which the condition holds.</param>
    /// <param name="steps">How many halves are taken at most.</param>
    public static (double Holds, double Fails) Narrow(
        double holds,
        double fails,
        Func<double, bool> condition,
        Func<double, double> width,
        int steps = int.MaxValue
    )
    {
        for (var step = 0; step < steps && Math.Abs(holds - fails) > width(holds); step++)
        {
            var middle = (holds + fails) / 2;
            if (condition(middle))
                holds = middle;
            else
                fails = middle;
        }
        return (holds, fails);
    }
}
