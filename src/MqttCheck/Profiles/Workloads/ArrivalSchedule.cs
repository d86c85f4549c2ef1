using MqttCheck.Statistics;

namespace MqttCheck.Profiles.Workloads;

/// <summary>
/// When one publisher of an open loop is to send: fixed by seed and rate before the run, so that nothing the broker
/// does can move it. A value type: a copy repeats it.
/// </summary>
internal struct ArrivalSchedule
{
    // Keeps the draws apart from those of payloads and of who goes offline.
    private const ulong ScheduleStream = 0x5CED;

    private readonly bool _isPoisson;
    private readonly double _gapNanoseconds;
    private readonly double _offsetNanoseconds;
    private readonly Workload _workload;
    private RandomStream _random;
    private double _poissonNanoseconds;
    private long _count;

    /// <summary>The schedule of one publisher.</summary>
    /// <param name="workload">The load: an open loop.</param>
    /// <param name="publisher">The publisher's number, from 0.</param>
    /// <param name="seed">The user's seed; a constant rate does not depend on it.</param>
    /// <param name="phase">
    /// How late a constant rate begins, 0 .. 1 of the time between two messages of all publishers.
    /// </param>
    /// <exception cref="ArgumentException">The loop is closed: it has no schedule.</exception>
    public ArrivalSchedule(Workload workload, int publisher, ulong seed, double phase = 0)
    {
        if (!workload.IsOpenLoop)
            throw new ArgumentException("A closed loop has no schedule.", nameof(workload));
        _workload = workload;
        _isPoisson = workload.Arrivals == ArrivalKind.Poisson;
        _gapNanoseconds = 1e9 * workload.Publishers / workload.MessagesPerSecond;
        _offsetNanoseconds = 1e9 * (publisher + phase) / workload.MessagesPerSecond;
        _random = RandomStream.For(seed, ScheduleStream, (ulong)publisher);
    }

    /// <summary>
    /// The time of the next message, in nanoseconds since the beginning; never earlier than the one before.
    /// </summary>
    public long Next()
    {
        var usual = NextUsual();
        return _workload.Burst is { } burst
            ? burst.Shift(usual, _workload.MessagesPerSecond, _workload.WarmUp.Duration)
            : usual;
    }

    private long NextUsual()
    {
        // Multiplied, not summed up: a million roundings would shift the rate.
        if (!_isPoisson)
            return (long)(_offsetNanoseconds + _count++ * _gapNanoseconds);
        _poissonNanoseconds -= Math.Log(_random.NextOpenDouble()) * _gapNanoseconds;
        return (long)_poissonNanoseconds;
    }
}
