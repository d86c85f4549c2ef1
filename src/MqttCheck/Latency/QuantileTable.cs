using System.Globalization;

namespace MqttCheck.Latency;

/// <summary>
/// A latency distribution as knots of its inverse distribution function, linear in between. Small samples keep every value. Large ones keep
/// <see cref="BodyIntervals"/> intervals of equal probability below the quantile <see cref="Split"/> and <see cref="TailIntervals"/> above it, because the slowest
/// messages decide whether a whole sequence is in time. The last knot is placed so that the last interval keeps the mean of its values: one outlier then does not
/// stretch the tail, and a closed loop of clients sees the mean it depends on.
/// </summary>
internal sealed class QuantileTable
{
    /// <summary>Intervals of equal probability below <see cref="Split"/>.</summary>
    public const int BodyIntervals = 192;

    /// <summary>Intervals of equal probability above <see cref="Split"/>.</summary>
    public const int TailIntervals = 64;

    /// <summary>The probability at which the finer intervals begin.</summary>
    public const double Split = 15.0 / 16;

    private QuantileTable(float[] knotsMilliseconds, int rows) => (KnotsMilliseconds, Rows) = (knotsMilliseconds, rows);

    /// <summary>The knots in ascending order, at least 2.</summary>
    public float[] KnotsMilliseconds { get; }

    /// <summary>How many exchanges the table was learned from.</summary>
    public int Rows { get; }

    /// <summary>Whether the upper end has finer intervals.</summary>
    public bool HasTail => KnotsMilliseconds.Length == BodyIntervals + TailIntervals + 1;

    /// <summary>Learns a table.</summary>
    /// <param name="sortedMilliseconds">The latencies in ascending order, at least one.</param>
    public static QuantileTable From(ReadOnlySpan<double> sortedMilliseconds)
    {
        var n = sortedMilliseconds.Length;
        float[] knots;
        if (n == 1)
        {
            knots = [Round(sortedMilliseconds[0]), Round(sortedMilliseconds[0])];
        }
        else if (n <= BodyIntervals + TailIntervals)
        {
            knots = new float[n];
            for (var i = 0; i < n; i++) knots[i] = Round(sortedMilliseconds[i]);
        }
        else
        {
            knots = new float[BodyIntervals + TailIntervals + 1];
            for (var i = 0; i < BodyIntervals; i++) knots[i] = Round(Quantile(sortedMilliseconds, Split * i / BodyIntervals));
            for (var i = 0; i < TailIntervals; i++) knots[BodyIntervals + i] = Round(Quantile(sortedMilliseconds, Split + (1 - Split) * i / TailIntervals));
            var top = sortedMilliseconds[(int)Math.Ceiling((1 - (1 - Split) / TailIntervals) * (n - 1))..];
            var sum = 0.0;
            foreach (var value in top) sum += value;
            knots[^1] = Math.Clamp(Round(2 * sum / top.Length - knots[^2]), knots[^2], Round(sortedMilliseconds[^1]));
        }
        return new(knots, n);
    }

    /// <summary>A table as it was saved.</summary>
    /// <param name="knotsMilliseconds">The knots, at least 2, ascending, finite and not negative.</param>
    /// <param name="rows">How many exchanges it was learned from.</param>
    public static QuantileTable OfKnots(float[] knotsMilliseconds, int rows) => new(knotsMilliseconds, rows);

    /// <summary>The distribution function.</summary>
    /// <param name="milliseconds">A latency.</param>
    /// <returns>P(latency &lt;= x); at an atom the middle of its jump, as a probability integral transform wants it.</returns>
    public double CumulativeProbability(double milliseconds)
    {
        var knots = KnotsMilliseconds;
        var x = (float)milliseconds;
        var (low, high) = (Array.BinarySearch(knots, x), 0);
        if (low >= 0)
        {
            high = low;
            while (low > 0 && knots[low - 1] == x) low--;
            while (high < knots.Length - 1 && knots[high + 1] == x) high++;
            return (Probability(low) + Probability(high)) / 2;
        }
        high = ~low;
        if (high == 0) return 0;
        if (high == knots.Length) return 1;
        low = high - 1;
        return Probability(low) + (Probability(high) - Probability(low)) * (x - knots[low]) / (knots[high] - knots[low]);
    }

    private double Probability(int knot) =>
        !HasTail ? (double)knot / (KnotsMilliseconds.Length - 1)
        : knot <= BodyIntervals ? Split * knot / BodyIntervals
        : Split + (1 - Split) * (knot - BodyIntervals) / TailIntervals;

    // Linear interpolation of order statistics, type 7 of Hyndman and Fan (1996).
    private static double Quantile(ReadOnlySpan<double> sorted, double p)
    {
        var position = p * (sorted.Length - 1);
        var i = (int)position;
        return i + 1 >= sorted.Length ? sorted[^1] : sorted[i] + (position - i) * (sorted[i + 1] - sorted[i]);
    }

    // Five digits are finer than any clock of a broker and keep model files small. Rounding happens before the model is used, so a model read from its
    // file predicts bit for bit what the freshly learned one predicts.
    private static float Round(double value) => float.Parse(value.ToString("G5", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
}
