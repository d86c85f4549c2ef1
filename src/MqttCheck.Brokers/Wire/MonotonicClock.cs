using System.Diagnostics;

namespace MqttCheck.Brokers.Wire;

/// <summary>The stopwatch clock in nanoseconds; on Linux CLOCK_MONOTONIC itself.</summary>
internal static class MonotonicClock
{
    /// <summary>Nanoseconds per tick of the stopwatch: 1 on Linux and macOS, 100 on Windows.</summary>
    private static readonly long NanosecondsPerTick = 1_000_000_000 / Stopwatch.Frequency;

    /// <summary>The present time.</summary>
    public static long NowNanoseconds => Stopwatch.GetTimestamp() * NanosecondsPerTick;

    /// <summary>
    /// A duration in nanoseconds. A duration over a century counts as a century, so that adding it to the time does not
    /// overflow.
    /// </summary>
    /// <param name="duration">The duration.</param>
    public static long Nanoseconds(TimeSpan duration) =>
        Math.Min(duration.Ticks, TimeSpan.TicksPerDay * 36525) * TimeSpan.NanosecondsPerTick;
}
