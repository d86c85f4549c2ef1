using System.Numerics;

namespace MqttCheck.Statistics;

/// <summary>
/// Counts durations in buckets whose width is at most a thousandth of their value, without allocating: the layout of HdrHistogram with three significant digits, in
/// nanoseconds up to an hour (Tene, "HdrHistogram: a high dynamic range histogram"). Below 2048 ns every nanosecond has a bucket of its own; above, each octave has 1024.
/// </summary>
/// <remarks>Quantiles are exact order statistics of the recorded durations rounded up to the end of their bucket: never too small, and at most 0.1 % too large.</remarks>
public sealed class DurationCounts
{
    /// <summary>The largest duration that is told apart, an hour in nanoseconds; longer ones count as this.</summary>
    public const long LongestNanoseconds = 3_600_000_000_000;

    /// <summary>Buckets of the first, linear part; every further octave has half as many.</summary>
    public const int SubBuckets = 2048;

    private const int HalfBits = 10;
    private const int Half = 1 << HalfBits;

    private readonly long[] _counts = new long[IndexOf(LongestNanoseconds) + 1];
    private double _sum;

    /// <summary>How many linear parts there are, the first included.</summary>
    public static int Buckets { get; } = BitOperations.Log2((ulong)LongestNanoseconds) - HalfBits + 1;

    /// <summary>How many durations were counted.</summary>
    public long Count { get; private set; }

    /// <summary>The largest duration, exact; 0 without any.</summary>
    public long MaximumNanoseconds { get; private set; }

    /// <summary>The mean, exact but for rounding; NaN without any.</summary>
    public double MeanNanoseconds => Count == 0 ? double.NaN : _sum / Count;

    /// <summary>How many buckets there are, for <see cref="CountAt"/>.</summary>
    public int Length => _counts.Length;

    /// <summary>Counts a duration.</summary>
    /// <param name="nanoseconds">The duration; a negative one counts as 0.</param>
    public void Add(long nanoseconds)
    {
        nanoseconds = Math.Clamp(nanoseconds, 0, LongestNanoseconds);
        _counts[IndexOf(nanoseconds)]++;
        Count++;
        _sum += nanoseconds;
        if (nanoseconds > MaximumNanoseconds) MaximumNanoseconds = nanoseconds;
    }

    /// <summary>Adds everything that another one counted.</summary>
    /// <param name="other">The other one.</param>
    public void Add(DurationCounts other)
    {
        ArgumentNullException.ThrowIfNull(other);
        for (var index = 0; index < _counts.Length; index++) _counts[index] += other._counts[index];
        Count += other.Count;
        _sum += other._sum;
        MaximumNanoseconds = Math.Max(MaximumNanoseconds, other.MaximumNanoseconds);
    }

    /// <summary>The smallest duration that the given share of all durations does not exceed, rounded up to the end of its bucket but not above the maximum; NaN without any.</summary>
    /// <param name="share">0 .. 1; 1 gives the maximum.</param>
    public double QuantileNanoseconds(double share)
    {
        if (Count == 0) return double.NaN;
        var rank = Math.Clamp((long)Math.Ceiling(share * Count), 1, Count);
        long seen = 0;
        var index = 0;
        while ((seen += _counts[index]) < rank) index++;
        return Math.Min(EndOf(index), MaximumNanoseconds);
    }

    /// <summary>The standard deviation, with every duration at the middle of its bucket; NaN without any.</summary>
    public double DeviationNanoseconds()
    {
        if (Count == 0) return double.NaN;
        var (mean, squares) = (MeanNanoseconds, 0.0);
        for (var index = 0; index < _counts.Length; index++)
        {
            if (_counts[index] == 0) continue;
            // As HdrHistogram: the median equivalent value of a bucket is its start plus half its width.
            var difference = StartOf(index) + ((EndOf(index) - StartOf(index) + 1) >> 1) - mean;
            squares += _counts[index] * difference * difference;
        }
        return Math.Sqrt(squares / Count);
    }

    /// <summary>How many durations are in a bucket.</summary>
    /// <param name="index">0 .. <see cref="Length"/> - 1.</param>
    public long CountAt(int index) => _counts[index];

    /// <summary>The bucket of a duration.</summary>
    /// <param name="nanoseconds">0 .. <see cref="LongestNanoseconds"/>.</param>
    public static int IndexOf(long nanoseconds)
    {
        if (nanoseconds < SubBuckets) return (int)nanoseconds;
        var shift = BitOperations.Log2((ulong)nanoseconds) - HalfBits;
        return (shift << HalfBits) + (int)(nanoseconds >> shift);
    }

    /// <summary>The smallest duration of a bucket, in nanoseconds.</summary>
    /// <param name="index">The bucket.</param>
    public static long StartOf(int index)
    {
        if (index < SubBuckets) return index;
        var shift = (index >> HalfBits) - 1;
        return (long)(Half + (index & (Half - 1))) << shift;
    }

    /// <summary>The largest duration of a bucket, in nanoseconds.</summary>
    /// <param name="index">The bucket.</param>
    public static long EndOf(int index) => index < SubBuckets ? index : StartOf(index) + (1L << ((index >> HalfBits) - 1)) - 1;
}
