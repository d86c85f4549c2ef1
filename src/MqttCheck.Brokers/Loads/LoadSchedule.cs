using MqttCheck.Brokers.Loads.Messages;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// When a load begins, counts and ends, on the wire's clock; all <see cref="long.MaxValue"/> until the clients are
/// connected.
/// </summary>
internal sealed class LoadSchedule
{
    /// <summary>When the first message is due.</summary>
    public long Start { get; private set; } = long.MaxValue;

    /// <summary>When messages begin to count.</summary>
    public long MeasureStart { get; private set; } = long.MaxValue;

    /// <summary>When nothing more is due.</summary>
    public long End { get; private set; } = long.MaxValue;

    /// <summary>Whether it is known.</summary>
    public bool HasBegun => Start != long.MaxValue;

    /// <summary>Fixes the times.</summary>
    /// <param name="start">When the first message is due.</param>
    /// <param name="warmUp">How long messages do not count.</param>
    /// <param name="duration">How long they count.</param>
    public void Begin(long start, TimeSpan warmUp, TimeSpan duration)
    {
        Start = start;
        MeasureStart = start + warmUp.Ticks * TimeSpan.NanosecondsPerTick;
        End = MeasureStart + duration.Ticks * TimeSpan.NanosecondsPerTick;
    }

    /// <summary>Whether a time lies where messages count.</summary>
    public bool Counts(long nanoseconds) => nanoseconds >= MeasureStart && nanoseconds < End;

    /// <summary>A time since the first message was due.</summary>
    public long Relative(long nanoseconds) => nanoseconds == LoadMessage.None ? LoadMessage.None : nanoseconds - Start;
}
