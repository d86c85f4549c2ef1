namespace MqttCheck.Profiles.Workloads;

/// <summary>A time in which an open loop has another rate.</summary>
/// <param name="MessagesPerSecond">The rate of all publishers together; 0 for a pause.</param>
/// <param name="From">When it begins, after the warm-up.</param>
/// <param name="Until">When it ends, later than it begins.</param>
internal sealed record LoadBurst(double MessagesPerSecond, TimeSpan From, TimeSpan Until)
{
    /// <summary>
    /// When a message is due that would be due at some time if there were no burst: the burst brings messages forward,
    /// or puts them off.
    /// </summary>
    /// <param name="nanoseconds">The time without a burst, since the first message.</param>
    /// <param name="usualPerSecond">The rate without a burst, of all publishers together.</param>
    /// <param name="warmUp">How long the warm-up takes.</param>
    internal long Shift(long nanoseconds, double usualPerSecond, TimeSpan warmUp)
    {
        var from = (warmUp + From).TotalNanoseconds;
        if (nanoseconds < from)
            return nanoseconds;
        var factor = MessagesPerSecond / usualPerSecond;
        var length = (Until - From).TotalNanoseconds;
        var since = nanoseconds - from;
        return (long)(since < length * factor ? from + (since / factor) : from + length + since - (length * factor));
    }
}
