namespace MqttCheck.Statistics;

/// <summary>
/// Finds where a series of values changes its level while it grows, such as the results of a nightly comparison.
/// <see cref="ChangePoints"/> judges a whole series whose values depend on each other.
/// </summary>
/// <remarks>
/// Each value of the series has a number, from 1 on, and is looked at once: by one test of the stretch since the last
/// change that was found. The statistic is the largest standardized partial sum of deviations from the mean, so that a
/// change near an end shows too. Outlying values count less, as in <see cref="ChangePoints"/>. The statistic is
/// compared with its values in random permutations: where nothing changed, every order of the values is as likely as
/// any other, whatever their law.
/// <para>
/// Look n spends a share of the error that falls as n to the power of -1.5. All shares sum to
/// <see cref="FalseAlarmRate"/>, and the number of a value stays the same, so no share is ever spent twice. After a
/// change the shares go on. Which values a look uses must not depend on them: the latest of the stretch.
/// </para>
/// <para>
/// A share has at least <see cref="SmallestShare"/>, so that the work of a look is bounded. If it would be less, one
/// look follows several values, with the sum of their shares.
/// </para>
/// </remarks>
internal static class LevelChanges
{
    /// <summary>The largest probability that a series without a change is ever said to have one.</summary>
    public const double FalseAlarmRate = 0.05;

    /// <summary>
    /// The number of the first look. The rarest orders of n values are a clean step in the middle and its mirror image,
    /// 2 of n! / ((n / 2)!)^2. An earlier look would spend error where no order is rare enough.
    /// </summary>
    public const int FewestValues = 13;

    /// <summary>The largest number of values that a look uses, the latest ones.</summary>
    public const int MostValues = 200;

    /// <summary>The smallest error of a look.</summary>
    internal const double SmallestShare = 1e-6;

    // Permutations for each look: nearly so many of them as extreme as the series are no reason to doubt a change.
    private const int MostExtreme = 3;

    // A sum within so many of its standard deviations is not rare enough for any share; permutations would say so too.
    private const double Usual = 2.5;

    // Sums of the same values in another order.
    private const double Rounding = 1e-9;

    /// <summary>Finds the changes of a series, with a look after each of its values.</summary>
    /// <param name="values">The series from its first value on, in order of time, without NaN.</param>
    /// <returns>For each change the index of the first value of the new level, ascending.</returns>
    public static IReadOnlyList<int> Find(ReadOnlySpan<double> values)
    {
        var changes = new List<int>();
        var since = 0;
        for (var number = FewestValues; number <= values.Length; number++)
        {
            var first = Math.Max(since, number - MostValues);
            if (Look(values[first..number], number) is not { } change)
                continue;
            since = first + change;
            changes.Add(since);
        }
        return changes;
    }

    /// <summary>Looks at a value: whether the level has changed, now that it is known.</summary>
    /// <param name="stretch">
    /// The values since the last change that was found, in order of time, without NaN; the last one is that which is
    /// looked at. No more than the latest <see cref="MostValues"/> are used.
    /// </param>
    /// <param name="number">The number of that value in its series; a number must be looked at once only.</param>
    /// <returns>The index of the first value of the new level; null without a change.</returns>
    public static int? Look(ReadOnlySpan<double> stretch, int number)
    {
        var skipped = Math.Max(0, stretch.Length - MostValues);
        return Share(number) is > 0 and var error
            ? skipped + Change(stretch[skipped..], error, RandomStream.For((ulong)number))
            : null;
    }

    /// <summary>The error that a look spends; 0 where there is none.</summary>
    /// <param name="number">The number of the value that is looked at.</param>
    internal static double Share(int number)
    {
        if (number < FewestValues)
            return 0;
        var (before, after) = (Spent(number - 1), Spent(number));
        return after - before >= SmallestShare ? after - before
            // All that remains is less than one more share, so the sum stays below the whole.
            : Math.Floor(after / SmallestShare) > Math.Floor(before / SmallestShare) ? SmallestShare
            : 0;
    }

    private static double Spent(int number) => FalseAlarmRate * (1 - Math.Sqrt(FewestValues / (number + 1.0)));

    /// <summary>One test with a given error.</summary>
    internal static int? Change(ReadOnlySpan<double> values, double error, RandomStream random)
    {
        var deviations = ChangePoints.Winsorized(values);
        var mean = deviations.Average();
        for (var at = 0; at < deviations.Length; at++)
            deviations[at] -= mean;
        var scales = Scales(deviations);
        var (statistic, change) = Statistic(deviations, scales);
        if (statistic < Usual)
            return null;
        var permutations = (int)Math.Ceiling(MostExtreme / error);
        var allowed = error * (permutations + 1) - 1;
        for (int made = 0, asExtreme = 0; made < permutations; made++)
        {
            for (var last = deviations.Length - 1; last > 0; last--)
            {
                var other = random.NextInt(last + 1);
                (deviations[last], deviations[other]) = (deviations[other], deviations[last]);
            }
            if (Statistic(deviations, scales).Value >= statistic * (1 - Rounding) && ++asExtreme > allowed)
                return null;
        }
        return change;
    }

    // One over the standard deviation of the sum of the first so many values in a random order.
    private static double[] Scales(ReadOnlySpan<double> deviations)
    {
        var squares = 0.0;
        foreach (var deviation in deviations)
            squares += deviation * deviation;
        var count = deviations.Length;
        var scales = new double[count];
        for (var at = 1; at < count && squares > 0; at++)
            scales[at] = Math.Sqrt((double)count * (count - 1) / ((double)at * (count - at) * squares));
        return scales;
    }

    // The statistic of equal values is 0, in every permutation too.
    private static (double Value, int Change) Statistic(ReadOnlySpan<double> deviations, ReadOnlySpan<double> scales)
    {
        var (sum, largest, change) = (0.0, 0.0, 0);
        for (var at = 1; at < deviations.Length; at++)
        {
            sum += deviations[at - 1];
            var standardized = Math.Abs(sum) * scales[at];
            if (standardized > largest)
                (largest, change) = (standardized, at);
        }
        return (largest, change);
    }
}
