using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Fleets.Machine;

/// <summary>
/// Relates the wall clock to the monotonic clock, so that the times of a run can be compared with those of other
/// programs.
/// </summary>
internal static class WallClock
{
    private const int Reads = 200;

    /// <summary>
    /// Nanoseconds to add to a time of the monotonic clock to get one since 1970, to the resolution of the system's
    /// wall clock (100 ns).
    /// </summary>
    /// <param name="time">The wall clock.</param>
    public static double OffsetNanoseconds(TimeProvider time)
    {
        var (best, offset) = (long.MaxValue, 0.0);
        for (var i = 0; i < Reads; i++)
        {
            var before = MonotonicClock.NowNanoseconds;
            var wall = time.GetUtcNow();
            var after = MonotonicClock.NowNanoseconds;
            if (after - before >= best)
                continue;
            best = after - before;
            offset =
                (wall - DateTimeOffset.UnixEpoch).Ticks * (double)TimeSpan.NanosecondsPerTick
                - (before + (after - before) / 2.0);
        }
        return offset;
    }
}
