namespace MqttCheck.Profiles.Workloads;

/// <summary>
/// How long a client waits before it connects again: 50 ms at first, twice as long after each failure, at most 1 s.
/// </summary>
internal static class ReconnectBackoff
{
    private const long FirstNanoseconds = 50_000_000;
    private const long LongestNanoseconds = 1_000_000_000;

    // Beyond that the wait is the longest one anyway.
    private const int MostDoublings = 10;

    /// <summary>The wait before the next attempt, in nanoseconds.</summary>
    /// <param name="failures">How many attempts have failed since the client was connected, not negative.</param>
    public static long Nanoseconds(int failures) =>
        Math.Min(FirstNanoseconds << Math.Min(failures, MostDoublings), LongestNanoseconds);
}
