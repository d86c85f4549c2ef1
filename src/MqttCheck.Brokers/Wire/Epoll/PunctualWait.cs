namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>
/// Decides how a loop waits for a punctual timer. It sleeps until shortly before, and then polls, because the time to
/// wake up is not known beforehand. Polling takes at most a quarter of the processor; beyond that the loop sleeps until
/// the timer is due.
/// </summary>
/// <param name="nowNanoseconds">The time.</param>
internal struct PunctualWait(long nowNanoseconds)
{
    /// <summary>Polling begins this long before a timer is due, by when most threads have woken up.</summary>
    public const long EarlyNanoseconds = 100_000;

    // The share of time that may be spent polling, and the limit of saved polling time.
    private const int ShareDivisor = 4;
    private const long MostCredit = 10 * EarlyNanoseconds;

    private long _last = nowNanoseconds;
    private long _credit = MostCredit;
    private bool _polls;

    /// <summary>The time until which the loop sleeps.</summary>
    /// <param name="now">The time.</param>
    /// <param name="due">When the next timer is due; <see cref="long.MaxValue"/> for none.</param>
    /// <returns>The time; <paramref name="now"/> or earlier not to sleep at all.</returns>
    public long SleepUntil(long now, long due)
    {
        var passed = now - _last;
        _last = now;
        _credit = Math.Min(_credit + passed / ShareDivisor - (_polls ? passed : 0), MostCredit);
        _polls = false;
        if (due == long.MaxValue || due <= now || _credit <= 0)
            return due;
        if (due - now > EarlyNanoseconds)
            return due - EarlyNanoseconds;
        _polls = true;
        return now;
    }
}
