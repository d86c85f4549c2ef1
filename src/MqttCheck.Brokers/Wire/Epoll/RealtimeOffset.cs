namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>
/// Converts the kernel's stamps, which are wall-clock times, into times of the monotonic clock. The difference of the
/// clocks is measured by reading the wall clock between two monotonic reads. The shortest of many such pairs bounds the
/// error. Only setting the wall clock changes the difference, which <see cref="Check"/> notices.
/// </summary>
internal sealed unsafe class RealtimeOffset
{
    private const int Reads = 50;
    private const long ToleranceNanoseconds = 500;

    private long _offset;

    /// <summary>Measures the difference.</summary>
    public RealtimeOffset() => Calibrate();

    /// <summary>The monotonic time of a wall-clock time.</summary>
    /// <param name="realtime">Nanoseconds since 1970.</param>
    public long ToMonotonic(long realtime) => realtime - _offset;

    /// <summary>Measures again if the wall clock was set.</summary>
    public void Check()
    {
        var before = MonotonicClock.NowNanoseconds;
        var realtime = Realtime();
        var after = MonotonicClock.NowNanoseconds;
        var monotonic = realtime - _offset;
        if (monotonic < before - ToleranceNanoseconds || monotonic > after + ToleranceNanoseconds)
            Calibrate();
    }

    private void Calibrate()
    {
        var best = long.MaxValue;
        for (var i = 0; i < Reads; i++)
        {
            var before = MonotonicClock.NowNanoseconds;
            var realtime = Realtime();
            var after = MonotonicClock.NowNanoseconds;
            if (after - before >= best)
                continue;
            best = after - before;
            _offset = realtime - (before + (after - before) / 2);
        }
    }

    private static long Realtime()
    {
        LibC.Timespec time;
        _ = LibC.ClockGetTime(LibC.ClockRealtime, &time);
        return time.TotalNanoseconds;
    }
}
