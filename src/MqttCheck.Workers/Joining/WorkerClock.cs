using System.Diagnostics;

namespace MqttCheck.Workers.Joining;

/// <summary>The clocks of a process, shifted in tests.</summary>
/// <param name="Shift">The shift of the clocks against the true ones.</param>
internal sealed record WorkerClock(TimeSpan Shift)
{
    private static readonly long s_nanosecondsPerTick = 1_000_000_000 / Stopwatch.Frequency;

    /// <summary>The clocks as they are.</summary>
    public static WorkerClock True { get; } = new(TimeSpan.Zero);

    /// <summary>The monotonic clock, in nanoseconds from an arbitrary start.</summary>
    public long MonotonicNanoseconds => Stopwatch.GetTimestamp() * s_nanosecondsPerTick + ShiftNanoseconds;

    /// <summary>Coordinated universal time, in ticks of 100 ns.</summary>
    public long UtcTicks => TimeProvider.System.GetUtcNow().UtcTicks + Shift.Ticks;

    /// <summary>Converts a time of the shifted clock into one of the true monotonic clock.</summary>
    /// <param name="shiftedNanoseconds">The time on the shifted clock.</param>
    public long TrueNanoseconds(long shiftedNanoseconds) => shiftedNanoseconds - ShiftNanoseconds;

    private long ShiftNanoseconds => Shift.Ticks * TimeSpan.NanosecondsPerTick;
}
