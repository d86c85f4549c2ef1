namespace MqttCheck.Conformance.Checking;

/// <summary>How long a run waits before it decides. A late answer that comes in time is no deviation.</summary>
internal sealed record CheckTiming
{
    /// <summary>
    /// When a marker is sent behind an awaited delivery, to see whether it comes at all. Default 30 ms.
    /// </summary>
    public TimeSpan MarkerAfter { get; init; } = TimeSpan.FromMilliseconds(30);

    /// <summary>
    /// How long a delivery that a later one of the same order has overtaken may still come, as out of order. Default
    /// 200 ms.
    /// </summary>
    public TimeSpan OvertakenPatience { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>How long anything else may take. Default 5 s.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a deviation that is known already is waited for. Default 60 ms.</summary>
    public TimeSpan KnownPatience { get; init; } = TimeSpan.FromMilliseconds(60);
}
