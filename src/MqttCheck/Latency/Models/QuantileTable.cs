using System.Globalization;
using System.Runtime.CompilerServices;

namespace MqttCheck.Latency.Models;

/// <summary>
/// A latency distribution as knots of its inverse distribution function, linear in between. Small samples keep every
/// value. Large ones keep <see cref="BodyIntervals"/> intervals of equal probability below the quantile
/// <see cref="Split"/> and <see cref="TailIntervals"/> above it, because the slowest messages decide whether a whole
/// sequence is in time. The last knot is placed so that the last interval keeps the mean of its values: one outlier
/// then does not stretch the tail, and a closed loop of clients sees the mean it depends on.
/// </summary>
/// <param name="knotsMilliseconds">The knots, at least 2, ascending, finite and not negative.</param>
/// <param name="rows">How many exchanges the table was learned from.</param>
internal sealed class QuantileTable(float[] knotsMilliseconds, int rows)
{
    /// <summary>Intervals of equal probability below <see cref="Split"/>.</summary>
    public const int BodyIntervals = 192;

    /// <summary>Intervals of equal probability above <see cref="Split"/>.</summary>
    public const int TailIntervals = 64;

    /// <summary>The probability at which the finer intervals begin.</summary>
    public const double Split = 15.0 / 16;

    private const int Intervals = BodyIntervals + TailIntervals;

    /// <summary>The knots in ascending order, at least 2.</summary>
    public float[] KnotsMilliseconds { get; } = knotsMilliseconds;

    /// <summary>How many exchanges the table was learned from.</summary>
    public int Rows { get; } = rows;

    /// <summary>Whether the upper end has finer intervals.</summary>
    public bool HasTail => KnotsMilliseconds.Length == Intervals + 1;

    /// <summary>
    /// A table of measured latencies, rounded to four digits: finer than brokers repeat themselves, and a model read
    /// from its file then predicts bit for bit what the freshly learned one does.
    /// </summary>
    /// <param name="sortedMilliseconds">The latencies in ascending order, at least one.</param>
    public static QuantileTable From(ReadOnlySpan<double> sortedMilliseconds)
    {
        var sample = new WeightedSample();
        foreach (var value in sortedMilliseconds)
            sample.Add(value, 1);
        return OfSorted(sample, sortedMilliseconds.Length).Rounded();
    }

    /// <summary>The table with its knots rounded to four digits, as files hold them.</summary>
    public QuantileTable Rounded() => new(Array.ConvertAll(KnotsMilliseconds, Round), Rows);

    /// <summary>A table of weighted latencies.</summary>
    /// <param name="sample">At least one latency, in any order; left sorted.</param>
    /// <param name="rows">How many exchanges they stand for.</param>
    public static QuantileTable From(WeightedSample sample, int rows)
    {
        sample.Sort();
        return OfSorted(sample, rows);
    }

    /// <summary>
    /// Adds the latencies of this table to a sample: the values themselves, or of a large sample the middle of each
    /// interval.
    /// </summary>
    /// <param name="sample">The sample.</param>
    /// <param name="scale">A factor for the latencies.</param>
    /// <param name="power">To what power the distribution function is raised: 2 for the larger of two.</param>
    public void AddTo(WeightedSample sample, double scale, double power = 1)
    {
        var knots = KnotsMilliseconds;
        if (HasTail)
        {
            for (var i = 0; i < Intervals; i++)
                sample.Add(
                    ((double)knots[i] + knots[i + 1]) / 2 * scale,
                    Mass(Probability(i), Probability(i + 1)) * Rows
                );
            return;
        }
        // The two knots of a single value are one value.
        var values = Math.Min(knots.Length, Rows);
        for (var i = 0; i < values; i++)
            sample.Add(knots[i] * scale, power == 1 ? 1 : Mass((double)i / values, (i + 1.0) / values) * values);

        double Mass(double from, double to) => power == 1 ? to - from : Math.Pow(to, power) - Math.Pow(from, power);
    }

    /// <summary>The latency at a probability: a draw, if the probability is uniform.</summary>
    /// <param name="u">The probability, in [0, 1).</param>
    /// <returns>The latency in milliseconds.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double Draw(double u) => Draw(KnotsMilliseconds, u);

    /// <summary>
    /// The same for the knots of a table: who keeps only these saves a step from object to object, and so a wait for
    /// memory, in every draw.
    /// </summary>
    /// <param name="knotsMilliseconds">The knots of a table.</param>
    /// <param name="u">The probability, in [0, 1).</param>
    /// <returns>The latency in milliseconds.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double Draw(float[] knotsMilliseconds, double u)
    {
        var intervals = knotsMilliseconds.Length - 1;
        var position =
            intervals != Intervals ? u * intervals
            : u < Split ? u * (BodyIntervals / Split)
            : BodyIntervals + (u - Split) * (TailIntervals / (1 - Split));
        var i = (int)position;
        var knots = knotsMilliseconds.AsSpan(i, 2);
        return knots[0] + (position - i) * (knots[1] - knots[0]);
    }

