using MathNet.Numerics.Statistics;

namespace MqttCheck.Statistics;

/// <summary>
/// Finds where a series whose values depend on each other becomes stationary in its mean: the end of a warm-up.
/// </summary>
/// <remarks>
/// The test is the CUSUM of a change in the mean (Csörgő and Horváth, "Limit Theorems in Change-Point Analysis",
/// 1997): the largest partial sum of deviations from the mean, over the square root of the number of values and their
/// long-run variance. That variance comes from the differences of neighbouring block means (von Neumann). A trend
/// inflates them little, and they take in the dependence within a block. The two largest are left out, since a sudden
/// change shows in no more. There are at least four values in a block and about 16 blocks.
/// <para>
/// A few late answers are no change, though each of them looks like one where it stands. So a value further from the
/// median than five standard deviations counts as one at that distance (winsorizing).
/// </para>
/// <para>
/// The critical value grows with the correlation of neighbouring values, if that is too strong for the blocks to
/// absorb. It is the correlation of the deviations from the means before and after the largest sum. So a change does
/// not pass for correlation.
/// </para>
/// <para>
/// While the test rejects, what comes before the change is cut off and the rest is tested again, until a part passes or
/// less than half of the series is left. For a stationary series all of this amounts to one test, so only the whole
/// series is tested with the larger value: a trend would pass for correlation in its parts.
/// </para>
/// </remarks>
internal static class ChangePoints
{
    /// <summary>
    /// The probability that a stationary series is said to have changed, for neighbouring values with a correlation of
    /// up to 0.8.
    /// </summary>
    public const double FalseAlarmRate = 0.01;

    /// <summary>Shorter series, or rests of a series, are not judged.</summary>
    public const int FewestValues = 32;

    private const int SmallestBlock = 4;
    private const int Blocks = 16;
    private const int FewestBlocks = FewestValues / SmallestBlock;
    private const int LeftOut = 2;

    // Half of a normal law lies beyond 0.6745 standard deviations.
    private const double Outlying = 5,
        NormalMedianDeviation = .6745;

    // The 99 % quantiles of the statistic for 8, 9 .. 16 blocks of four values of an autoregression of 0.5, from 40 000
    // simulated series each. For independent values they are a tenth to a fifth lower.
    private static readonly double[] s_critical = [5.0, 4.5, 4.1, 3.8, 3.6, 3.5, 3.35, 3.25, 3.2];

    // The critical value grows by this relative amount per unit of correlation, above a least correlation for blocks of
    // 4, 5 and more values. So 8 000 series each of 32 to 128 values and correlations of 0 to .8 gave false alarms in
    // at most .9 %. Without the growth there were 10 % at 64 values and .8.
    private const double Growth = 3.5;
    private static readonly double[] s_takenIn = [.3, .35, .45];

    // With few blocks the table of critical values holds only up to a correlation of .5.
    private const double FewerThanTwelveBlocks = 1.25,
        FewerThanSixteenBlocks = 1.15;

    /// <summary>Finds the stationary part at the end of a series.</summary>
    /// <param name="values">The series, without NaN; means of batches, so that it has some dozens of values.</param>
    public static Stationarity Find(ReadOnlySpan<double> values)
    {
        if (values.Length < FewestValues)
            return new(StationarityState.Unknown, 0);
        var since = 0;
        while (true)
        {
            var rest = Winsorized(values[since..]);
            var block = Math.Max(SmallestBlock, rest.Length / Blocks);
            var (statistic, change) = Statistic(rest, block);
            var critical = s_critical[Math.Min(rest.Length / block - FewestBlocks, s_critical.Length - 1)];
            if (statistic <= (since == 0 ? critical * Allowance(rest, block, change) : critical))
                return new(StationarityState.Reached, since);
            since += change;
            if (2 * (values.Length - since) < values.Length || values.Length - since < FewestValues)
                return new(StationarityState.Never, 0);
        }
    }

    /// <summary>The values, those far from the median moved nearer.</summary>
    internal static double[] Winsorized(ReadOnlySpan<double> values)
    {
        var kept = values.ToArray();
        var median = kept.Median();
        var furthest = Outlying * kept.Select(value => Math.Abs(value - median)).Median() / NormalMedianDeviation;
        // If more than half of the values are equal, the median deviation is 0 and gives no scale.
        for (var at = 0; furthest > 0 && at < kept.Length; at++)
            kept[at] = Math.Clamp(kept[at], median - furthest, median + furthest);
        return kept;
    }

    /// <summary>The CUSUM of a series.</summary>
    /// <param name="values">The series, at least four blocks.</param>
    /// <param name="block">How many values a block has; what is left over at the beginning counts in no block.</param>
    /// <returns>Its largest value, and how many values lie before the point where it is reached.</returns>
    internal static (double Statistic, int Change) Statistic(ReadOnlySpan<double> values, int block)
    {
        var mean = 0.0;
        foreach (var value in values)
            mean += value / values.Length;
        var (sum, largest, change) = (0.0, 0.0, 0);
        for (var at = 0; at < values.Length; at++)
        {
            sum += values[at] - mean;
            if (Math.Abs(sum) > largest)
                (largest, change) = (Math.Abs(sum), at + 1);
        }
        // The sum of a constant series is rounding, not deviation.
        if (largest <= 1e-12 * values.Length * Math.Max(1, Math.Abs(mean)))
            return (0, 0);
        return (largest / Math.Sqrt(values.Length * LongRunVariance(values, block)), change);
    }

    private static double Allowance(ReadOnlySpan<double> values, int block, int change)
    {
        var blocks = values.Length / block;
        var few =
            blocks < 12 ? FewerThanTwelveBlocks
            : blocks < Blocks ? FewerThanSixteenBlocks
            : 1;
        var takenIn = s_takenIn[Math.Min(block - SmallestBlock, s_takenIn.Length - 1)];
        return few * (1 + Growth * Math.Max(0, Correlation(values, change) - takenIn));
    }

    /// <summary>The correlation of neighbouring deviations from the means before and after a point.</summary>
    /// <param name="values">The series.</param>
    /// <param name="change">How many values lie before the point.</param>
    internal static double Correlation(ReadOnlySpan<double> values, int change)
    {
        double before = 0,
            after = 0,
            squares = 0,
            products = 0,
            last = 0;
        for (var at = 0; at < values.Length; at++)
        {
            if (at < change)
                before += values[at] / change;
            else
                after += values[at] / (values.Length - change);
        }
        for (var at = 0; at < values.Length; at++)
        {
            var deviation = values[at] - (at < change ? before : after);
            squares += deviation * deviation;
            products += deviation * last;
            last = deviation;
        }
        return squares > 0 ? products / squares : 0;
    }

    private static double LongRunVariance(ReadOnlySpan<double> values, int block)
    {
        var blocks = values.Length / block;
        var squares = new List<double>(blocks);
        var before = double.NaN;
        for (var first = values.Length - blocks * block; first < values.Length; first += block)
        {
            var mean = 0.0;
            foreach (var value in values.Slice(first, block))
                mean += value / block;
            if (!double.IsNaN(before))
                squares.Add((mean - before) * (mean - before));
            before = mean;
        }
        squares.Sort();
        return block * squares.Take(squares.Count - LeftOut).Sum() / (2 * (squares.Count - LeftOut));
    }
}
