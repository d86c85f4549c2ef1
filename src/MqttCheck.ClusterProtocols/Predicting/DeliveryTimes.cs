namespace MqttCheck.ClusterProtocols.Predicting;

/// <summary>
/// Counts times in buckets, each of which ends 1 % above the one before, so that what is kept does not grow with their
/// number.
/// </summary>
/// <remarks>
/// <see cref="MqttCheck.Statistics.DurationCounts"/> has finer buckets, and takes 300 kB for each of the pairs of a
/// cluster.
/// </remarks>
internal sealed class DeliveryTimes
{
    // A time of zero lies below every logarithm.
    private const int None = int.MinValue;
    private static readonly double s_width = Math.Log(1.01);

    private readonly SortedDictionary<int, long> _buckets = [];
    private long _count;
    private double _sum;
    private long _longest;

    /// <summary>The mean; null without any time.</summary>
    public double? MeanMilliseconds => _count == 0 ? null : _sum / _count / 1e6;

    /// <summary>Counts a time.</summary>
    /// <param name="nanoseconds">The time, at least 0.</param>
    public void Add(long nanoseconds)
    {
        _count++;
        _sum += nanoseconds;
        _longest = Math.Max(_longest, nanoseconds);
        var bucket = nanoseconds == 0 ? None : (int)Math.Ceiling(Math.Log(nanoseconds) / s_width);
        _buckets[bucket] = _buckets.GetValueOrDefault(bucket) + 1;
    }

    /// <summary>
    /// The smallest time that the given share of all times does not exceed, at most 1 % too large; null without any.
    /// </summary>
    /// <param name="share">0 .. 1.</param>
    public double? QuantileMilliseconds(double share)
    {
        var left = Math.Max(1, (long)Math.Ceiling(share * _count));
        foreach (var (bucket, count) in _buckets)
        {
            left -= count;
            if (left <= 0)
                return bucket == None ? 0 : Math.Min(Math.Exp(bucket * s_width), _longest) / 1e6;
        }
        return null;
    }
}