    /// <summary>The distribution function.</summary>
    /// <param name="milliseconds">A latency.</param>
    /// <returns>
    /// P(latency &lt;= x); at an atom the middle of its jump, as a probability integral transform wants it.
    /// </returns>
    public double CumulativeProbability(double milliseconds)
    {
        var knots = KnotsMilliseconds;
        var x = (float)milliseconds;
        var found = Array.BinarySearch(knots, x);
        if (found >= 0)
        {
            var (low, high) = (found, found);
            while (low > 0 && knots[low - 1] == x)
                low--;
            while (high < knots.Length - 1 && knots[high + 1] == x)
                high++;
            return (Probability(low) + Probability(high)) / 2;
        }
        var next = ~found;
        if (next == 0)
            return 0;
        if (next == knots.Length)
            return 1;
        var before = Probability(next - 1);
        return before + (Probability(next) - before) * (x - knots[next - 1]) / (knots[next] - knots[next - 1]);
    }

    /// <summary>
    /// The mean continuous ranked probability score of the logarithm of observations; smaller is better (Gneiting and
    /// Raftery 2007). On the logarithmic scale fast and slow latencies weigh alike, as they do where the share below a
    /// threshold is asked for.
    /// </summary>
    /// <param name="sortedMilliseconds">The observations in ascending order.</param>
    /// <param name="most">At most this many of them are scored, evenly spaced.</param>
    /// <remarks>
    /// The score of an observation y is the integral of (F(x) - 1{x >= y})^2 d log x, with the distribution function F
    /// linear between knots.
    /// </remarks>
    public double MeanRankedScore(ReadOnlySpan<double> sortedMilliseconds, int most)
    {
        var knots = Array.ConvertAll(KnotsMilliseconds, milliseconds => Logarithm(milliseconds));
        // The score of an observation at the first knot, moved along with the observations: below it F^2 counts, above
        // it (1 - F)^2.
        double below = 0,
            above = 0;
        for (var i = 0; i + 1 < knots.Length; i++)
            above += Square(knots[i], knots[i + 1], 1 - Probability(i), 1 - Probability(i + 1));
        var scored = Math.Min(most, sortedMilliseconds.Length);
        var knot = 0;
        var sum = 0.0;
        for (var k = 0; k < scored; k++)
        {
            var observed = Logarithm(
                sortedMilliseconds[(int)((2L * k + 1) * sortedMilliseconds.Length / (2 * scored))]
            );
            for (; knot + 1 < knots.Length && knots[knot + 1] <= observed; knot++)
            {
                below += Square(knots[knot], knots[knot + 1], Probability(knot), Probability(knot + 1));
                above -= Square(knots[knot], knots[knot + 1], 1 - Probability(knot), 1 - Probability(knot + 1));
            }
            if (observed <= knots[0])
                sum += knots[0] - observed + above;
            else if (knot + 1 == knots.Length)
                sum += below + observed - knots[^1];
            else
            {
                double left = knots[knot],
                    right = knots[knot + 1],
                    p = Probability(knot),
                    q = Probability(knot + 1);
                var middle = p + (q - p) * (observed - left) / (right - left);
                sum += below + Square(left, observed, p, middle) + above - Square(left, observed, 1 - p, 1 - middle);
            }
        }
        return sum / scored;

        // A microsecond more, because a latency may be 0.
        static double Logarithm(double milliseconds) => Math.Log(milliseconds + 0.001);

        // The integral over [left, right] of the square of a function that runs linearly from a to b.
        static double Square(double left, double right, double a, double b) =>
            (right - left) * (a * a + a * b + b * b) / 3;
    }

    private double Probability(int knot) =>
        !HasTail ? (double)knot / (KnotsMilliseconds.Length - 1)
        : knot <= BodyIntervals ? Split * knot / BodyIntervals
        : Split + (1 - Split) * (knot - BodyIntervals) / TailIntervals;

    // Order statistics with linear interpolation; with equal weights type 7 of Hyndman and Fan (1996), the i-th of n
    // values at the probability i / (n - 1).
    private static QuantileTable OfSorted(WeightedSample sample, int rows)
    {
        var values = sample.Milliseconds;
        var weights = sample.Weights;
        var n = values.Length;
        if (n == 1)
            return new([(float)values[0], (float)values[0]], rows);
        if (n <= Intervals && !weights.ContainsAnyExcept(weights[0]))
            return new(Array.ConvertAll(values.ToArray(), value => (float)value), rows);

        var total = 0.0;
        for (var i = 1; i < n; i++)
            total += (weights[i - 1] + weights[i]) / 2;
        var knots = new float[Intervals + 1];
        var (at, position) = (0, 0.0);
        for (var i = 0; i < Intervals; i++)
        {
            var wanted =
                total
                * (
                    i <= BodyIntervals
                        ? Split * i / BodyIntervals
                        : Split + (1 - Split) * (i - BodyIntervals) / TailIntervals
                );
            var step = (weights[at] + weights[at + 1]) / 2;
            while (at + 2 < n && position + step <= wanted)
            {
                position += step;
                at++;
                step = (weights[at] + weights[at + 1]) / 2;
            }
            knots[i] = (float)(values[at] + Math.Min(1, (wanted - position) / step) * (values[at + 1] - values[at]));
        }
        // The values of the last interval, from the top down.
        double sum = 0,
            weight = 0;
        for (var i = n - 1; i >= 0 && weight <= total * (1 - Split) / TailIntervals; i--)
        {
            sum += values[i] * weights[i];
            weight += weights[i];
        }
        knots[^1] = Math.Max(knots[^2], Math.Min((float)(2 * sum / weight - knots[^2]), (float)values[^1]));
        return new(knots, rows);
    }

    private static float Round(float value) =>
        float.Parse(value.ToString("G4", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
}
