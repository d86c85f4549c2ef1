using MqttCheck.Statistics;

namespace MqttCheck.Properties;

/// <summary>
/// Quantiles of values that come in independent units, with intervals by inverting bounds on the share of values up to
/// a point.
/// </summary>
internal static class QuantileBounds
{
    /// <summary>
    /// The quantile of all values, and where the true one lies when the units' shares have a mean with the given
    /// bounds.
    /// </summary>
    /// <param name="units">The values of each unit, without NaN; at least one value in all.</param>
    /// <param name="share">In (0, 1).</param>
    /// <param name="bounds">
    /// The interval of a probability from sum and sum of squares of the units' shares: values in 0 .. 1 with one term
    /// for each unit.
    /// </param>
    public static QuantileRow OfMeans(
        IReadOnlyList<double[]> units,
        double share,
        Func<double, double, Interval> bounds
    )
    {
        var sorted = units
            .SelectMany((values, unit) => values.Select(value => (Value: value, Unit: unit)))
            .OrderBy(entry => entry.Value)
            .ToArray();
        var inside = new int[units.Count];
        double sum = 0,
            squares = 0,
            lower = double.NaN,
            upper = 0;
        var upperIsOpen = bounds(0, 0).Lower <= share;
        if (bounds(0, 0).Upper >= share)
            lower = 0;
        var i = 0;
        while (i < sorted.Length)
        {
            var value = sorted[i].Value;
            // While the share below this value may still be at most the one asked for, the quantile may lie here.
            if (upperIsOpen)
                upper = value;
            for (; i < sorted.Length && sorted[i].Value == value; i++)
            {
                var unit = sorted[i].Unit;
                double size = units[unit].Length,
                    before = inside[unit] / size,
                    after = ++inside[unit] / size;
                sum += after - before;
                squares += after * after - before * before;
            }
            var here = bounds(sum, squares);
            if (double.IsNaN(lower) && here.Upper >= share)
                lower = value;
            upperIsOpen = here.Lower <= share;
            if (!upperIsOpen && !double.IsNaN(lower))
                break;
        }
        if (upperIsOpen)
            upper = double.PositiveInfinity;
        return new(share, Quantile(sorted, share), new(double.IsNaN(lower) ? sorted[^1].Value : lower, upper));
    }

    private static double Quantile((double Value, int Unit)[] sorted, double share) =>
        sorted[Math.Clamp((int)Math.Ceiling(share * sorted.Length - 1e-9), 1, sorted.Length) - 1].Value;
}
