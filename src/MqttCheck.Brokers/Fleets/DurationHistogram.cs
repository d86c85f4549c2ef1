using System.Numerics;

namespace MqttCheck.Brokers.Fleets;

/// <summary>Counts durations in buckets of constant relative width (32 to an octave, so 3 %), without allocating.</summary>
internal sealed class DurationHistogram
{
    private const int BitsPerOctave = 5;
    private readonly long[] _counts = new long[(64 - BitsPerOctave) << BitsPerOctave];

    /// <summary>How many durations were counted.</summary>
    public long Count { get; private set; }

    /// <summary>The largest duration counted, in nanoseconds.</summary>
    public long MaximumNanoseconds { get; private set; }

    /// <summary>Counts a duration; a negative one counts as 0.</summary>
    public void Add(long nanoseconds)
    {
        nanoseconds = Math.Max(0, nanoseconds);
        _counts[Bucket(nanoseconds)]++;
        Count++;
        MaximumNanoseconds = Math.Max(MaximumNanoseconds, nanoseconds);
    }

    /// <summary>The smallest duration, to the width of a bucket, that the given share of all durations does not exceed; 0 without any.</summary>
    /// <param name="share">0 .. 1.</param>
    public double QuantileNanoseconds(double share)
    {
        var rank = Math.Max(1, (long)Math.Ceiling(share * Count));
        long seen = 0;
        for (var bucket = 0; bucket < _counts.Length; bucket++)
        {
            seen += _counts[bucket];
            if (seen >= rank) return Math.Min(Middle(bucket), MaximumNanoseconds);
        }
        return 0;
    }

    // Values below 2^5 have a bucket each; above, the five bits behind the leading one choose among 32 buckets of the octave.
    private static int Bucket(long value)
    {
        if (value < 1 << BitsPerOctave) return (int)value;
        var shift = BitOperations.Log2((ulong)value) - BitsPerOctave;
        return ((shift + 1) << BitsPerOctave) + (int)((value >> shift) & ((1 << BitsPerOctave) - 1));
    }

    private static double Middle(int bucket)
    {
        if (bucket < 1 << BitsPerOctave) return bucket;
        var shift = (bucket >> BitsPerOctave) - 1;
        var low = (long)((bucket & ((1 << BitsPerOctave) - 1)) | (1 << BitsPerOctave)) << shift;
        return low + ((1L << shift) - 1) / 2.0;
    }
}
