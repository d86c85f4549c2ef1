namespace MqttCheck.Captures.Logs;

/// <summary>The first and the last time of a capture, in nanoseconds since 1970.</summary>
internal readonly record struct TimeRange(long First, long Last, bool IsAny)
{
    private const long MostSeconds = 100_000_000;

    /// <summary>From the first to the last.</summary>
    public TimeSpan Duration => TimeSpan.FromSeconds(IsAny ? Math.Min(((double)Last - First) / 1e9, MostSeconds) : 0);

    /// <summary>When the first was; 1970 where the capture says something that no calendar has.</summary>
    public DateTimeOffset Started => DateTimeOffset.UnixEpoch.AddTicks(First / TimeSpan.NanosecondsPerTick);

    /// <summary>The range with one time more.</summary>
    public TimeRange With(long nanoseconds) =>
        IsAny
            ? new(Math.Min(First, nanoseconds), Math.Max(Last, nanoseconds), true)
            : new(nanoseconds, nanoseconds, true);
}
