using HdrHistogram;

namespace MqttCheck.Statistics;

/// <summary>
/// Counts durations in an HdrHistogram with three significant digits, in nanoseconds up to half an hour: without
/// allocating, in buckets whose width is at most a thousandth of their value.
/// </summary>
/// <remarks>
/// Quantiles are exact order statistics of the recorded durations rounded up to the end of their bucket: never too
/// small, and at most 0.1 % too large.
/// </remarks>
internal sealed class DurationCounts
{
    /// <summary>
    /// The largest duration that is told apart, half an hour in nanoseconds; longer ones count as this.
    /// </summary>
    /// <remarks>
    /// From 2^41 ns on, 37 minutes, HdrHistogram 2.5.0 gives ends of buckets that are below their durations: the width
    /// of a bucket overflows 32 bits there.
    /// </remarks>
    public const long LongestNanoseconds = 1_800_000_000_000;

    private const int SignificantDigits = 3;

    // Lines between two halvings of the distance to 1; HdrHistogram's usual choice.
    private const int TicksPerHalfDistance = 5;
    private const double NanosecondsPerMillisecond = 1e6;

    private readonly LongHistogram _histogram = new(1, LongestNanoseconds, SignificantDigits);

    // The histogram knows its mean and its maximum to a bucket only.
    private double _sum;

    /// <summary>How many durations were counted.</summary>
    public long Count { get; private set; }

    /// <summary>The largest duration, exact; 0 without any.</summary>
    public long MaximumNanoseconds { get; private set; }

    /// <summary>The mean, exact but for rounding; NaN without any.</summary>
    public double MeanNanoseconds => Count == 0 ? double.NaN : _sum / Count;

    /// <summary>The buckets that hold anything, in the order of their durations.</summary>
    public IEnumerable<DurationBucket> Buckets =>
        _histogram
            .RecordedValues()
            .Select(bucket => new DurationBucket(
                _histogram.LowestEquivalentValue(bucket.ValueIteratedTo),
                bucket.ValueIteratedTo,
                bucket.CountAtValueIteratedTo
            ));

    /// <summary>Counts a duration.</summary>
    /// <param name="nanoseconds">The duration; a negative one counts as 0.</param>
    public void Add(long nanoseconds)
    {
        nanoseconds = Math.Clamp(nanoseconds, 0, LongestNanoseconds);
        _histogram.RecordValue(nanoseconds);
        Count++;
        _sum += nanoseconds;
        if (nanoseconds > MaximumNanoseconds)
            MaximumNanoseconds = nanoseconds;
    }

    /// <summary>Adds everything that another one counted.</summary>
    /// <param name="other">The other one.</param>
    public void Add(DurationCounts other)
    {
        _histogram.Add(other._histogram);
        Count += other.Count;
        _sum += other._sum;
        MaximumNanoseconds = Math.Max(MaximumNanoseconds, other.MaximumNanoseconds);
    }

    /// <summary>Writes everything that was counted.</summary>
    internal void Write(BinaryWriter writer)
    {
        var buckets = Buckets.ToList();
        writer.Write(buckets.Count);
        foreach (var bucket in buckets)
        {
            writer.Write(bucket.FromNanoseconds);
            writer.Write(bucket.Count);
        }
        writer.Write(Count);
        writer.Write(_sum);
        writer.Write(MaximumNanoseconds);
    }

    /// <summary>Adds everything that <see cref="Write"/> wrote.</summary>
    internal void Add(BinaryReader reader)
    {
        for (var left = reader.ReadInt32(); left > 0; left--)
            _histogram.RecordValueWithCount(reader.ReadInt64(), reader.ReadInt64());
        Count += reader.ReadInt64();
        _sum += reader.ReadDouble();
        MaximumNanoseconds = Math.Max(MaximumNanoseconds, reader.ReadInt64());
    }

    /// <summary>
    /// The smallest duration that the given share of all durations does not exceed, rounded up to the end of its bucket
    /// but not above the maximum; NaN without any.
    /// </summary>
    /// <param name="share">0 .. 1; 1 gives the maximum.</param>
    public double QuantileNanoseconds(double share)
    {
        if (Count == 0)
            return double.NaN;
        // The histogram's own percentile rounds to the nearest rank, which can be too small.
        var rank = Math.Clamp((long)Math.Ceiling(share * Count), 1, Count);
        var end = _histogram.RecordedValues().First(bucket => bucket.TotalCountToThisValue >= rank).ValueIteratedTo;
        return Math.Min(end, MaximumNanoseconds);
    }

    /// <summary>
    /// Writes the distribution of percentiles in milliseconds, the text form of HdrHistogram (<c>.hgrm</c>) that its
    /// plotters read.
    /// </summary>
    /// <param name="writer">Receives the text; stays open.</param>
    public void WritePercentiles(TextWriter writer) =>
        _histogram.OutputPercentileDistribution(writer, TicksPerHalfDistance, NanosecondsPerMillisecond);
}
