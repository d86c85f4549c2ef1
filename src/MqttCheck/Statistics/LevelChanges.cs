namespace MqttCheck.Statistics;

/// <summary>
/// Finds where a short series of independent values changes its level, such as the results of a nightly comparison.
/// <see cref="ChangePoints"/> judges long series whose values depend on each other.
/// </summary>
/// <remarks>
/// The statistic is the largest standardized partial sum of deviations from the mean, so that a change near an end
/// shows too. Outlying values count less, as in <see cref="ChangePoints"/>. The statistic is compared with its values
/// in random permutations: where nothing changed, every order of the values is as likely as any other, whatever their
/// law.
/// <para>
/// A series is looked at again after each value. Look n of a stretch may spend a share of the error that falls with
/// 1 / (n (n - 1)), and all shares sum to 1. So the error holds however long one goes on looking. A change begins a new
/// stretch.
/// </para>
/// </remarks>
public static class LevelChanges
{
    /// <summary>The largest probability that a series without a change is ever said to have one.</summary>
    public const double FalseAlarmRate = 0.05;

    /// <summary>
    /// Shorter stretches are not judged. The rarest orders of n values are a clean step in the middle and its mirror
    /// image, 2 of n! / ((n / 2)!)^2. A look at fewer values would spend error where no order is rare enough.
    /// </summary>
    public const int FewestValues = 11;

    // Permutations for each look: so many of them as extreme as the series are still no reason to doubt a change.
    private const int MostExtreme = 10;

    // Sums of the same values in another order.
    private const double Rounding = 1e-9;

    /// <summary>Finds the changes.</summary>
    /// <param name="values">The series in order of time, without NaN.</param>
    /// <returns>For each change the index of the first value of the new level, ascending.</returns>
    public static IReadOnlyList<int> Find(ReadOnlySpan<double> values)
    {
        var changes = new List<int>();
        var since = 0;
        for (var end = FewestValues; end <= values.Length; end++)
        {
            if (end - since < FewestValues)
                continue;
            if (Change(values[since..end]) is not { } change)
                continue;
            since += change;
            changes.Add(since);
        }
        return changes;
    }

    private static int? Change(ReadOnlySpan<double> values)
    {
        var deviations = ChangePoints.Winsorized(values);
        var mean = deviations.Average();
        for (var at = 0; at < deviations.Length; at++)
            deviations[at] -= mean;
        var (statistic, change) = Statistic(deviations);
        var error = FalseAlarmRate * (FewestValues - 1) / ((double)values.Length * (values.Length - 1));
        var permutations = (int)Math.Ceiling(MostExtreme / error);
        var allowed = error * (permutations + 1) - 1;
        // The same series is judged the same way each time.
        var random = RandomStream.For((ulong)values.Length);
        for (int made = 0, asExtreme = 0; made < permutations; made++)
        {
            for (var last = deviations.Length - 1; last > 0; last--)
            {
                var other = random.NextInt(last + 1);
                (deviations[last], deviations[other]) = (deviations[other], deviations[last]);
            }
            if (Statistic(deviations).Value >= statistic * (1 - Rounding) && ++asExtreme > allowed)
                return null;
        }
        return change;
    }

    // Where all values are equal it is 0, and so it is in every permutation.
    private static (double Value, int Change) Statistic(ReadOnlySpan<double> deviations)
    {
        var (sum, largest, change) = (0.0, 0.0, 0);
        for (var at = 1; at < deviations.Length; at++)
        {
            sum += deviations[at - 1];
            var standardized = Math.Abs(sum) / Math.Sqrt((double)at * (deviations.Length - at));
            if (standardized > largest)
                (largest, change) = (standardized, at);
        }
        return (largest, change);
    }
}
