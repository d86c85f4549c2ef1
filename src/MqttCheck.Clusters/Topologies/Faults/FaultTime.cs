using System.Globalization;

namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// When a fault begins, counted from the first message that counts: at one time (<c>20s</c>), or at one that is drawn
/// uniformly between two (<c>U(10s,50s)</c>).
/// </summary>
/// <param name="EarliestNanoseconds">The earliest time, 0 .. one day.</param>
/// <param name="LatestNanoseconds">The latest time, at least the earliest; the same for a fixed time.</param>
internal readonly record struct FaultTime(long EarliestNanoseconds, long LatestNanoseconds)
{
    /// <summary>A fixed time.</summary>
    /// <param name="nanoseconds">The time, 0 .. one day.</param>
    public static FaultTime At(long nanoseconds) => new(nanoseconds, nanoseconds);

    /// <summary>The time as it is read.</summary>
    public override string ToString() =>
        EarliestNanoseconds == LatestNanoseconds
            ? TimeText.Of(EarliestNanoseconds)
            : string.Create(
                CultureInfo.InvariantCulture,
                $"U({TimeText.Of(EarliestNanoseconds)},{TimeText.Of(LatestNanoseconds)})"
            );
}
