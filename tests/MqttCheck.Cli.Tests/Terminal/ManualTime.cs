namespace MqttCheck.Cli.Tests.Terminal;

/// <summary>A clock that a test moves on; timers are called meanwhile.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly List<ManualTimer> _timers = [];
    private TimeSpan _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => _now.Ticks;

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + _now;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, () => callback(state), period, _now + dueTime);
        _timers.Add(timer);
        return timer;
    }

    /// <summary>Moves the clock on, from one call of a timer to the next.</summary>
    public void Advance(TimeSpan time)
    {
        var end = _now + time;
        while (_timers.MinBy(timer => timer.Due) is { } next && next.Due <= end)
        {
            _now = next.Due;
            next.Call();
        }
        _now = end;
    }

    private sealed class ManualTimer(ManualTime time, Action call, TimeSpan period, TimeSpan due) : ITimer
    {
        public TimeSpan Due { get; private set; } = due;

        public void Call()
        {
            Due += period;
            call();
        }

        public bool Change(TimeSpan dueTime, TimeSpan period) => throw new NotSupportedException();

        public void Dispose() => time._timers.Remove(this);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
