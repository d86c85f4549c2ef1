namespace MqttCheck.Shards.Parts;

/// <summary>The offset of a worker's monotonic clock, as the coordinator measured it.</summary>
/// <param name="OffsetNanoseconds">How much it is ahead of the coordinator's.</param>
/// <param name="BoundNanoseconds">The largest error of the offset: half of the shortest round trip.</param>
internal readonly record struct PartClock(long OffsetNanoseconds, long BoundNanoseconds)
{
    /// <summary>By how much two parts may disagree about a time, where these are the clocks of all parts.</summary>
    /// <param name="clocks">The clocks.</param>
    public static long LargestDisagreement(IEnumerable<PartClock> clocks) =>
        clocks.Select(clock => clock.BoundNanoseconds).OrderDescending().Take(2).Sum();
}
