namespace MqttCheck.Statistics;

/// <summary>
/// Finds where a series whose values depend on each other becomes stationary in its mean: the end of a warm-up.
/// </summary>
/// <remarks>
/// The test is the self-normalised CUSUM of Shao and Zhang ("Testing for change points in time series", JASA 105, 2010): the largest contrast between the means before and after a
/// point, divided by the spread of the recursive means on both sides. It needs no estimate of the long-run variance, so correlated values do not raise its false alarms. While it rejects, what
/// comes before the change is cut off and the rest is tested again, until a part passes or less than half of the series is left. For a stationary series all of this amounts to one test, so the
/// probability of a false alarm is <see cref="FalseAlarmRate"/>.
/// </remarks>
public static class ChangePoints
{
    /// <summary>The probability that a stationary series is said to have changed.</summary>
    public const double FalseAlarmRate = 0.01;

    /// <summary>Shorter series, or rests of a series, are not judged.</summary>
    public const int FewestValues = 16;

    // The 99 % quantile of the limit law, table 1 of the paper, dimension 1.
    private const double Critical = 68.6;
    private const double Rounding = 1e-24;

    /// <summary>Finds the stationary part at the end of a series.</summary>
    /// <param name="values">The series, without NaN; means of batches, so that it has some dozens of values.</param>
    public static Stationarity Find(ReadOnlySpan<double> values)
    {
        if (values.Length < FewestValues) return new(StationarityState.Unknown, 0);
        var since = 0;
        while (true)
        {
            var rest = values[since..];
            var (statistic, change) = Statistic(rest);
            if (statistic <= Critical) return new(StationarityState.Reached, since);
            since += change;
            if (2 * (values.Length - since) < values.Length || values.Length - since < FewestValues) return new(StationarityState.Never, 0);
        }
    }

    /// <summary>The self-normalised CUSUM.</summary>
    /// <param name="values">The series, at least two values.</param>
    /// <returns>Its largest value, and how many values lie before the point where it is reached.</returns>
    internal static (double Statistic, int Change) Statistic(ReadOnlySpan<double> values)
    {
        var n = values.Length;
        var mean = 0.0;
        foreach (var value in values) mean += value / n;
        var sums = new double[n + 1];
        for (var t = 1; t <= n; t++) sums[t] = sums[t - 1] + values[t - 1] - mean;

        var (best, change) = (0.0, 0);
        for (var k = 1; k < n; k++)
        {
            var contrast = sums[k] - (double)k / n * sums[n];
            var spread = Spread(sums, 0, k) + Spread(sums, k, n);
            // Two constant halves have no spread, and any contrast between them is a change; rounding is none.
            var statistic = contrast * contrast <= Rounding * n * n ? 0 : n * contrast * contrast / spread;
            if (statistic > best) (best, change) = (statistic, k);
        }
        return (best, change);
    }

    // The squared distances of the sums from the straight line between two of them. Seen from the back the distances are the same, so one formula serves both halves.
    private static double Spread(double[] sums, int from, int to)
    {
        var slope = (sums[to] - sums[from]) / (to - from);
        var sum = 0.0;
        for (var t = from + 1; t < to; t++)
        {
            var distance = sums[t] - sums[from] - (t - from) * slope;
            sum += distance * distance;
        }
        return sum;
    }
}
