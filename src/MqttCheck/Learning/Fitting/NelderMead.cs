namespace MqttCheck.Learning.Fitting;

/// <summary>
/// The simplex method of Nelder and Mead (1965), with a fixed budget of evaluations: the function may be noisy, so
/// convergence is not asked for.
/// </summary>
internal static class NelderMead
{
    /// <summary>Looks for a minimum.</summary>
    /// <param name="function">The function; an infinite value is avoided.</param>
    /// <param name="start">The starting point.</param>
    /// <param name="step">The size of the first simplex.</param>
    /// <param name="evaluations">How often the function may be called.</param>
    /// <returns>The best point found and its value.</returns>
    public static (double[] Point, double Value) Minimise(
        Func<double[], double> function,
        double[] start,
        double step,
        int evaluations
    )
    {
        var n = start.Length;
        var simplex = new (double[] Point, double Value)[n + 1];
        for (var i = 0; i <= n; i++)
        {
            var point = start.ToArray();
            if (i > 0)
                point[i - 1] += step;
            simplex[i] = (point, function(point));
        }
        for (var used = n + 1; used < evaluations; )
        {
            Array.Sort(simplex, (a, b) => a.Value.CompareTo(b.Value));
            var worst = simplex[n];
            var centre = CentreWithoutWorst(simplex);
            var reflected = At(1);
            if (reflected.Value < simplex[0].Value)
            {
                var expanded = At(2);
                simplex[n] = expanded.Value < reflected.Value ? expanded : reflected;
                continue;
            }
            if (reflected.Value < simplex[n - 1].Value)
            {
                simplex[n] = reflected;
                continue;
            }
            var contracted = At(reflected.Value < worst.Value ? 0.5 : -0.5);
            if (contracted.Value < Math.Min(worst.Value, reflected.Value))
            {
                simplex[n] = contracted;
                continue;
            }
            for (var i = 1; i <= n; i++)
            {
                var point = simplex[i].Point.Zip(simplex[0].Point, (a, b) => (a + b) / 2).ToArray();
                simplex[i] = (point, function(point));
                used++;
            }

            (double[] Point, double Value) At(double factor)
            {
                var point = new double[n];
                for (var k = 0; k < n; k++)
                    point[k] = centre[k] + factor * (centre[k] - worst.Point[k]);
                used++;
                return (point, function(point));
            }
        }
        return simplex.MinBy(corner => corner.Value);
    }

    private static double[] CentreWithoutWorst((double[] Point, double Value)[] sorted)
    {
        var n = sorted.Length - 1;
        var centre = new double[n];
        for (var i = 0; i < n; i++)
        {
            for (var k = 0; k < n; k++)
                centre[k] += sorted[i].Point[k] / n;
        }
        return centre;
    }
}
