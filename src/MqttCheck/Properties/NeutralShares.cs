using MqttCheck.Statistics;

namespace MqttCheck.Properties;

/// <summary>
/// The probability that a property holds where it says something, from the traces of independent units. A trace about
/// which it says nothing counts as much as the probability itself, for neither side: the mean of holds + q nothing is q
/// or more just if the probability is. So the bounds of means in 0 .. 1 serve, although units have different numbers of
/// traces that say something.
/// </summary>
internal static class NeutralShares
{
    private const int Grid = 256,
        Bisections = 30;

    /// <summary>The mean of a unit when traces about which nothing is said count as a probability.</summary>
    /// <param name="values">1, 0, or NaN for nothing.</param>
    /// <param name="probability">The probability.</param>
    public static double Mean(ReadOnlySpan<double> values, double probability)
    {
        var sum = 0.0;
        foreach (var value in values)
            sum += double.IsNaN(value) ? probability : value;
        return sum / values.Length;
    }

    /// <summary>All probabilities that the units admit.</summary>
    /// <param name="units">The values of each unit, NaN for nothing.</param>
    /// <param name="bounds">The interval of a mean from sum and sum of squares of the units' means.</param>
    public static Interval Bounds(IReadOnlyList<double[]> units, Func<double, double, Interval> bounds)
    {
        (double Holds, double Nothing)[] shares =
        [
            .. units.Select(values =>
                (
                    values.Count(value => value == 1) / (double)values.Length,
                    values.Count(double.IsNaN) / (double)values.Length
                )
            ),
        ];
        if (shares.All(share => share.Nothing == 0))
            return At(0);
        double[] admitted = [.. Enumerable.Range(0, Grid + 1).Select(i => i / (double)Grid).Where(Admits)];
        var estimate = shares.Sum(share => share.Holds) / shares.Sum(share => 1 - share.Nothing);
        var (low, high) =
            admitted.Length == 0
                ? (estimate, estimate)
                : (Math.Min(admitted[0], estimate), Math.Max(admitted[^1], estimate));
        return new(Edge(low, Math.Max(0, low - 1.0 / Grid)), Edge(high, Math.Min(1, high + 1.0 / Grid)));

        Interval At(double probability)
        {
            double sum = 0,
                squares = 0;
            foreach (var (holds, nothing) in shares)
            {
                var mean = holds + probability * nothing;
                (sum, squares) = (sum + mean, squares + mean * mean);
            }
            return bounds(sum, squares);
        }

        bool Admits(double probability) => At(probability).Contains(probability);

        double Edge(double inside, double outside) =>
            Admits(outside) ? outside : Bisection.Narrow(inside, outside, Admits, _ => 0, Bisections).Fails;
    }
}
